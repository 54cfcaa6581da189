//! The name in the address of a profile, where it is another than the written one.

use crate::identity::name::{PersonName, plain};
use kith::model::nicknames::root_of;
use kith::model::text::fold;

/// Minimum letters of a name in the address of a profile.
const NAME_CHARS: usize = 2;
/// Minimum letters of the name beside the known one, if nothing stands between them.
const OTHER_CHARS: usize = 3;

/// The name in `handle`, if it has the given or the family name of `name` and something else in place of the other:
/// `eduardo-fonseca` of Eduardo F., `angelikakrause` of Geli Maier, `wei-zhou` of Kevin Zhou.
pub(super) fn name_in_handle(name: &PersonName, handle: &str) -> Option<PersonName> {
    if handle.is_empty() || name.given.is_empty() {
        return None;
    }
    let handle = fold(handle);
    let is_word = |word: &&str| word.len() >= NAME_CHARS && word.chars().all(char::is_alphabetic);
    let mut words = handle.split('-').filter(is_word);
    let (first, second) = (words.next()?, words.next());
    let (given, family) = match second {
        Some(second) => (first, second),
        None => {
            let before = [name.given.as_str(), root_of(&name.given)].into_iter().find_map(|given| {
                let family = first.strip_prefix(given)?;
                (family.len() >= OTHER_CHARS).then_some((given, family))
            });
            let behind = || {
                let given = first.strip_suffix(name.family.as_str()).filter(|_| name.family.len() > 1)?;
                (given.len() >= OTHER_CHARS).then_some((given, name.family.as_str()))
            };
            before.or_else(behind)?
        }
    };
    let is_given = plain(root_of(given)) == name.compared_given();
    let is_family = plain(family) == name.compared_family();
    // An initial is not contradicted.
    let fits = name.family.len() != 1 || family.starts_with(&name.family);
    (is_given != is_family && fits).then(|| PersonName {
        given: given.to_owned(),
        family: family.to_owned(),
        ..PersonName::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_has_another_name_if_half_of_it_is_the_written_one() {
        for (name, handle, expected) in [
            ("Eduardo F.", "eduardo-fonseca-14b87", Some("eduardo fonseca")),
            ("Nacho D.", "ignacio-dominguez", Some("ignacio dominguez")),
            ("Geli Maier", "angelikakrause", Some("angelika krause")),
            ("Kevin Zhou", "wei-zhou", Some("wei zhou")),
            ("Howard Wang", "haowang", Some("hao wang")),
            ("Mieke Vermeulen", "margaretha-vermeulen-tech", Some("margaretha vermeulen")),
            ("Ann Lee", "ann-lee-81", None),
            ("Ann Lee", "annlee", None),
            ("Eduardo F.", "eduardo-silva", None),
            ("Ann Lee", "robo-coder", None),
            ("Ann Lee", "alee", None),
            ("Ann Lee", "", None),
            ("", "ann-lee", None),
        ] {
            let found = name_in_handle(&PersonName::parse(name), handle);
            let found = found.map(|name| format!("{} {}", name.given, name.family));
            assert_eq!(found.as_deref(), expected, "{name} {handle}");
        }
    }
}
