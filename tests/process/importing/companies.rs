//! The company of a person: by the domain of their address, in the cell of their name, and in any spelling.
//!
//! Promise: A person whom no row gives a company is at that of their address's domain, public hosts of mail excepted; a
//!   domain whose label is a company's name is that company's; a company in the cell of a name is read if another row
//!   names it; who may be one by a part of the name is proposed.
//! Control: the same rows with another domain, another company or a public host.

use serde_json::Value;

use super::{Bench, LINKEDIN};
use crate::program::run_well;

const TEAM: &str = "[organization]\nname = \"Acme\"\n[[members]]\nname = \"Ana Ruiz\"\nemail = \"ana@acme.example\"\n\
                    files = [\"Connections.csv\", \"more.csv\"]\n";

fn rows(bench: &Bench, table: &str) -> Vec<Value> {
    let text = bench.text(&format!("tables/{table}.ndjson"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether the row `more` is of the person of the connection `first`, or may be.
fn outcome(first: &str, more: &str) -> &'static str {
    let bench = Bench::new(&[
        ("Connections.csv", &format!("{LINKEDIN}{first}\n")),
        ("more.csv", &format!("Name,Mail,Firm\n{more}\n")),
        ("team.toml", TEAM),
    ]);
    let ended = bench.import("team.toml", "tables", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let has =
        |person: &Value, file: &str| person["rows"].as_array().unwrap().iter().any(|row| row["file"] == file);
    let identities = rows(&bench, "identities");
    if identities.iter().any(|it| has(it, "Connections.csv") && has(it, "more.csv")) {
        return "one";
    }
    if rows(&bench, "doubles").is_empty() { "two" } else { "proposed" }
}

#[test]
fn a_row_is_of_the_person_of_its_company_however_that_is_written() {
    let orr = "Max,Orr,https://www.linkedin.com/in/max-orr,,Fjord Analytics,CEO,01 Feb 2024";
    for (more, expected) in [
        ("Max Orr,max.orr@fjordanalytics.example,", "one"),
        ("Max Orr,max@fjord-analytics.example,", "one"),
        ("Max,max.orr@fjordanalytics.example,", "one"),
        ("Max Orr (Fjord Analytics),,", "one"),
        ("Max Orr [Fjord Analytics GmbH],,", "one"),
        ("Max Orr – Fjord Analytics,,", "one"),
        ("\"Max Orr, Fjord Analytics\",,", "one"),
        ("Max Orr,,Fjord Analytics (acquired by Kelp)", "one"),
        ("Max Orr,,Fjord Analytics (fjord.example)", "one"),
        ("\"ORR, Max\",,FJORD ANALYTICS S.A. DE C.V.", "one"),
        // A part of a name that one colleague knows at that company is that person's; one like it is asked about.
        ("Max,max@fjordanalytics.example,", "one"),
        ("Max (Fjord Analytics),,", "one"),
        ("M. Orr,,Fjord Analytics", "one"),
        ("Max Orr-Lind,,Fjord Analytics", "two"),
        ("Max Orr,max.orr@gmail.com,", "proposed"),
        ("Max Orr,max@corvid.example,", "proposed"),
        // The controls.
        ("Eva Orr,eva.orr@fjordanalytics.example,", "two"),
        ("Max,max.lind@fjordanalytics.example,", "proposed"),
        ("Max,max.orr@corvid.example,", "two"),
        ("Max (Corvid),,", "two"),
        ("K. Orr,,Fjord Analytics", "two"),
        ("Max Berg (Fjord Analytics),,", "two"),
    ] {
        assert_eq!(outcome(orr, more), expected, "{more}");
    }
    let berg = "Anna,Berglund-Lind,https://www.linkedin.com/in/anna,,Fjord Analytics,CEO,01 Feb 2024";
    for (more, expected) in [
        ("Anna Berglund,,Fjord Analytics", "proposed"),
        ("Anna Berglund-Lindh,,Fjord Analytics", "proposed"),
        ("Anna Berglund,,Corvid", "two"),
        ("Anna Bergen,,Fjord Analytics", "two"),
    ] {
        assert_eq!(outcome(berg, more), expected, "{more}");
    }
}

#[test]
fn a_mailbox_alone_can_be_asked_for_a_company_and_a_public_host_is_none() {
    let head = |from: &str, to: &str, day: u32| {
        format!(
            "From x@y.example Mon Mar 11 09:14:00 2024\nFrom: {from}\nTo: {to}\nDate: {day} Mar 2024 09:14:00 +0000\n\n\n"
        )
    };
    let (ana, bo, cy, di) = (
        "ana@acme.example",
        "Bo Hart <bo@hart.example>",
        "Cy Lind <cy@mail.hart.example>",
        "Di Moe <di.moe@gmx.net>",
    );
    let mail: String =
        [bo, cy, di].iter().flat_map(|other| [head(ana, other, 3), head(other, ana, 4)]).collect();
    let bench = Bench::new(&[
        ("all.mbox", &mail),
        ("team.toml", &TEAM.replace("\"Connections.csv\", \"more.csv\"", "\"all.mbox\"")),
    ]);
    let snapshot = bench.path("acme.kith");
    let snapshot = snapshot.to_str().unwrap();
    let ended = bench.import("team.toml", "tables", &["--out", snapshot]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let companies = rows(&bench, "companies");
    let hart = companies.iter().find(|company| company["name"] == "hart.example").unwrap();
    assert_eq!(hart["domain"], "hart.example");
    let of = |name: &str| {
        let people = rows(&bench, "people");
        people.iter().find(|person| person["name"] == name).unwrap()["currentCompanyId"].clone()
    };
    // A domain below it is its own.
    assert_eq!(
        [of("Bo Hart"), of("Cy Lind"), of("Di Moe")],
        [hart["id"].clone(), hart["id"].clone(), Value::Null]
    );
    let found: Value =
        serde_json::from_str(&run_well(&["path", snapshot, "hart.example", "--json"])).unwrap();
    assert_eq!(found["data"]["totalCount"], 2, "{found}");
    // Named better as soon as a row does, with the same id.
    bench.put(
        "Connections.csv",
        &format!(
            "{LINKEDIN}Bo,Hart,https://www.linkedin.com/in/bo,bo@hart.example,Hart & Sons,CEO,01 Feb 2024\n"
        ),
    );
    bench.put("team.toml", &TEAM.replace("\"more.csv\"", "\"all.mbox\""));
    assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
    let named = rows(&bench, "companies");
    let named = named.iter().find(|company| company["name"] == "Hart & Sons").unwrap();
    assert_eq!(of("Cy Lind"), named["id"]);
}

#[test]
fn the_place_of_an_address_is_kept_a_home_before_an_office_and_that_of_most_rows() {
    let outlook = "First Name,Last Name,E-mail Address,Business City,Business Country/Region,Home City,Home Country/Region";
    let google = "First Name,Middle Name,Last Name,Organization Name,Labels,E-mail 1 - Value,Address 1 - City,Address 1 - Country";
    let card = |city: &str| {
        format!(
            "BEGIN:VCARD\nVERSION:3.0\nFN:Max Orr\nEMAIL:max@orr.example\nADR:;;1 Quay;{city};;;Norway\nEND:VCARD\n"
        )
    };
    for (name, text, city, country) in [
        ("a.csv", format!("{outlook}\nMax,Orr,max@orr.example,Lund,Sweden,Oslo,Norway\n"), "Oslo", "Norway"),
        ("a.csv", format!("{outlook}\nMax,Orr,max@orr.example,Bergen,Norway,,\n"), "Bergen", "Norway"),
        ("a.csv", format!("{google}\nMax,,Orr,,,max@orr.example,Oslo,\n"), "Oslo", ""),
        (
            "a.csv",
            "Name,Mail,Stadt,Land\nMax Orr,max@orr.example,Köln,Germany\n".to_owned(),
            "Köln",
            "Germany",
        ),
        ("a.vcf", card("Oslo"), "Oslo", "Norway"),
        ("a.vcf", [card("Bergen"), card("Oslo"), card("Oslo")].concat(), "Oslo", "Norway"),
        ("a.csv", "Name,Mail\nMax Orr,max@orr.example\n".to_owned(), "", ""),
    ] {
        let team = TEAM.replace("\"Connections.csv\", \"more.csv\"", &format!("\"{name}\""));
        let bench = Bench::new(&[(name, &text), ("team.toml", &team)]);
        assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
        let people = rows(&bench, "people");
        let max = people.iter().find(|person| person["name"] == "Max Orr").unwrap();
        let found = ["city", "country"].map(|key| max[key].as_str().unwrap_or(""));
        assert_eq!(found, [city, country], "{text}");
    }
}

#[test]
fn a_domain_of_ones_own_name_is_no_employer_unless_a_row_says_so() {
    for (row, others, company) in [
        ("Nina Falk,nina@falk.example,", "", None),
        ("Nina Müller,n@mueller.example,", "", None),
        ("Nina Falk,nina@falk.example,", "Tor Falk,tor@falk.example,\n", None),
        ("Nina Falk,nina@falk.example,", "Ole Ek,ole@falk.example,\n", Some("falk.example")),
        ("Nina Falk,nina@falk.example,", "Ole Ek,,Falk AS\n", Some("Falk AS")),
        ("Nina Falk,nina@kelp.example,", "", Some("kelp.example")),
        ("Nina Falk,nina@falk.example,", "Ole Ek,ole@falk.example,Falk AS\n", Some("Falk AS")),
        ("Nina Falk,nina@falk.example,Kelp AS", "", Some("Kelp AS")),
    ] {
        let team = TEAM.replace("\"Connections.csv\", \"more.csv\"", "\"more.csv\"");
        let text = format!("Name,Mail,Firm\n{row}\n{others}");
        let bench = Bench::new(&[("more.csv", &text), ("team.toml", &team)]);
        assert_eq!(bench.import("team.toml", "tables", &[]).code, Some(0));
        let (people, companies) = (rows(&bench, "people"), rows(&bench, "companies"));
        let nina = people.iter().find(|person| person["name"].as_str().unwrap().starts_with("Nina")).unwrap();
        let named = companies.iter().find(|company| company["id"] == nina["currentCompanyId"]);
        assert_eq!(named.map(|company| company["name"].as_str().unwrap()), company, "{row}");
    }
}
