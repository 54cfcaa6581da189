//! `kith open` on a folder with a folder for each colleague, and on one that is not all of its owner.
//!
//! Promise: A folder with a folder or an archive for each colleague is a team without a team file, each with the name in their
//!   LinkedIn profile, else that of the folder, and what was read as whose is said; a profile of another person than `--me` stops.
//! Control: one's own folder, also under a short form of one's name or with a degree; a folder that is nobody's is refused by name.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{Home, LINKEDIN};

const PROFILE: &str = "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,\
                       Twitter Handles,Websites,Instant Messengers\n";
const ADDRESSES: &str = "Email Address,Confirmed,Primary,Updated On\n";

/// The files of LinkedIn's export of a person, who knows one.
fn export(given: &str, family: &str, knows: &str) -> [(&'static str, String); 4] {
    let address = format!("{given}@fund.example").to_lowercase();
    let contact = knows.to_lowercase();
    [
        ("Profile.csv", format!("{PROFILE}{given},{family},,,,Partner,,Finance,,Berlin,,,\n")),
        (
            "Email Addresses.csv",
            format!(
                "{ADDRESSES}old-{address},Yes,No,\"1/5/19, 9:00 AM\"\n{address},Yes,Yes,\"1/5/19, 9:00 AM\"\nx-{address},No,No,\n"
            ),
        ),
        (
            "Connections.csv",
            format!(
                "{LINKEDIN}{knows},Lind,https://www.linkedin.com/in/{contact}-lind,,Lind AG,CFO,03 Mar 2024\n"
            ),
        ),
        ("Skills.csv", "Name\nVenture Capital\n".to_owned()),
    ]
}

fn put(home: &Home, folder: &str, files: &[(&'static str, String)]) {
    for (name, text) in files {
        let path = home.path(&format!("{folder}/{name}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn put_archive(path: &Path, files: &[(&'static str, String)]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

/// A fund: Marta's folder has an export as it was unpacked, Jonas's an archive, and Priya's none of LinkedIn.
fn fund() -> Home {
    let home = Home::new(&[(
        "fund/priya/google.csv",
        "First Name,Last Name,E-mail Address,E-mail 2 Address\nKim,Roe,kim@roe.example,\n",
    )]);
    put(
        &home,
        "fund/Marta Lindqvist/Complete_LinkedInDataExport_11-14-2026",
        &export("Marta", "Lindqvist", "Fay"),
    );
    put_archive(&home.path("fund/JW/linkedin.zip.zip"), &export("Jonas", "Weber", "Gus"));
    home
}

#[test]
fn a_folder_for_each_colleague_is_a_team_and_what_was_read_as_whose_is_said() {
    let home = fund();
    let crm = "Record ID,First Name,Last Name,Email,Contact owner,Associated Company\n1,Nia,Poe,nia@poe.example,jonas@fund.example,Poe AG\n";
    fs::write(home.path("fund/hubspot.csv"), crm).unwrap();
    let opened = home.open(&[&home.text("fund"), "--as", "marta", "--no-browser"]);
    let log = opened.server.logged().join("\n");
    let fund = home.text("fund");
    for said in [
        format!("read {fund}/Marta Lindqvist as Marta Lindqvist's exports, by its Profile.csv"),
        format!("read {fund}/JW as Jonas Weber's exports, by its Profile.csv"),
        format!("read {fund}/priya as Priya's exports, by the folder's name"),
        format!("read {fund}/hubspot.csv as an export of fund"),
        "team file".to_owned(),
    ] {
        assert!(log.contains(&said), "{said}\n{log}");
    }
    let mut page = opened.enter();
    assert_eq!(page.get("/explore/login")["data"]["member"]["name"], "Marta Lindqvist");
    let names: Vec<String> = page.contacts().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Fay Lind"], "her own contacts alone");
    let tables = home.path(".local/share/kith/fund/tables");
    let people = fs::read_to_string(tables.join("people.ndjson")).unwrap();
    // The primary address is the one that is shown, and an unconfirmed one is nobody's.
    let aliases = fs::read_to_string(tables.join("person_aliases.ndjson")).unwrap();
    assert!(
        people.contains("\"email\":\"marta@fund.example\"") && aliases.contains("old-marta@fund.example"),
        "{people}"
    );
    assert!(
        !aliases.contains("x-marta@fund.example") && !people.contains("x-marta@fund.example"),
        "{aliases}"
    );
    let edges = fs::read_to_string(tables.join("connections.ndjson")).unwrap();
    assert_eq!(edges.lines().count(), 4, "one each, and the row of the CRM that is Jonas's: {edges}");
    let printed = opened.server.printed().join("\n");
    assert!(
        printed.contains("2 files of LinkedIn's export hold no contacts, as expected: Skills.csv"),
        "{printed}"
    );
    assert!(!printed.contains("[[columns]]") && !log.contains("Skills.csv"), "{log}");
}

#[test]
fn the_profile_of_another_person_than_me_stops_and_ones_own_does_not() {
    let home = fund();
    let (fund, own) = (home.text("fund"), home.text("fund/Marta Lindqvist"));
    let ended = home.fails(&[&fund, "--me", "Marta Lindqvist", "--org", "Fund"]);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    for said in ["fund/JW/linkedin.zip.zip", "an export of Jonas Weber", "Marta Lindqvist", "leave --me out"]
    {
        assert!(ended.err.contains(said), "{said}: {}", ended.err);
    }
    assert!(!home.path(".local").exists());
    for me in ["Marta Lindqvist", "Märta Lindqvist, MBA", "Lindqvist, Marta", "marta"] {
        let opened =
            home.open(&[&own, "--me", me, "--into", &home.text("into"), "--org", "Fund", "--no-browser"]);
        let mut page = opened.enter();
        assert_eq!(page.contacts().len(), 1, "{me}");
        let address = fs::read_to_string(home.path("into/tables/people.ndjson")).unwrap();
        assert!(address.contains("marta@fund.example"), "{me}: {address}");
    }
    // Without --me they are hers all the same.
    let opened = home.open(&[&own, "--into", &home.text("own"), "--no-browser"]);
    assert_eq!(opened.enter().get("/explore/login")["data"]["member"]["name"], "Marta Lindqvist");
    // Two of one given name are two, whatever --me leaves open.
    put(&home, "fund/Marta Berg", &export("Marta", "Berg", "Kim"));
    let ended = home.fails(&[&home.text("fund"), "--me", "Marta"]);
    assert!(ended.code == Some(2) && ended.err.contains("an export of"), "{}", ended.err);
    fs::rename(home.path("fund/priya"), home.path("fund/marta")).unwrap();
    let ended = home.fails(&[&home.text("fund")]);
    assert!(
        ended.code == Some(2) && ended.err.contains("both Marta Berg and Marta Lindqvist"),
        "{}",
        ended.err
    );
}

#[test]
fn a_folder_that_is_nobodys_is_refused_by_name_and_so_is_a_file_beside() {
    for (file, code) in [
        ("Q3 2026/google.csv", Some(2)),
        ("Old exports/google.csv", Some(2)),
        ("google.csv", Some(2)),
        ("Ben Okri/google.csv", None),
    ] {
        let home = fund();
        let path = home.path(&format!("fund/{file}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(home.path("fund/priya/google.csv"), &path).unwrap();
        let Some(code) = code else {
            let opened = home.open(&[&home.text("fund"), "--no-browser"]);
            assert!(
                opened.server.logged().join("\n").contains("as Ben Okri's exports, by the folder's name")
            );
            continue;
        };
        let ended = home.fails(&[&home.text("fund")]);
        assert_eq!(ended.code, Some(code), "{file}: {}", ended.err);
        let place = home.text(&format!("fund/{}", file.split('/').next().unwrap()));
        assert!(ended.err.contains(&place) && ended.err.contains("whose export"), "{file}: {}", ended.err);
    }
    // Two people's exports in one folder.
    let home = fund();
    put_archive(&home.path("fund/Marta Lindqvist/other.zip"), &export("Ben", "Okri", "Kim"));
    let ended = home.fails(&[&home.text("fund")]);
    assert!(
        ended.code == Some(2) && ended.err.contains("both Marta Lindqvist and Ben Okri"),
        "{}",
        ended.err
    );
}
