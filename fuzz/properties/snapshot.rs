//! No bytes make a harmful snapshot, even with correct checksums; and every network that loads gives answers.
//!
//! Most inputs are edits of a valid snapshot with lengths and checksums recomputed, so that the checks after the
//! checksums must refuse them.

use std::sync::LazyLock;

use axum::http::StatusCode;
use kith_server::live::network::LiveNetwork;
use kith_server::snapshot::{FORMAT_VERSION, Loaded, SnapshotError, encode};
use serde_json::json;

use super::choices::Choices;
use super::service::{Caller, Front, TINY, in_address};
use super::{craft, sample};

/// The number of people, from the first, whom the questions are about.
const ASKED_ABOUT: u32 = 3;

/// The sections of the snapshots to edit: they contain every kind of value, and are large enough to answer.
static BASES: LazyLock<[Vec<Vec<u8>>; 2]> =
    LazyLock::new(|| [craft::sections(TINY), craft::sections(&encode(&sample::small()).unwrap())]);

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Refused by the container: the header, or a checksum.
    Container,
    /// Refused after the checksums: the form of the record, or its content.
    Content,
    /// Loaded, and it answered.
    Loaded,
}

/// The file that `input` describes. Its first byte chooses: 0 for a whole file, 1 for one whose checksums are
/// corrected, any other for edits of a valid one, with 2 and 3 as files of versions 1 and 2.
pub fn file_of(input: &[u8]) -> Vec<u8> {
    let mut choices = Choices::new(input);
    match choices.byte() {
        0 => choices.rest().to_vec(),
        1 => sealed(choices.rest().to_vec()),
        2 => edited(&BASES[0], choices, |bytes| craft::of_version(1, bytes)),
        3 => edited(&BASES[1], choices, |bytes| craft::of_version(2, bytes)),
        base => edited(&BASES[usize::from(base) % BASES.len()], choices, <[u8]>::to_vec),
    }
}

/// Checks the result of [`kith_server::snapshot::decode`] for `file` against all its promises; asks `front` about a
/// network that loads.
pub fn check(front: &Front, file: &[u8], decoded: Result<Loaded, SnapshotError>) -> Outcome {
    let loaded = match decoded {
        Ok(loaded) => loaded,
        Err(SnapshotError::Io { action, cause }) => panic!("memory is no disk: {action}: {cause}"),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let content = matches!(
                error,
                SnapshotError::RecordOverrun { .. }
                    | SnapshotError::RecordTrailing { .. }
                    | SnapshotError::Content { .. }
            );
            return if content { Outcome::Content } else { Outcome::Container };
        }
    };
    // One network has one file per version; with two, an identity would not determine the content of a file.
    let written = encode(&loaded.dataset).unwrap();
    match craft::u32_at(file, craft::VERSION_AT) {
        FORMAT_VERSION => assert!(written == file, "it is written as another file than it was read from"),
        older @ 1..FORMAT_VERSION => {
            assert!(craft::of_version(older, &written) == file, "version {older} held something else");
        }
        other => panic!("a file of version {other} was read"),
    }
    let questions = questions(&loaded);
    front.serve(LiveNetwork::new(loaded, "fuzz.kith"));
    for (question, caller) in questions.iter().zip([Caller::Organization, Caller::Member].iter().cycle()) {
        front.get(*caller, question);
    }
    for mode in ["graph", "vector"] {
        let body = json!({ "query": "head of operations in Porto or Graz", "mode": mode }).to_string();
        let status = front.post(Caller::Organization, "/api/v1/search/network", body.as_bytes());
        // Vectors of a model that this program does not have are not compared.
        assert!(status == StatusCode::OK || mode == "vector", "a search by words was refused");
    }
    Outcome::Loaded
}

/// `file` with every checksum that its header locates corrected.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    const ENTRY: usize = 4 + 8 + 8;
    const ROW: usize = ENTRY + 32;
    if file.len() < craft::TABLE_AT || file.len() < craft::header_end(&file) {
        return file;
    }
    let table_end = craft::table_end(&file);
    for row in (craft::TABLE_AT + 8..).step_by(ROW).take_while(|row| row + ROW <= table_end) {
        let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let (kind, offset, length) = (craft::u32_at(&file, row), number(row + 4), number(row + 12));
        let range = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
        let bytes = range.and_then(|(at, length)| file.get(at..at.checked_add(length)?));
        if let Some(checksum) = bytes.map(|bytes| craft::section_checksum(kind, bytes)) {
            craft::put(&mut file, row + ENTRY, &checksum);
        }
    }
    craft::seal(&mut file);
    file
}

/// A file of `sections` after the edits that `choices` make to them or to the header; `of_version` gives it its
/// version.
fn edited(base: &[Vec<u8>], mut choices: Choices<'_>, of_version: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut sections = base.to_vec();
    let mut of_header = Vec::new();
    while !choices.is_empty() {
        let place = choices.below(sections.len() + 1);
        match sections.get_mut(place) {
            Some(section) => edit(section, base, &mut choices),
            None => of_header.push((choices.below(4096), choices.byte())),
        }
    }
    let mut file = of_version(&craft::file(&sections));
    if of_header.is_empty() {
        return file;
    }
    let end = craft::table_end(&file);
    for (at, byte) in of_header {
        file[at % end] ^= byte;
    }
    sealed(file)
}

/// One edit of `section`.
fn edit(section: &mut Vec<u8>, base: &[Vec<u8>], choices: &mut Choices<'_>) {
    let kind = choices.byte();
    let at = choices.below(section.len() + 1);
    let rest = section.len() - at;
    match kind % 7 {
        0 => {
            let count = choices.below(rest.min(255) + 1);
            let bytes = choices.take(count);
            craft::put(section, at, bytes);
        }
        1 => {
            let count = usize::from(choices.byte());
            let bytes = choices.take(count).to_vec();
            section.splice(at..at, bytes);
        }
        2 => drop(section.drain(at..at + choices.below(rest + 1))),
        3 if rest >= 4 => {
            let number =
                craft::u32_at(section, at).wrapping_add_signed(i32::from(choices.byte().cast_signed()));
            craft::put(section, at, &number.to_le_bytes());
        }
        4 if rest >= 8 => craft::put(section, at, &choices.number().to_le_bytes()),
        5 => {
            let from = &base[choices.below(base.len())];
            let start = choices.below(from.len() + 1);
            let count = choices.below(rest.min(from.len() - start) + 1);
            craft::put(section, at, &from[start..start + count]);
        }
        6 => {
            let other = &BASES[choices.below(BASES.len())];
            section.clone_from(&other[choices.below(other.len())]);
        }
        _ => {} // no room for a number
    }
}

/// Addresses to request, about people and companies of `loaded`.
fn questions(loaded: &Loaded) -> Vec<String> {
    let (people, companies) = (&loaded.dataset.people, &loaded.dataset.companies);
    let mut questions = Vec::new();
    let mut ask = |address: &str, value: &str| {
        questions.push(format!("/api/v1/{address}{}", in_address(value.as_bytes(), b"&+%/?")));
    };
    for row in 0..ASKED_ABOUT.min(people.ids.len() as u32) {
        ask("people/", people.ids.get(row));
        ask("people/network?limit=50&personId=", people.ids.get(row));
        ask("search/warm-paths?limit=50&prospectName=", people.names.get(row));
        ask("search/warm-paths?limit=50&prospectLinkedinId=", people.handles.get(row));
        let letters: String = people.names.get(row).chars().take(2).collect();
        ask("search/people?limit=50&q=", &letters);
    }
    for row in 0..ASKED_ABOUT.min(companies.ids.len() as u32) {
        ask("search/warm-paths?includeIntroRequested=true&prospectCompany=", companies.names.get(row));
        ask("search/companies?q=", companies.names.get(row));
    }
    for own in
        ["connections?limit=50", "connections/second-degree?limit=50", "ghost/opportunities?sort=relevancy"]
    {
        ask(own, "");
        ask(own, ""); // once by each caller
    }
    questions
}
