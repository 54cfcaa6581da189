//! Parameters: which values are refused, the error messages, and which values are accepted.

use super::{GOOD, Tiny, envelope_faults};

#[tokio::test]
async fn a_refused_parameter_is_named_with_what_was_sent_and_what_is_accepted() {
    let tiny = Tiny::serve();
    let (whole, offsets) = ("a whole number from 1 to 50", "a whole number from 0 to");
    let (text, handle) = ("1 to 200 characters", "1 to 200 bytes");
    let (members, types) = ("members of the organization", "direct, advocate, second_degree");
    let (encoding, once) = ("percent-encoded UTF-8", "once");
    let one_target = "exactly one of prospectLinkedinId, prospectName, prospectCompany";
    let (ids, email) = ("begins with person_ or company_", "an e-mail address of at most 254 characters");
    let (company, folded) = ("a company as the target", "1 to 200 characters once folded");
    let pia = "prospectLinkedinId=pia-weiss";
    let (long_name, long_id) = ("é".repeat(201), "x".repeat(201));
    let long_name_shown = "é".repeat(100);
    let long_id_shown = "x".repeat(100);
    for (query, named, sent, accepted) in [
        // The target: none, several, blank, twice, too long.
        (String::new(), "prospectLinkedinId", "", one_target),
        ("prospects=x&ProspectName=x".into(), "prospectName", "", one_target),
        (format!("{pia}&prospectName=Pia"), "prospectName", "\"Pia\"", one_target),
        (format!("{pia}&prospectName="), "prospectName", "\"\"", one_target),
        ("prospectCompany=&prospectName=Pia".into(), "prospectCompany", "\"\"", one_target),
        ("prospectName=Pia&prospectCompany=Copper+Mill".into(), "Company", "\"Copper Mill\"", one_target),
        ("prospectLinkedinId=".into(), "prospectLinkedinId", "missing", handle),
        ("prospectLinkedinId".into(), "prospectLinkedinId", "missing", handle),
        ("prospectName=+%20%09%C2%A0".into(), "prospectName", "missing", text),
        ("prospectCompany=%E3%80%80".into(), "prospectCompany", "missing", text),
        (format!("{pia}&prospectLinkedinId=eli"), "prospectLinkedinId", "\"eli\"", once),
        ("prospectName=Pia&prospectName=Pia".into(), "prospectName", "\"Pia\"", once),
        (format!("prospectName={long_name}"), "prospectName", &long_name_shown, text),
        (format!("prospectCompany={long_name}"), "prospectCompany", &long_name_shown, text),
        (format!("prospectLinkedinId={long_id}"), "prospectLinkedinId", &long_id_shown, handle),
        // The target by id, by e-mail address, by a name at a company.
        (format!("{pia}&prospectId=person_pia"), "prospectId", "\"person_pia\"", one_target),
        ("prospectEmail=&prospectName=Pia".into(), "prospectEmail", "\"\"", one_target),
        ("prospectId=user_ana".into(), "prospectId", "\"user_ana\"", ids),
        ("prospectId=Person_pia".into(), "prospectId", "\"Person_pia\"", ids),
        ("prospectId=person".into(), "prospectId", "\"person\"", ids),
        ("prospectId=+person_pia".into(), "prospectId", "\" person_pia\"", ids),
        ("prospectId=".into(), "prospectId", "missing", ids),
        ("prospectId=person_a&prospectId=person_a".into(), "prospectId", "\"person_a\"", once),
        (format!("prospectId=person_{long_id}"), "prospectId", "\"person_xxx", "1 to 200 bytes"),
        ("prospect=%20".into(), "prospect", "missing", "1 to 300 characters once folded"),
        (format!("prospect={}", "x".repeat(301)), "prospect", "\"xxx", "1 to 300 characters once folded"),
        ("prospect=Pia&prospect=Pia".into(), "prospect", "\"Pia\"", once),
        ("prospect=Pia&prospectName=Pia".into(), "prospect", "\"Pia\"", one_target),
        ("prospect=Pia&prospectNameAt=x".into(), "prospectNameAt", "\"x\"", "prospectName"),
        ("prospectEmail=%20".into(), "prospectEmail", "missing", email),
        ("prospectEmail=pia.example".into(), "prospectEmail", "\"pia.example\"", email),
        ("prospectEmail=a@b&prospectEmail=a@b".into(), "prospectEmail", "\"a@b\"", once),
        (format!("prospectEmail=a@{}", "b".repeat(253)), "prospectEmail", "\"a@bbb", email),
        ("prospectName=Pia&prospectNameAt=".into(), "prospectNameAt", "missing", text),
        (format!("prospectName=Pia&prospectNameAt={long_name}"), "prospectNameAt", &long_name_shown, text),
        ("prospectName=Pia&prospectNameAt=a&prospectNameAt=a".into(), "prospectNameAt", "\"a\"", once),
        (format!("{pia}&prospectNameAt=Copper+Mill"), "prospectNameAt", "\"Copper Mill\"", "prospectName"),
        ("prospectCompany=x&prospectNameAt=".into(), "prospectNameAt", "\"\"", "prospectName"),
        ("prospectNameAt=Copper+Mill".into(), "prospectName", "missing", one_target),
        (format!("{pia}&position=head"), "position", "\"head\"", company),
        ("prospectId=person_pia&position=".into(), "position", "\"\"", company),
        ("prospectCompany=x&position=".into(), "position", "missing", folded),
        ("prospectCompany=x&position=%CC%81".into(), "position", "\"\u{301}\"", folded),
        ("prospectId=company_x&position=a&position=a".into(), "position", "\"a\"", once),
        (format!("prospectCompany=x&position={long_name}"), "position", &long_name_shown, folded),
        // Whole numbers.
        (format!("{pia}&limit=0"), "limit", "\"0\"", whole),
        (format!("{pia}&limit=51"), "limit", "\"51\"", whole),
        (format!("{pia}&limit=-1"), "limit", "\"-1\"", whole),
        (format!("{pia}&limit=%2B5"), "limit", "\"+5\"", whole),
        (format!("{pia}&limit=+5"), "limit", "\" 5\"", whole),
        (format!("{pia}&limit=20.0"), "limit", "\"20.0\"", whole),
        (format!("{pia}&limit=1e1"), "limit", "\"1e1\"", whole),
        (format!("{pia}&limit=%D9%A3"), "limit", "\"٣\"", whole),
        (format!("{pia}&limit=0x10"), "limit", "\"0x10\"", whole),
        (format!("{pia}&limit="), "limit", "\"\"", whole),
        (format!("{pia}&limit=4294967297"), "limit", "\"4294967297\"", whole),
        (format!("{pia}&limit=18446744073709551617"), "limit", "\"18446744073709551617\"", whole),
        (format!("{pia}&limit=5&limit=5"), "limit", "\"5\"", once),
        (format!("{pia}&offset=-1"), "offset", "\"-1\"", offsets),
        (format!("{pia}&offset=1.5"), "offset", "\"1.5\"", offsets),
        (format!("{pia}&offset=ten"), "offset", "\"ten\"", offsets),
        (format!("{pia}&offset="), "offset", "\"\"", offsets),
        (format!("{pia}&offset=0&offset=0"), "offset", "\"0\"", once),
        // Choices: to the letter, once, in both modes.
        (format!("{pia}&scope=all"), "scope", "\"all\"", "organization, me"),
        (format!("{pia}&scope=ME"), "scope", "\"ME\"", "organization, me"),
        (format!("{pia}&scope="), "scope", "\"\"", "organization, me"),
        (format!("{pia}&scope=me&scope=me"), "scope", "\"me\"", once),
        (format!("{pia}&includeIntroRequested=TRUE"), "includeIntroRequested", "\"TRUE\"", "true, false"),
        (format!("{pia}&includeIntroRequested=1"), "includeIntroRequested", "\"1\"", "true, false"),
        (format!("{pia}&includeIntroRequested="), "includeIntroRequested", "\"\"", "true, false"),
        (
            "prospectCompany=x&includeIntroRequested=no".into(),
            "includeIntroRequested",
            "\"no\"",
            "true, false",
        ),
        (
            format!("{pia}&includeIntroRequested=true&includeIntroRequested=true"),
            "includeIntro",
            "true",
            once,
        ),
        // Lists: an element is never empty, and always known.
        (format!("{pia}&fromUserIds=user_zoe"), "fromUserIds", "\"user_zoe\"", members),
        (format!("{pia}&fromUserIds=person_zoe"), "fromUserIds", "\"person_zoe\"", members),
        (format!("{pia}&fromUserIds=person_hal"), "fromUserIds", "\"person_hal\"", members),
        (format!("{pia}&fromUserIds=USER_ANA"), "fromUserIds", "\"USER_ANA\"", members),
        (format!("{pia}&fromUserIds=user_ana,user_zoe"), "fromUserIds", "\"user_zoe\"", members),
        (format!("{pia}&fromUserIds=user_ana&fromUserIds=user_zoe"), "fromUserIds", "\"user_zoe\"", members),
        (format!("{pia}&fromUserIds="), "fromUserIds", "\"\"", members),
        (format!("{pia}&fromUserIds=user_ana,"), "fromUserIds", "\"\"", members),
        (format!("{pia}&fromUserIds=,user_ana"), "fromUserIds", "\"\"", members),
        (format!("{pia}&fromUserIds={long_id}"), "fromUserIds", &long_id_shown, members),
        (format!("{pia}&connectionTypes=third_degree"), "connectionTypes", "\"third_degree\"", types),
        (format!("{pia}&connectionTypes=Direct"), "connectionTypes", "\"Direct\"", types),
        (format!("{pia}&connectionTypes="), "connectionTypes", "\"\"", types),
        (format!("{pia}&connectionTypes=direct,,advocate"), "connectionTypes", "\"\"", types),
        (format!("{pia}&connectionTypes=direct&connectionTypes=x"), "connectionTypes", "\"x\"", types),
        // Encoding, also of what is ignored otherwise.
        ("prospectName=%".into(), "prospectName", "\"%\"", encoding),
        ("prospectName=100%25%2".into(), "prospectName", "\"100%25%2\"", encoding),
        ("prospectName=%zz".into(), "prospectName", "\"%zz\"", encoding),
        ("prospectName=%C3%28".into(), "prospectName", "\"%C3%28\"", encoding),
        (format!("{pia}&colour=%ff"), "colour", "\"%ff\"", encoding),
        (format!("{pia}&%ff=blue"), "a parameter's name", "\"%ff=blue\"", encoding),
    ] {
        let sentence = tiny.refusal(&query).await;
        for part in [named, sent, accepted] {
            assert!(sentence.contains(part), "{query}: {sentence} lacks {part}");
        }
    }
}

#[tokio::test]
async fn at_most_a_hundred_characters_of_what_was_sent_are_repeated() {
    let tiny = Tiny::serve();
    for query in ["prospectName", "limit", "offset", "scope", "fromUserIds", "connectionTypes"] {
        let (other, sent) = (if query == "prospectName" { "" } else { "prospectName=Pia&" }, "é".repeat(300));
        let sentence = tiny.refusal(&format!("{other}{query}={sent}")).await;
        assert_eq!(sentence.matches('é').count(), 100, "{query}: {sentence}");
    }
    // Also of a name.
    let sentence = tiny.refusal(&format!("prospectName=Pia&{}=%ff", "é".repeat(300))).await;
    assert_eq!(sentence.matches('é').count(), 100, "{sentence}");
}

#[tokio::test]
async fn what_the_contract_allows_is_not_refused() {
    let tiny = Tiny::serve();
    let pia = "prospectLinkedinId=pia-weiss";
    for query in [
        pia.to_owned(),
        format!("&&{pia}&"),
        format!("{pia}&colour=blue&colour=red&Limit=0&page=0"),
        format!("{pia}&limit=1"),
        format!("{pia}&limit=0050&offset=00"),
        format!("{pia}&offset=18446744073709551615"),
        format!("{pia}&scope=organization&includeIntroRequested=true"),
        format!("{pia}&fromUserIds=user_ana,person_ben&fromUserIds=user_ana"),
        format!("{pia}&connectionTypes=direct,direct&connectionTypes=advocate"),
        "%70rospectLinkedinId=pia%2Dweiss&limit=%31".to_owned(),
        format!("prospectName={}", "%C3%A9".repeat(200)),
        format!("prospectLinkedinId={}", "x".repeat(200)),
        format!("prospectLinkedinId=https://www.linkedin.com/in/pia-weiss?{}", "x".repeat(200)),
        "prospectName=,+.".to_owned(),
        format!("prospectId=person_{}", "x".repeat(193)),
        "prospectId=company_".to_owned(),
        format!("prospect={}+++", "%C3%A9".repeat(300)),
        format!("prospectEmail=+@{}+", "b".repeat(253)),
        "prospectName=Pia&prospectNameAt=,".to_owned(),
        format!("prospectCompany=x&position={}", "%C3%A9".repeat(200)),
    ] {
        let answer = tiny.with_key(&query).await;
        assert_eq!(answer.status, 200, "{query}: {}", String::from_utf8_lossy(&answer.bytes));
        assert_eq!(envelope_faults(&answer), [""; 0], "{query}");
    }
    let token = tiny.credentials.token("org_tiny", "user_ana");
    assert_eq!(tiny.served.get(&format!("{GOOD}&scope=me"), &token).await.status, 200);
}
