//! Answers in a file of overrides: two people are one, are two, or do not know each other.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kith::file_system::put_in_place;
use tempfile::NamedTempFile;

use crate::manifest::fault::{ManifestError, ManifestFault};
use crate::manifest::overrides::{Named, Overrides, parse_overrides};
use crate::manifest::section::read_text;
use kith::model::named::named;

/// Whether two people are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleAnswer {
    /// They are one person.
    Same,
    /// They are two.
    Apart,
}

named! {
    /// Both.
    DoubleAnswer as name {
        Same = "same",
        Apart = "apart",
    }
}

/// The section of people between whom no edge may be derived.
const UNTIED: &str = "untied";

/// Two people by their ids, and the answer.
pub type AnsweredPair = (String, String, DoubleAnswer);

/// A file of overrides for answers; its other content stays as it is.
#[derive(Debug)]
pub struct AnswersFile {
    path: PathBuf,
    /// Held while the file is written.
    writing: Mutex<()>,
}

/// Why an answer was not written.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The file is not a file of overrides, or would not be one with the answer.
    #[error("{0}")]
    Overrides(ManifestError),
    /// It cannot be written.
    #[error("{path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
}

impl AnswersFile {
    /// The file at `path`, which need not exist yet.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, writing: Mutex::default() }
    }

    /// The answers in the file.
    ///
    /// # Errors
    /// Returns an error if the file exists but is not a file of overrides.
    pub fn answers(&self) -> Result<Vec<AnsweredPair>, AnswerError> {
        let overrides = self.text().and_then(|text| parse_overrides(&text));
        Ok(answers_of(&overrides.map_err(|fault| self.unfit(fault))?))
    }

    /// Writes the answer for the people `a` and `b`, replacing an earlier one; `None` removes it. Only its owner can
    /// read the file.
    ///
    /// # Errors
    /// Returns an error if the file exists but is not a file of overrides, would not be one with the answer, or cannot
    /// be written; then it is unchanged.
    pub fn answer(&self, a: &str, b: &str, answer: Option<DoubleAnswer>) -> Result<(), AnswerError> {
        let sections = DoubleAnswer::ALL.map(DoubleAnswer::name);
        self.change(a, b, &sections, answer.map(DoubleAnswer::name), |overrides| {
            let written = answers_of(overrides);
            let found = written.iter().find(|(one, other, _)| (one.as_str(), other.as_str()) == (a, b));
            found.map(|(_, _, found)| *found) == answer
        })
    }

    /// The pairs of ids between whom no edge may be derived.
    ///
    /// # Errors
    /// Returns the errors of [`Self::answers`].
    pub fn untied(&self) -> Result<Vec<Vec<String>>, AnswerError> {
        let overrides = self.text().and_then(|text| parse_overrides(&text));
        Ok(overrides.map_err(|fault| self.unfit(fault))?.untied)
    }

    /// Writes that no edge may be derived between the people `a` and `b`, or removes that.
    ///
    /// # Errors
    /// Returns the errors of [`Self::answer`].
    pub fn untie(&self, a: &str, b: &str, is_untied: bool) -> Result<(), AnswerError> {
        self.change(a, b, &[UNTIED], is_untied.then_some(UNTIED), |overrides| {
            overrides.untied.iter().any(|people| people.as_slice() == [a, b]) == is_untied
        })
    }

    /// Moves the entry of `a` and `b` among `sections` to `section`, if `is_right` holds for the resulting file.
    fn change(
        &self,
        a: &str,
        b: &str,
        sections: &[&str],
        section: Option<&str>,
        is_right: impl Fn(&Overrides) -> bool,
    ) -> Result<(), AnswerError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let text = self.text().and_then(|text| {
            let text = with_entry(&text, a, b, sections, section);
            let expected = "no entry of these two that was written by hand; change that one";
            let place = "people".to_owned();
            if is_right(&parse_overrides(&text)?) {
                Ok(text)
            } else {
                Err(ManifestFault::Unfit { place, expected })
            }
        });
        let text = text.map_err(|fault| self.unfit(fault))?;
        self.replace(&text).map_err(|cause| AnswerError::Io { path: self.path.clone(), cause })
    }

    /// The text of the file; empty if there is none.
    fn text(&self) -> Result<String, ManifestFault> {
        if self.path.exists() { read_text(&self.path) } else { Ok(String::new()) }
    }

    /// Replaces the file that the path leads to.
    fn replace(&self, text: &str) -> io::Result<()> {
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut draft = NamedTempFile::with_prefix_in(".kith-", path.parent().unwrap_or(Path::new(".")))?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        put_in_place(draft.into_temp_path(), &path)
    }

    fn unfit(&self, fault: ManifestFault) -> AnswerError {
        AnswerError::Overrides(ManifestError { file: self.path.display().to_string(), fault })
    }
}

/// The entries with two people and no row.
fn answers_of(overrides: &Overrides) -> Vec<AnsweredPair> {
    let of = |entries: &[Named], answer| -> Vec<AnsweredPair> {
        let pair = |entry: &Named| match entry.people.as_slice() {
            [a, b] if entry.rows.is_empty() => Some((a.clone(), b.clone(), answer)),
            _ => None,
        };
        entries.iter().filter_map(pair).collect()
    };
    [of(&overrides.same, DoubleAnswer::Same), of(&overrides.apart, DoubleAnswer::Apart)].concat()
}

/// `text` without the entries for `a` and `b` in `sections` that this module wrote, and with one in `section`.
fn with_entry(text: &str, a: &str, b: &str, sections: &[&str], section: Option<&str>) -> String {
    // No id of an import needs escapes; the result for other ids is parsed before it is written.
    let entry = |section: &str| format!("[[{section}]]\npeople = [\"{a}\", \"{b}\"]\n");
    let mut text = sections.iter().fold(text.to_owned(), |text, section| text.replace(&entry(section), ""));
    if let Some(section) = section {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&entry(section));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "person_a";
    const B: &str = "person_b";

    fn file(text: &str) -> (tempfile::TempDir, AnswersFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("overrides.toml");
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
        }
        (folder, AnswersFile::new(path))
    }

    fn text_of(file: &AnswersFile) -> String {
        fs::read_to_string(&file.path).unwrap()
    }

    #[test]
    fn an_answer_takes_the_place_of_the_earlier_one_and_is_taken_back() {
        let (_folder, file) = file("");
        assert!(file.answers().unwrap().is_empty());
        for answer in [DoubleAnswer::Same, DoubleAnswer::Apart, DoubleAnswer::Same] {
            file.answer(A, B, Some(answer)).unwrap();
            assert_eq!(file.answers().unwrap(), [(A.to_owned(), B.to_owned(), answer)]);
        }
        file.answer("person_c", "person_d", Some(DoubleAnswer::Apart)).unwrap();
        file.answer(A, B, None).unwrap();
        assert_eq!(text_of(&file), "[[apart]]\npeople = [\"person_c\", \"person_d\"]\n");
    }

    #[test]
    fn two_are_untied_and_tied_again_whatever_is_said_of_them_beside_that() {
        let (_folder, file) = file("");
        file.answer(A, B, Some(DoubleAnswer::Apart)).unwrap();
        file.untie(A, B, true).unwrap();
        file.answer(A, B, None).unwrap();
        assert_eq!(text_of(&file), "[[untied]]\npeople = [\"person_a\", \"person_b\"]\n");
        assert_eq!(file.untied().unwrap(), [[A, B]]);
        file.untie(A, B, false).unwrap();
        assert_eq!(text_of(&file), "");
    }

    #[test]
    fn what_people_wrote_into_the_file_stays() {
        let own = "# Namesakes at Fjord.\n[[apart]]\nrows = [\"a.csv:2\", \"a.csv:3\"]\n\n[[untied]]\npeople = [\"person_x\", \"person_y\"]";
        let (_folder, file) = file(own);
        file.answer(A, B, Some(DoubleAnswer::Same)).unwrap();
        assert_eq!(text_of(&file), format!("{own}\n[[same]]\npeople = [\"person_a\", \"person_b\"]\n"));
        file.answer(A, B, None).unwrap();
        assert_eq!(text_of(&file), format!("{own}\n"));
    }

    #[test]
    fn a_file_that_cannot_take_the_answer_is_left_alone_and_named() {
        for own in ["apart = []\n", "not toml", "[[same]]\npeople = [ \"person_a\",  \"person_b\" ]\n"] {
            let (_folder, file) = file(own);
            let refused = file.answer(A, B, Some(DoubleAnswer::Apart)).unwrap_err().to_string();
            assert!(refused.contains("overrides.toml"), "{refused}");
            assert_eq!(text_of(&file), own);
        }
    }
}
