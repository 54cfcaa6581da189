//! Each kind of change, in text graphs.

use super::*;
use crate::query::paths::request::PathType;
use crate::sketch::net;

/// `kind name: before => after` for each change of everybody.
fn changes(old: &str, new: &str) -> Vec<String> {
    changes_within(&Limits::DEFAULT, old, new)
}

fn changes_within(limits: &Limits, old: &str, new: &str) -> Vec<String> {
    let (old, new) = (net(old), net(new));
    let comparison = Comparison::new(&old, &new, limits);
    let people: Vec<_> = comparison.everybody().collect();
    let changes = comparison.changes(&people);
    let mut noted = Vec::new();
    people.iter().for_each(|&person| comparison.note(person, &mut noted));
    assert_eq!(
        comparison.look_up(&noted).collect::<Vec<_>>(),
        changes,
        "what is noted is looked up as it was"
    );
    changes.iter().map(line).collect()
}

fn line(change: &Change<'_>) -> String {
    let value = |value: Option<ChangedValue<'_>>| match value {
        None => "-".to_owned(),
        Some(ChangedValue::Path(path)) => {
            let over = if path.kind == PathType::Direct { "" } else { path.connector.name };
            format!("{} {} {over}", path.warmness, path.from.name).trim_end().to_owned()
        }
        Some(ChangedValue::Position(position)) => position.to_owned(),
        Some(ChangedValue::Company(company)) => company.id.to_owned(),
    };
    let (before, after) = (value(change.before), value(change.after));
    format!("{} {}: {before} => {after}", change.kind.name(), change.person.name)
}

#[test]
fn each_kind_of_change_is_reported_and_nothing_else() {
    let before = "member ann, bea
        ann -80-> bob -50-> dan
        bea -60-> cay -50-> dan
        eve";
    let cases: [(&str, &str, &[&str]); 12] = [
        ("nothing", before, &[]),
        ("a new edge", &format!("{before}\nbob -50-> eve"), &["reachable eve: - => 40 ann bob"]),
        ("a new person", &format!("{before}\nann -10-> fay"), &["reachable fay: - => 10 ann"]),
        (
            "an edge less",
            "member ann, bea\nann -80-> bob -50-> dan\nbea\ncay -50-> dan\neve",
            &["unreachable cay: 60 bea => -"],
        ),
        (
            "a person less",
            "member ann, bea\nann -80-> bob\nbea -60-> cay\neve",
            &["unreachable dan: 40 ann bob => -"],
        ),
        (
            "a warmer edge",
            "member ann, bea\nann -80-> bob -60-> dan\nbea -60-> cay -50-> dan\neve",
            &["warmer dan: 40 ann bob => 48 ann bob"],
        ),
        (
            "a colder edge",
            "member ann, bea\nann -80-> bob -50-> dan\nbea -50-> cay -50-> dan\neve",
            &["colder cay: 60 bea => 50 bea"],
        ),
        (
            "another connector, as warm",
            "member ann, bea\nann -80-> bob -37-> dan\nbea -60-> cay -66-> dan\neve",
            &["connector dan: 40 ann bob => 40 bea cay"],
        ),
        (
            "another connector, and colder",
            "member ann, bea\nann -80-> bob -30-> dan\nbea -60-> cay -50-> dan\neve",
            &["colder dan: 40 ann bob => 30 bea cay", "connector dan: 40 ann bob => 30 bea cay"],
        ),
        ("a direct path that is colder than another one", &format!("{before}\nann -10-> dan"), &[]),
        (
            "a position and a company",
            &format!("{before}\ndan (position: CFO) @ acme"),
            &["position dan: - => CFO", "company dan: - => company_acme"],
        ),
        ("a stranger", &format!("{before}\neve (position: CFO) @ acme\nfay -> gus"), &[]),
    ];
    for (what, after, expected) in cases {
        assert_eq!(changes(before, after), expected, "{what}");
    }
}

#[test]
fn positions_and_companies_are_compared_by_text_and_by_id() {
    let at = |who: &str| format!("member ann\nann -80-> {who}");
    for (old, new, expected) in [
        ("bob (position: CFO)", "bob (position: CFO)", &[][..]),
        ("bob (position: CFO)", "bob (position: cfo)", &["position bob: CFO => cfo"]),
        ("bob (position: CFO)", "bob", &["position bob: CFO => -"]),
        ("bob @ acme", "bob @ acme (name: Acme Ltd)", &[]),
        ("bob @ acme", "bob @ globex", &["company bob: company_acme => company_globex"]),
        ("bob @ acme", "bob", &["company bob: company_acme => -"]),
    ] {
        assert_eq!(changes(&at(old), &at(new)), expected, "{old} => {new}");
    }
}

#[test]
fn everybody_is_who_is_of_first_or_second_degree_in_either() {
    // zoe is outside in both, so she has no changes; dan is outside in one, so all of his are listed.
    let old = "member ann\nann -80-> bob -50-> dan (position: CFO)\nzoe (position: CFO)";
    let new = "member ann\nann -80-> bob\ndan (position: CEO)\nzoe (position: CEO)";
    let expected = ["unreachable dan: 40 ann bob => -", "position dan: CFO => CEO"];
    assert_eq!(changes(old, new), expected);
    let back = ["reachable dan: - => 40 ann bob", "position dan: CEO => CFO"];
    assert_eq!(changes(new, old), back);
}

#[test]
fn changes_come_by_id_then_by_kind() {
    let old = "member ann\nann -80-> dan\nann -80-> bob";
    let new = "member ann\nann -90-> dan @ acme\nann -70-> bob (position: CFO)\nann -> cay";
    let expected = [
        "colder bob: 80 ann => 70 ann",
        "position bob: - => CFO",
        "reachable cay: - => 0 ann",
        "warmer dan: 80 ann => 90 ann",
        "company dan: - => company_acme",
    ];
    assert_eq!(changes(old, new), expected);
    assert!(ChangeKind::ALL.is_sorted() && ChangeKind::ALL.len() == 7);
}

#[test]
fn paths_are_looked_for_within_the_bounds() {
    let old = "member ann\nann -80-> bob -50-> dan\nzoe -> dan";
    let new = "member ann\nann -80-> bob -50-> dan\nzoe -60-> dan";
    let one = Limits { edges_per_target: 1, ..Limits::DEFAULT };
    assert_eq!(changes_within(&one, old, new), ["unreachable dan: 40 ann bob => -"]);
    // The control: with room for both edges the path is found.
    assert_eq!(changes(old, new), [""; 0]);
}

#[test]
fn targets_are_looked_up_in_the_later_network_first_and_companies_are_their_employees_in_either() {
    let old = net("member ann\nbob (position: CFO) @ acme\ncay (name: Cay Lee) @ acme\ndan @ globex\nold");
    let new = net("member ann\nbob (position: CFO)\ncay @ acme\ndan (position: CFO) @ acme\nnew");
    let comparison = Comparison::new(&old, &new, &Limits::DEFAULT);
    let names = |target, position| {
        let people = comparison.people_of(target, position)?;
        Some(people.into_iter().map(|who| comparison.id_of(who)).collect::<Vec<_>>().join(" "))
    };
    for (target, position, expected) in [
        (TargetQuery::PersonId("person_new"), None, Some("person_new")),
        (TargetQuery::PersonId("person_old"), None, Some("person_old")),
        (TargetQuery::PersonId("person_none"), None, None),
        (TargetQuery::Name("Cay Lee"), None, Some("person_cay")),
        (TargetQuery::CompanyId("company_acme"), None, Some("person_bob person_cay person_dan")),
        (TargetQuery::Company("acme"), Some("cfo"), Some("person_bob person_dan")),
        (TargetQuery::CompanyId("company_globex"), None, Some("person_dan")),
        (TargetQuery::CompanyId("company_none"), None, None),
    ] {
        assert_eq!(names(target, position).as_deref(), expected, "{target:?}");
    }
}
