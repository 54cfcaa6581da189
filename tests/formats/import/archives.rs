//! Broken or malicious archives and workbooks: each has one clear fault, and their valid parts are read.
//!
//! Promise: Harmful content has one clear fault, and sound content beside it is read: bombs, paths that lead out,
//!   archives within archives, false directories, claims of a workbook, lines of 4 MB.
//! Control: the same archive or workbook without the harm is read whole; an entry of one byte less than the bound.
//! Also in: `tests/formats/import/hostile.rs`, `tests/formats/import/mod.rs`.

use std::io::{Cursor, Read, Write};

use kith_import::fault::FileFault;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::import::{fixture, read};

const CONNECTIONS: &[u8] = b"First Name,Last Name,Connected On\nAnn,Lee,\n";

/// An archive of `entries`.
pub(crate) fn packed(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The archive or workbook `bytes` with each entry as `change` leaves it.
pub(crate) fn repacked(bytes: &[u8], mut change: impl FnMut(&str, Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut entries = Vec::new();
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).unwrap();
        let (name, mut content) = (entry.name().unwrap().into_owned(), Vec::new());
        entry.read_to_end(&mut content).unwrap();
        let content = change(&name, content);
        entries.push((name, content));
    }
    let entries: Vec<(&str, &[u8])> =
        entries.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
    packed(&entries, CompressionMethod::Stored)
}

/// `bytes` with each `from` in it replaced by `to`.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            changed[at..at + from.len()].copy_from_slice(to);
        }
    }
    changed
}

/// How many rows of `bytes` were used, and its faults, each with its entry.
fn said(file: &str, bytes: &[u8]) -> (u64, Vec<String>) {
    let (_, counts) = read(file, bytes);
    let faults =
        counts.iter().filter_map(|entry| Some(format!("{}: {}", entry.file, entry.count.fault.as_ref()?)));
    (counts.iter().map(|entry| entry.count.used).sum(), faults.collect())
}

#[test]
fn an_entry_that_is_made_to_harm_is_refused_and_the_others_are_read() {
    let zeros = vec![b'a'; 4 << 20];
    let nested = packed(&[("b.csv", CONNECTIONS)], CompressionMethod::Stored);
    for (name, bytes, fault) in [
        ("bomb.csv", zeros.as_slice(), FileFault::RatioTooHigh),
        ("../../up.csv", CONNECTIONS, FileFault::ClimbingPath),
        ("/root.csv", CONNECTIONS, FileFault::ClimbingPath),
        ("more.zip", &nested, FileFault::NestedArchive),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileFault::OldWorkbook),
        ("a.csv.gz", b"\x1f\x8b\x08", FileFault::Compressed),
        ("sub/Connections.csv", b"Pr\xc3\xa9nom;Nom2\n", FileFault::UnknownHeader("Prénom;Nom2".to_owned())),
    ] {
        let archive = packed(&[("Connections.csv", CONNECTIONS), (name, bytes)], CompressionMethod::Deflated);
        assert_eq!(said("a.zip", &archive), (1, vec![format!("a.zip!/{name}: {fault}")]), "{name}");
    }
    // The control: an entry that is not one of these.
    let archive =
        packed(&[("Connections.csv", CONNECTIONS), ("b.csv", CONNECTIONS)], CompressionMethod::Deflated);
    assert_eq!(said("a.zip", &archive), (2, vec![]));
}

#[test]
fn an_archive_that_is_broken_or_beyond_a_bound_says_so() {
    let whole = packed(&[("a.csv", CONNECTIONS), ("b.csv", CONNECTIONS)], CompressionMethod::Stored);
    let says = |bytes: &[u8], word: &str, used: u64| {
        let (found, faults) = said("a.zip", bytes);
        assert!(
            found == used && faults.len() == 1 && faults[0].contains(word),
            "{word}: {found} used, {faults:?}"
        );
    };
    assert_eq!(said("a.zip", &whole), (2, vec![]));
    says(&whole[..whole.len() - 30], "damaged or cut short", 0);
    says(&whole[..40], "damaged or cut short", 0);
    says(&replaced(&whole, b"b.csv", b"a.csv"), "two of its entries have one name", 0);
    // One byte of the text of the first entry: its checksum differs.
    let mut damaged = whole.clone();
    let at = damaged.windows(3).position(|window| window == b"Ann").unwrap();
    damaged[at] ^= 1;
    says(&damaged, "damaged or cut short", 1);
    // The mark of encryption, in both headers of the first entry.
    let mut encrypted = whole.clone();
    encrypted[6] |= 1;
    let directory = encrypted.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    encrypted[directory + 8] |= 1;
    says(&encrypted, "encrypted", 1);
    let names: Vec<String> = (0..10_001).map(|number| format!("{number}.csv")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    says(&packed(&many, CompressionMethod::Stored), "more than 10000 entries", 0);
    says(&packed(&[("a.txt", b"none")], CompressionMethod::Stored), "no header of a known export", 0);
    says(&packed(&[("a.jpg", b"none")], CompressionMethod::Stored), "nothing in it is a known export", 0);
    says(&packed(&[], CompressionMethod::Stored), "nothing in it is a known export", 0);
}

#[test]
fn a_workbook_that_is_broken_or_made_to_harm_says_so_and_keeps_the_rows_before_it() {
    let with = |part: &str, from: &str, to: &str| {
        repacked(fixture("linkedin.xlsx"), |name, content| {
            let text = String::from_utf8(content).unwrap();
            if name == part { text.replacen(from, to, 1).into_bytes() } else { text.into_bytes() }
        })
    };
    let (used, _) = said("a.xlsx", fixture("linkedin.xlsx"));
    assert_eq!((used, said("a.xlsx", &with("-", "", ""))), (3, (3, vec![])), "the control: packed again");
    let strings = "xl/sharedStrings.xml";
    let sheet = "xl/worksheets/sheet1.xml";
    for (what, bytes, used, word) in [
        (
            "texts claimed",
            with(strings, "uniqueCount=\"", "uniqueCount=\"9999999999999"),
            0,
            "no part of a workbook",
        ),
        ("UTF-16", with(strings, "<sst", "\0<sst"), 0, "no part of a workbook"),
        (
            "rows out of order",
            with(sheet, "<row r=\"7\"><c r=\"A7\"", "<row r=\"1\"><c r=\"A1\""),
            3,
            "out of order",
        ),
        (
            "a text that is not there",
            with(sheet, "<c r=\"A5\" t=\"s\"><v>", "<c r=\"A5\" t=\"s\"><v>999"),
            2,
            "row 4: the workbook is damaged",
        ),
        ("cut short", with(sheet, "</sheetData></worksheet>", ""), 3, "the workbook is damaged"),
        ("no header", with(strings, "First Name", "Some Name"), 0, "no header of a known export"),
        (
            "a row too long",
            with(
                sheet,
                "<row r=\"5\">",
                &format!(
                    "<row r=\"5\"><c r=\"H5\" t=\"inlineStr\"><is><t>{}</t></is></c>",
                    "x".repeat(2 << 20)
                ),
            ),
            2,
            "longer than 1048576 bytes",
        ),
    ] {
        let (found, faults) = said("a.xlsx", &bytes);
        assert!(
            found == used && faults.len() == 1 && faults[0].contains(word),
            "{what}: {found} used, {faults:?}"
        );
    }
    let bomb =
        repacked(
            fixture("linkedin.xlsx"),
            |name, content| {
                if name == sheet { vec![b' '; (64 << 20) + 1] } else { content }
            },
        );
    assert!(said("a.xlsx", &bomb).1[0].contains("save it as CSV"));
}

#[test]
fn a_file_of_a_kind_without_rows_is_called_by_its_kind() {
    let office =
        |part: &str| packed(&[("[Content_Types].xml", b"<x/>"), (part, b"<x/>")], CompressionMethod::Stored);
    for (name, bytes, kind) in [
        ("cv.pdf", b"%PDF-1.4\n%\xe2\xe3\n1 0 obj\n".to_vec(), "a PDF"),
        ("ann.png", b"\x89PNG\r\n\x1a\n0000".to_vec(), "a picture"),
        ("ann.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), "a picture"),
        ("ann.webp", b"RIFF\0\0\0\0WEBPVP8 ".to_vec(), "a picture"),
        ("ann.heic", b"\0\0\0\x18ftypheic".to_vec(), "a film or a picture"),
        ("ann.json", b"{\"people\": [{\"name\": \"Ann\"}]}".to_vec(), "a file of JSON"),
        ("ann.html", b"<!DOCTYPE html><title>Ann</title>".to_vec(), "a web page"),
        ("ann.docx", office("word/document.xml"), "a document of Word"),
        ("ann.pptx", office("ppt/presentation.xml"), "a presentation"),
    ] {
        let fault = format!(
            "{name}: {kind}, which is no export; if it has a list of people, save that as .csv or .xlsx"
        );
        assert_eq!(said(name, &bytes), (0, vec![fault]));
    }
    // The control: text of no such kind, and a workbook of another program.
    assert!(said("notes.txt", b"Some notes\non Ann\n").1[0].contains("no header of a known export"));
    assert!(said("ann.numbers", &office("Index/Document.iwa")).1[0].contains("save it as .xlsx or CSV"));
}
