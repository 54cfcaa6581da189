//! Identity over files of several kinds: which rows are one person, and which addresses are not a person.
//!
//! Promise: Addresses of several people, of roles and machines join nobody, in one file or in two; a mailbox in any
//!   spelling, an East Asian name with a space or without, and one's own further address join.
//! Control: each list has those who stay apart, or are people, beside those who do not.
//! Also in: `crates/kith-import/src/identity`.

use super::Bench;

const TEAM: &str = "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                    role = \"admin\"\n";

const GOOGLE: &str = "First Name,Middle Name,Last Name,Organization Name,Organization Title,Labels,\
                      E-mail 1 - Label,E-mail 1 - Value\n";

/// The people of the import of `files`, by name, without the member; `keys` are further lines of the member's section.
fn people(files: &[(&str, &str)], keys: &str) -> Vec<String> {
    let names: Vec<String> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let team = format!("{TEAM}files = [{}]\n{keys}\n", names.join(", "));
    let bench = Bench::new(&[files, &[("team.toml", &team)]].concat());
    let ended = bench.import("team.toml", "tables", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let text = std::fs::read_to_string(bench.path("tables/people.ndjson")).unwrap();
    let name = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["name"].as_str().unwrap().to_owned()
    };
    let mut names: Vec<String> = text.lines().map(name).collect();
    names.sort();
    names
}

fn card(name: &str, email: &str) -> String {
    format!("BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nEMAIL:{email}\nEND:VCARD\n")
}

fn google(rows: &[(&str, &str, &str)]) -> String {
    let rows =
        rows.iter().map(|(first, last, email)| format!("{first},,{last},,,* myContacts,* Work,{email}\n"));
    format!("{GOOGLE}{}", rows.collect::<String>())
}

fn mail(from: &str, to: &str, day: u32) -> String {
    format!(
        "From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\n\
         Date: Tue, {day} Mar 2024 09:14:00 +0000\n\nhello\n\n"
    )
}

#[test]
fn an_address_of_several_given_names_joins_nobody_in_one_file_or_in_two() {
    let mine = google(&[
        ("Nora", "Berg", "family@berg.example"),
        ("Robert", "Quist", "rq@quist.example"),
        ("Kat", "Olsen", "kat@olsen.example"),
        ("Lee", "Ann", "ann@lee.example"),
    ]);
    let cards = [
        card("Tor Berg", "family@berg.example"),
        card("Bob Quist", "rq@quist.example"),
        card("Katarina Olsen", "kat@olsen.example"),
        card("Ann Lee", "ann@lee.example"),
    ];
    let found = people(&[("mine.csv", &mine), ("cards.vcf", &cards.concat())], "");
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(["Nora Berg", "Tor Berg"].iter().all(|name| found.contains(&(*name).to_owned())), "{found:?}");
}

#[test]
fn a_mailbox_is_one_in_any_spelling() {
    let mine = google(&[
        ("Nora", "Berg", "nora.berg@gmail.com"),
        ("Ida", "Holt", "ida+news@holt.example"),
        ("Max", "Orr", "m.ax@orr.example"),
    ]);
    let cards = [
        card("N. Berg", "norab.erg+x@googlemail.com"),
        card("I. Holt", "ida@holt.example"),
        // The control: elsewhere a full stop makes another mailbox.
        card("M. Orr", "max@orr.example"),
    ];
    let found = people(&[("mine.csv", &mine), ("cards.vcf", &cards.concat())], "");
    assert_eq!(found.len(), 1 + 2 + 2, "{found:?}");
}

#[test]
fn an_east_asian_name_is_one_with_a_space_and_without() {
    let row = |first: &str, last: &str, company: &str| format!("{first},,{last},{company},,* myContacts,,\n");
    let mine = format!("{GOOGLE}{}{}", row("민준", "김", "Hanul"), row("花子", "鈴木", "Sora"));
    let card = |name: &str, company: &str| {
        format!("BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nORG:{company}\nEND:VCARD\n")
    };
    // The control: another name at the same company stays.
    let cards = [card("김민준", "Hanul"), card("鈴木花子", "Sora"), card("鈴木花代", "Sora")];
    let found = people(&[("mine.csv", &mine), ("cards.vcf", &cards.concat())], "");
    assert!((4..=5).contains(&found.len()), "{found:?}");
}

#[test]
fn machines_and_departments_are_nobody_and_people_are() {
    let ana = "Ana Ruiz <ana@acme.example>";
    let roles = ["receipts@a.example", "rechnung@b.example", "sales.eu@c.example", "reply+a1b2@d.example"];
    let all: String = roles
        .iter()
        .copied()
        .chain(["rosa.berg@a.example"])
        .flat_map(|email| {
            [mail(ana, &format!("Some Name <{email}>"), 12), mail(&format!("Some Name <{email}>"), ana, 13)]
        })
        .collect();
    assert_eq!(people(&[("mail.mbox", &all)], ""), ["Ana Ruiz", "Some Name"]);
}

#[test]
fn ones_own_further_address_is_oneself_said_or_seen() {
    let (ana, home) = ("Ana Ruiz <ana@acme.example>", "Ana Ruiz <ana.r@home.example>");
    let otto = "Otto Real <otto@real.example>";
    let all = [mail(ana, home, 11), mail(home, ana, 12), mail(home, otto, 13), mail(otto, home, 14)].concat();
    assert_eq!(people(&[("mail.mbox", &all)], ""), ["Ana Ruiz", "Otto Real"]);
    assert_eq!(
        people(&[("mail.mbox", &all)], "emails = [\"ana.r@home.example\"]"),
        ["Ana Ruiz", "Otto Real"]
    );
    // The control: a namesake who writes to Ana is another person.
    let namesake = [mail(ana, home, 11), mail(home, ana, 12)].concat();
    assert_eq!(people(&[("mail.mbox", &namesake)], "").len(), 2);
}

#[test]
fn who_may_be_one_is_proposed_and_not_asked_again_once_it_is_answered() {
    let mine = format!(
        "{GOOGLE}Nora,,Berg,Kestrel,,* myContacts,* Work,nora@kestrel.example\nMax,,Orr,Kestrel,,* myContacts,,\n"
    );
    let cards = [
        card("Nora Berg", "nora.berg@gmail.com"),
        card("Nora Holt", "holt@one.example"),
        card("Max J. Orr", "mj@orr.example"),
        card("Max K. Orr", "mk@orr.example"),
    ];
    let team = format!("{TEAM}files = [\"mine.csv\", \"cards.vcf\"]\n");
    let bench = Bench::new(&[("mine.csv", &mine), ("cards.vcf", &cards.concat()), ("team.toml", &team)]);
    let import = |more: &[&str]| {
        let ended = bench.import("team.toml", "tables", more);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let text = std::fs::read_to_string(bench.path("tables/doubles.ndjson")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<serde_json::Value>>()
    };
    let doubles = import(&[]);
    let text = std::fs::read_to_string(bench.path("tables/people.ndjson")).unwrap();
    let people: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pair = |row: &serde_json::Value| {
        let name = |key: &str| {
            let person = people.iter().find(|person| person["id"] == row[key]).unwrap();
            person["name"].as_str().unwrap().to_owned()
        };
        let mut names = [name("a"), name("b")];
        names.sort();
        names.join(" + ")
    };
    // Two middle names are two people; a name alone, and one of another family, is no double.
    let pairs: Vec<String> = doubles.iter().map(pair).collect();
    assert_eq!(doubles.len(), 3, "{pairs:?}");
    assert_eq!(doubles.iter().filter(|row| pair(row).contains("Holt")).count(), 0);
    assert!(doubles.is_sorted_by_key(|row| -(row["score"].as_f64().unwrap() * 100.0) as i64), "{doubles:?}");
    let said = crate::program::run_well(&["doubles", "--tables", bench.path("tables").to_str().unwrap()]);
    assert!(said.contains("Nora Berg") && said.contains("the same name"), "{said}");

    let overrides: String = doubles
        .iter()
        .zip(["same", "apart", "apart"])
        .map(|(row, answer)| format!("[[{answer}]]\npeople = [{}, {}]\n", row["a"], row["b"]))
        .collect();
    bench.put("overrides.toml", &overrides);
    let path = bench.path("overrides.toml").to_str().unwrap().to_owned();
    assert_eq!(import(&["--overrides", &path]), [serde_json::Value::Null; 0]);
}

/// A card of a phone book: a name, a phone number, and an address and a company if they are not empty.
fn phone_card(name: &str, phone: &str, email: &str, company: &str) -> String {
    let line = |key: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{key}:{text}\n") }
    };
    let lines = line("TEL", phone) + &line("EMAIL", email) + &line("ORG", company);
    format!("BEGIN:VCARD\nVERSION:3.0\nFN:{name}\n{lines}END:VCARD\n")
}

#[test]
fn a_phone_number_joins_as_an_address_does_and_is_written_nowhere() {
    for (one, other, are_one) in [
        (("Fay Lind", "+46 70 123 45 67"), ("Fay Lind", "070-1234567"), true),
        (("Robert Quist", "0046701234567"), ("Bob Quist", "+46 (70) 123-4567"), true),
        (("Maria Garcia Lopez", "+34 91 1234567"), ("Maria Garcia", "911234567"), true),
        (("Jenny Huang", "+86 8610 581484"), ("Huang Jenny", "8610581484"), true),
        (("Sabine", "+49 30 12345678"), ("Sabine Krause", "030 12345678"), true),
        // Two of a family, two at a switchboard, and two numbers.
        (("Nora Berg", "+47 22 334455"), ("Tor Berg", "+47 22 334455"), false),
        (("Ann Lee", "+1 555 010 2030"), ("Ann Moe", "+1 555 010 2030"), false),
        (("Kim Roe", "+45 33 112233"), ("Kim Roe", "+45 33 112244"), false),
        (("Kim Roe", "4711"), ("Kim Roe", "4711"), false),
    ] {
        let with = |mail: &str, (name, phone): (&str, &str)| phone_card(name, phone, mail, "");
        let mine = with("one@one.example", one);
        let cards = with("two@two.example", other);
        let found = people(&[("mine.vcf", &mine), ("cards.vcf", &cards)], "");
        assert_eq!(found.len(), if are_one { 2 } else { 3 }, "{one:?} {other:?}: {found:?}");
    }
    let bench = Bench::new(&[
        ("one.vcf", &phone_card("Fay Lind", "+46 70 123 45 67", "", "")),
        ("two.vcf", &phone_card("Fay Lind", "070-1234567", "fay@lind.example", "")),
        ("team.toml", &format!("{TEAM}files = [\"one.vcf\", \"two.vcf\"]\n")),
    ]);
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let rule = "name and phone number";
    assert!(std::fs::read_to_string(bench.path("tables/identities.ndjson")).unwrap().contains(rule));
    for file in std::fs::read_dir(bench.path("tables")).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("1234567") && !text.contains("34567"), "{}", file.display());
    }
}

#[test]
fn a_name_at_a_company_is_one_however_both_are_written() {
    for (one, other, are_one) in [
        (("Hye-rin Kang", "Fjord Labs"), ("Hye rin Kang", "Fjord Labs"), true),
        (("Andrés Zamorano Navarro", "Umbra S.L."), ("Andres Zamorano", "Umbra"), true),
        (("Kristina Åkesson", "Umbra"), ("Kristina Aakesson", "Umbra"), true),
        (("GeneviÃ¨ve Aubert", "Umbra"), ("Geneviève Aubert", "Umbra"), true),
        (("Katarzyna Zak", "Umbra"), ("Kasia Żak", "Umbra"), true),
        (("Ines Pohl", "Fjord & Sable Holding AG"), ("Ines Pohl", "Fjord & Sable"), true),
        (("Ines Pohl", "Cirrus Labs"), ("Ines Pohl", "cirruslabs.io"), true),
        (("Ines Pohl", "Umbra – we're hiring!"), ("Ines Pohl", "Umbra GmbH"), true),
        (("María García López", "Umbra"), ("María García Pérez", "Umbra"), false),
        (("Ana Maria Souza", "Umbra"), ("Ana Paula Souza", "Umbra"), false),
        (("Ines Pohl", "Umbra Labs"), ("Ines Pohl", "Umbra"), false),
        (("Ines Pohl", "Stealth Startup"), ("Ines Pohl", "Stealth Startup"), false),
    ] {
        let with = |mail: &str, (name, company): (&str, &str)| phone_card(name, "", mail, company);
        let cards = [with("one@gmail.com", one), with("two@gmx.de", other)].concat();
        let found = people(&[("cards.vcf", &cards)], "");
        assert_eq!(found.len(), if are_one { 2 } else { 3 }, "{one:?} {other:?}: {found:?}");
    }
}

#[test]
fn one_address_under_two_given_names_and_a_name_turned_round_are_proposed_and_no_pair_that_follows() {
    let cards = [
        phone_card("Matze Rossler", "", "m.rossler@umbra.example", ""),
        phone_card("Xaver Rossler", "", "m.rossler@umbra.example", ""),
        phone_card("Jenny Huang", "", "jh@one.example", "Umbra"),
        phone_card("Huang Jenny", "", "jh@gmail.com", ""),
        phone_card("Ida Holt", "", "ida1@gmail.com", ""),
        phone_card("Ida Holt", "", "ida2@gmail.com", ""),
        phone_card("Ida Holt", "", "ida3@gmail.com", ""),
    ];
    let bench = Bench::new(&[
        ("cards.vcf", &cards.concat()),
        ("team.toml", &format!("{TEAM}files = [\"cards.vcf\"]\n")),
    ]);
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let text = std::fs::read_to_string(bench.path("tables/doubles.ndjson")).unwrap();
    let count = |reason: &str| text.lines().filter(|line| line.contains(reason)).count();
    assert_eq!(count("the same address and family name"), 1, "{text}");
    assert_eq!(count("the name the other way round"), 1, "{text}");
    assert_eq!(count("\"the same name\""), 2, "of three who may all be one, two answers are enough: {text}");
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[test]
fn one_phone_number_and_nearly_one_name_among_the_contacts_of_one_owner_are_proposed() {
    let cards = [
        phone_card("Nora Berg", "+47 22 334455", "nora.berg@gmail.com", ""),
        phone_card("Tor Berg", "+47 22 334455", "tor.berg@gmail.com", ""),
        phone_card("Frédéric Lefebvre", "", "", "Umbra"),
        phone_card("Frederic Lefebrve", "", "", ""),
        phone_card("Anna Holt", "", "", "Lantern"),
        phone_card("Holt Anna", "", "", ""),
        // The controls: two at a switchboard, and nearly one name at two companies.
        phone_card("Petra Vogt", "+49 30 5551234", "", ""),
        phone_card("Uwe Lang", "+49 30 5551234", "", ""),
        phone_card("Ines Pohl", "", "", "Quill"),
        phone_card("Ines Pohll", "", "", "Kestrel"),
    ];
    let bench = Bench::new(&[
        ("cards.vcf", &cards.concat()),
        ("team.toml", &format!("{TEAM}files = [\"cards.vcf\"]\n")),
    ]);
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let text = std::fs::read_to_string(bench.path("tables/doubles.ndjson")).unwrap();
    for reason in ["the same phone number", "a name like it", "the name the other way round"] {
        assert_eq!(text.lines().filter(|line| line.contains(reason)).count(), 1, "{reason} in {text}");
    }
    assert_eq!(text.lines().count(), 3, "{text}");
}
