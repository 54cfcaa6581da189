//! What arrives: its bounds, what is left of it, and how it lies on the disk.

use std::fs;
use std::net::Shutdown;

use serde_json::json;

use crate::bringing::{Service, export};
use crate::program::run;

/// A table of so many bytes and more that gives rows.
fn rows(bytes: usize) -> Vec<u8> {
    let row = "Kim,Roe,https://www.linkedin.com/in/kim-roe,,Lantern GmbH,Engineer,20 May 2021\n";
    let head = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n";
    (head.to_owned() + &row.repeat(bytes / row.len() + 1)).into_bytes()
}

#[test]
fn what_is_brought_lies_sealed_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let service = Service::new();
    let ben = service.ben();
    ben.brings("ben/Connections.csv");
    ben.leave_out(&json!({ "kind": "label", "text": "Family" }));
    let files = service.files();
    // The part, its report, and the file.
    assert_eq!(files.len(), 3);
    for file in &files {
        let bytes = fs::read(file).unwrap();
        for text in ["Hal", "Okri", "ben@brook", "Family", "Connections", "First Name", &ben.code] {
            assert!(!bytes.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
        }
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o077, 0);
        assert!(!file.to_string_lossy().contains("brook"));
    }
    // The control: the file as it was brought.
    assert!(fs::read_to_string(export("ben/Connections.csv")).unwrap().contains("Hal"));
}

#[test]
fn a_file_that_was_cut_exchanged_or_changed_is_refused_by_the_import() {
    let service = Service::new();
    let ben = service.ben();
    for name in ["one.csv", "two.csv"] {
        assert_eq!(ben.bring(name, &rows(200_000)).status, 200);
    }
    let sealed: Vec<_> =
        service.files().into_iter().filter(|file| fs::metadata(file).unwrap().len() > 100_000).collect();
    let [one, two] = &sealed[..] else { panic!("{sealed:?}") };
    let (whole, other) = (fs::read(one).unwrap(), fs::read(two).unwrap());
    let imported = || {
        let args = service.args();
        let tables = service.site.file("all");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run(&[&["import", "--org", "Brook Robotics", "--tables", &tables][..], &args].concat())
    };
    // The control.
    assert_eq!(imported().code, Some(0));
    let mut swapped = whole.clone();
    let chunk = (64 << 10) + 16;
    let (first, second) = swapped[40..40 + 2 * chunk].split_at_mut(chunk);
    first.swap_with_slice(second);
    for wrong in [&whole[..whole.len() - 1], &whole[..40 + chunk], &whole[..40], &swapped, &other] {
        fs::write(one, wrong).unwrap();
        let ended = imported();
        assert!(ended.code == Some(1) && ended.err.contains("cannot be read"), "{}", ended.err);
    }
    fs::write(one, &whole).unwrap();
    assert_eq!(imported().code, Some(0));
    // A key of another folder opens nothing.
    let [folder, key] = ["others", "others.key"].map(|name| service.site.file(name));
    crate::program::run_well(&["exports", "create", "--exports", &folder, "--exports-key", &key]);
    let tables = service.site.file("all");
    let args = [
        "import",
        "--org",
        "Brook Robotics",
        "--tables",
        &tables,
        "--exports",
        &service.site.file("exports"),
        "--exports-key",
        &key,
    ];
    let ended = run(&args);
    assert!(ended.code == Some(2) && ended.err.contains("its key is another one"), "{}", ended.err);
}

#[test]
fn what_is_beyond_the_bound_of_an_organization_is_refused_by_name_and_leaves_nothing() {
    let service = Service::with("bytes_max = 3000000");
    let (ben, dee) =
        (service.ben(), service.invite(&json!({ "name": "Dee Fox", "email": "dee@fox.example" })));
    assert_eq!(ben.bring("small.csv", &rows(1_000_000)).status, 200);
    let before = service.files();
    let refused = dee.bring("large.csv", &rows(4_000_000));
    let said = refused.json()["error"].as_str().unwrap().to_owned();
    assert_eq!(refused.status, 409);
    assert!(
        said.contains("large.csv") && said.contains("2 MiB together") && said.contains("exports.bytes_max"),
        "{said}"
    );
    assert_eq!((service.files(), dee.part()["files"].as_array().unwrap().len()), (before, 0));
    // The control.
    assert_eq!(dee.bring("large.csv", &rows(1_000_000)).status, 200);
    // In the place of the one before it is charged once.
    assert_eq!(dee.bring("large.csv", &rows(500_000)).status, 200);
    assert_eq!(dee.part()["files"].as_array().unwrap().len(), 1);
}

#[test]
fn half_a_file_leaves_nothing_and_one_arrives_at_a_time() {
    let service = Service::new();
    let ben = service.ben();
    let bytes = rows(300_000);
    let before = service.files();
    let half = ben.begin("half.csv", bytes.len(), &bytes[..200_000]);
    let is_begun = || service.files().len() > before.len();
    assert!((0..100_000).any(|_| is_begun()));
    let refused = ben.bring("other.csv", &bytes);
    assert_eq!(refused.status, 409, "{}", refused.json());
    assert!(refused.json()["error"].as_str().unwrap().contains("arrives right now"));
    half.shutdown(Shutdown::Both).unwrap();
    drop(half);
    assert!((0..100_000).any(|_| service.files() == before), "{:?}", service.files());
    assert_eq!(ben.part()["files"].as_array().unwrap().len(), 0);
    // The control: the same file to its end.
    let taken = (0..1_000).map(|_| ben.bring("half.csv", &bytes).status).find(|status| *status != 409);
    assert_eq!(taken, Some(200));
}

#[test]
fn what_is_no_export_is_refused_with_the_sentence_of_the_import() {
    let service = Service::new();
    let ben = service.ben();
    for (name, text) in
        [("holiday.csv", "Where,When\nLisbon,May\n"), ("photo.jpg", "\u{1}\u{2}\u{3}"), ("none.csv", "")]
    {
        let refused = ben.bring(name, text.as_bytes());
        let said = refused.json()["error"].as_str().unwrap().to_owned();
        let file = service.site.file(name);
        fs::write(&file, text).unwrap();
        let ended =
            run(&["import", "--org", "B", "--me", "Ben Okri", "--tables", &service.site.file("t"), &file]);
        let sentence =
            ended.err.lines().next().unwrap().split_once(&format!("{name}: ")).unwrap().1.to_owned();
        assert_eq!((refused.status, said), (409, format!("{name}: {sentence}")));
    }
    assert_eq!(service.files().len(), 1, "the part alone");
    // Names that lead elsewhere.
    assert_eq!(ben.bring("../../a/x.csv", &rows(10)).json()["data"]["files"][0]["name"], "x.csv");
    for name in ["", "..", "a/", ".hidden", "a\u{7}b.csv", &"x".repeat(201)] {
        assert_eq!(ben.bring(name, &rows(10)).status, 400, "{name}");
    }
}
