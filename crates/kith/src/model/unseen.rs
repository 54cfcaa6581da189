//! Invisible characters, and characters that change the order in which others are read.
//!
//! Promise: What nobody sees is in no text that assistants, terminals, logs or the page get; joiners stay where letters
//!   need them.
//! Control: names in scripts that are written with joiners.
//! Also in: `src/answers/mcp/lean.rs`, `src/cli/table.rs`, `tests/process/logging.rs`.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Unicode's Default_Ignorable_Code_Point without format characters (Cf), which are recognized by category, plus the
/// blank braille pattern.
const IGNORED: [std::ops::RangeInclusive<char>; 12] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2065}'..='\u{2065}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];
/// Letters of the scripts that use joiners, from Arabic to Mongolian.
const JOINED_SCRIPTS: [std::ops::RangeInclusive<char>; 4] =
    ['\u{600}'..='\u{8ff}', '\u{900}'..='\u{fff}', '\u{1000}'..='\u{109f}', '\u{1780}'..='\u{18af}'];
/// The zero-width non-joiner and joiner.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Whether `character` has no visible form: a format character, filler, variation selector, tag, line separator or
/// direction mark. Control characters are not included.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    // Nearly all text ends here.
    !character.is_ascii()
        && (matches!(
            character.general_category(),
            GeneralCategory::Format | GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator
        ) || IGNORED.iter().any(|range| range.contains(&character)))
}

/// The characters of `text`, each with whether it is invisible. A joiner between letters of a script that uses joiners
/// counts as visible: it changes their form.
pub fn marked_unseen(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let is_joined = |character: Option<char>| {
        character.is_some_and(|it| JOINED_SCRIPTS.iter().any(|range| range.contains(&it)))
    };
    let mut before = None;
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || {
        let character = characters.next()?;
        let joins =
            JOINERS.contains(&character) && is_joined(before) && is_joined(characters.peek().copied());
        before = Some(character);
        Some((character, !joins && is_unseen(character)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> String {
        marked_unseen(text).filter(|(_, unseen)| !unseen).map(|(character, _)| character).collect()
    }

    #[test]
    fn what_nobody_sees_goes_and_joiners_of_scripts_that_need_them_stay() {
        for range in IGNORED {
            assert_eq!(seen(&range.collect::<String>()), "");
        }
        for hidden in [
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200e}',
            '\u{202e}',
            '\u{2028}',
            '\u{2060}',
            '\u{2066}',
            '\u{206f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{180e}',
            '\u{1bca0}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{e01ef}',
        ] {
            assert_eq!(seen(&format!("Pia{hidden} Weiß")), "Pia Weiß", "{hidden:?}");
        }
        // Latin letters need no joiner, so one between them carries something else.
        assert_eq!(seen("P\u{200d}i\u{200c}a \u{200d}👩\u{200d}🚀"), "Pia 👩🚀");
        for written in ["نمی\u{200c}خواهم", "क्\u{200d}ष", "김민준", "Łukasz", "e\u{301}", "ᠠ\u{1820}"]
        {
            assert_eq!(seen(written), written, "{written:?}");
        }
        assert_eq!(seen("نمی\u{200c}\u{200c}خ"), "نمیخ");
    }
}
