//! Which files, whose, and where: what the arguments of `kith open` come to.

use std::fs;

use clap::Parser;

use super::*;
use kith_import::manifest::read_manifest;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    command: OpenCommand,
}

/// The command of these arguments, or the exit code of the refusal.
fn parsed(args: &[&str]) -> Result<OpenCommand, i32> {
    let line = Line::try_parse_from([&["open"], args].concat());
    line.map(|line| line.command).map_err(|error| error.exit_code())
}

/// The organization, the member and the files.
type Imports = (Option<String>, Option<String>, Vec<PathBuf>);

/// What the arguments import, or the refusal of the arguments or of the files.
fn imported(args: &[&str]) -> Result<Imports, String> {
    let import =
        parsed(args).map_err(|code| code.to_string())?.import().map_err(|error| error.to_string())?;
    let is_manifest =
        |file: &PathBuf| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if import.me.is_none() && !import.files.iter().any(is_manifest) {
        import.plan().map_err(|error| error.to_string())?;
    }
    Ok((import.org, import.me, import.files))
}

#[test]
fn files_need_a_name_a_manifest_needs_none_and_a_folder_may_hold_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (exports, team) = (path("exports"), path("team"));
    for file in ["exports/a.csv", "team/a.csv", "team/team.toml"] {
        fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
        fs::write(path(file), "").unwrap();
    }
    let paths = |files: &[&str]| files.iter().map(PathBuf::from).collect::<Vec<_>>();
    let some = |text: &str| Some(text.to_owned());
    let manifest = path("team/team.toml");
    for (args, expected) in [
        (
            &["a.csv", "b.vcf", "--me", "Ana Ruiz"][..],
            (some("Ana Ruiz's network"), some("Ana Ruiz"), paths(&["a.csv", "b.vcf"])),
        ),
        (&["a.csv", "--me", "Ana", "--org", "Acme"], (some("Acme"), some("Ana"), paths(&["a.csv"]))),
        (&[&exports, "--me", "Ana"], (some("Ana's network"), some("Ana"), paths(&[&exports]))),
        (&["my.toml"], (None, None, paths(&["my.toml"]))),
        (&["my.TOML", "--me", "Ana"], (None, None, paths(&["my.TOML"]))),
        (&[&team], (None, None, paths(&[&manifest]))),
        (&[&team, "--me", "Ana"], (None, None, paths(&[&manifest]))),
        (&[&team, "--me", "Ana", "--org", "Acme"], (some("Acme"), some("Ana"), paths(&[&team]))),
    ] {
        assert_eq!(imported(args), Ok(expected), "{args:?}");
    }
    for (args, said) in [
        (&["a.csv"][..], "--me"),
        (&["a.csv", "--org", "Acme"], "--me"),
        (&[&exports], "--me"),
        (&["my.toml", "a.csv", "--me", "Ana"], "one team file"),
        (&["my.toml", "--org", "Acme"], "--org"),
        (&[], "2"),
    ] {
        let refused = imported(args).err().unwrap_or_default();
        assert!(refused.contains(said), "{args:?}: {refused}");
    }
}

#[test]
fn the_page_is_on_loopback_alone() {
    for (address, is_taken) in [
        ("127.0.0.1:0", true),
        ("127.8.7.6:80", true),
        ("[::1]:8080", true),
        ("0.0.0.0:8080", false),
        ("[::]:8080", false),
        ("192.0.2.1:8080", false),
        ("localhost:8080", false),
        ("8080", false),
    ] {
        let refusal = parsed(&["a.csv", "--listen", address]).err();
        assert_eq!(refusal, (!is_taken).then_some(2), "{address}");
    }
}

#[test]
fn the_page_opens_as_the_member_who_is_named_or_as_the_first() -> Result<(), Box<dyn Error>> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/team/team.toml");
    let plan = read_manifest(&manifest)?;
    let opened = |me: &[&str]| -> Result<String, String> {
        let command = parsed(&[&["team.toml"], me].concat()).map_err(|code| code.to_string())?;
        let place = command.place_of_me(&plan).map_err(|error| error.to_string())?;
        Ok(plan.holders[place].name.clone())
    };
    for (me, name) in [
        (&[][..], "Ana Ruiz"),
        (&["--me", "chloe  TAN"], "Chloe Tan"),
        (&["--me", "Ben@brook.example"], "Ben Okri"),
    ] {
        assert_eq!(opened(me).as_deref(), Ok(name), "{me:?}");
    }
    // An advocate is no member.
    let refused = opened(&["--me", "Dee Fox"]).err().unwrap_or_default();
    assert!(refused.contains("members are Ana Ruiz, Ben Okri, Chloe Tan"), "{refused}");
    Ok(())
}

#[test]
fn a_path_is_printed_as_a_shell_takes_it() {
    for (path, printed) in [("/home/a/kith", "/home/a/kith"), ("/a b", "'/a b'"), ("/it's", "'/it'\\''s'")] {
        assert_eq!(quoted(Path::new(path)), printed);
    }
}
