//! The encoder that a configuration names: a folder, if the program can read one.

use std::error::Error;
use std::path::Path;

use super::parsed;

#[test]
fn an_encoder_is_a_folder_and_needs_its_feature() -> Result<(), Box<dyn Error>> {
    let file = "[search]\nencoder = \"/a b\"";
    let name = "KITH_SEARCH__ENCODER";
    for (toml, environment, folder) in [
        ("", &[][..], None),
        (file, &[(name, "")], None),
        (file, &[], Some("/a b")),
        (file, &[(name, "c")], Some("c")),
    ] {
        let settings = parsed(toml, environment)?;
        let (encoder, checked) = (settings.encoder(), settings.check(|_| None));
        match folder.map(Path::new) {
            Some(_) if !cfg!(feature = "encoder") => {
                let refused = [encoder.err(), checked.err()].map(|it| it.map(|error| error.to_string()));
                let has_reason =
                    |it: &Option<String>| it.as_ref().is_some_and(|it| it.contains("feature encoder"));
                assert!(refused.iter().all(has_reason), "{refused:?}");
            }
            folder => assert_eq!((encoder?, checked.is_ok()), (folder, true), "{toml} {environment:?}"),
        }
    }
    Ok(())
}
