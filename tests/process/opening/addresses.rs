//! The addresses of the person who opens.

use crate::opening::Home;

const MAIL: &str = "From x@x.example Mon Mar  2 10:00:00 2026\n\
    From: ana@old.example\nTo: Fay Lind <fay@lind.example>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\n.\n\n\
    From x@x.example Mon Mar  2 10:00:00 2026\n\
    From: Fay Lind <fay@lind.example>\nTo: ana@old.example\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\n.\n\n";

#[test]
fn mail_counts_by_the_addresses_that_are_named_and_a_team_file_has_them_itself() {
    let home = Home::new(&[("mail.mbox", MAIL), ("team.toml", "[organization]\nname = \"Acme\"\n")]);
    let (mail, into) = (home.text("mail.mbox"), home.text("mine"));
    let args = ["--me", "Ana Ruiz", "--into", &into, &mail, "--no-browser"];
    let nobody = home.fails(&args);
    assert_eq!(nobody.code, Some(1), "the control: nobody knows whose mail it is");
    let named = [&args[..], &["--email", "ana@new.example", "--email", "Ana@Old.example"]].concat();
    assert_eq!(home.open(&named).enter().contacts().len(), 1);
    let refused = home.fails(&[&home.text("team.toml"), "--email", "ana@old.example"]);
    assert!(
        refused.code == Some(2) && refused.err.contains("that has the addresses itself"),
        "{}",
        refused.err
    );
}
