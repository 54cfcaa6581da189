//! Files: compression, byte order marks, line ends, blocks, and faults of bytes.

use kith_tables::limits::LINE_BYTES_MAX;
use kith_tables::progress::{Progress, Silent};
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{read_folder, read_folder_in_blocks};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::source::network::{File, Network, gzip, in_folder, read, read_in_blocks, repack, zstd};

/// The file `name` of `files`, replaced by `bytes`.
fn replace(files: &[File], name: &str, bytes: Vec<u8>) -> Vec<File> {
    let mut files = files.to_vec();
    files.iter_mut().find(|file| file.0 == name).unwrap().1 = bytes;
    files
}

#[test]
fn packed_tables_are_the_tables() {
    let plain = read(&Network::small().ndjson()).unwrap();
    let mut files = Network::small().csv();
    for (name, suffix) in [("people.csv", ".gz"), ("connections.csv", ".gz"), ("organization.json", ".gz")] {
        repack(&mut files, name, suffix, gzip);
    }
    for name in ["members.csv", "companies.csv"] {
        repack(&mut files, name, ".zst", zstd);
    }
    assert_eq!(read(&files).unwrap(), plain);
}

#[test]
fn a_packed_file_may_have_several_members() {
    let plain = read(&Network::small().ndjson()).unwrap();
    for (suffix, pack) in [(".gz", gzip as fn(&[u8]) -> Vec<u8>), (".zst", zstd)] {
        let halves = |bytes: &[u8]| {
            let (first, second) = bytes.split_at(bytes.len() / 2);
            [pack(first), pack(second)].concat()
        };
        let mut files = Network::small().ndjson();
        repack(&mut files, "people.ndjson", suffix, halves);
        assert_eq!(read(&files).unwrap(), plain, "{suffix}");
    }
}

#[test]
fn a_packed_file_that_is_cut_or_damaged_is_reported() {
    for (suffix, pack) in [(".gz", gzip as fn(&[u8]) -> Vec<u8>), (".zst", zstd)] {
        let small = Network::small().ndjson();
        let connections = small.iter().find(|(name, _)| name == "connections.ndjson").unwrap();
        let whole = pack(&connections.1);
        let length = whole.len();
        let mut flipped = whole.clone();
        flipped[length - 3] ^= 1;
        let broken =
            [vec![], whole[..5].to_vec(), whole[..length / 2].to_vec(), whole[..length - 1].to_vec()];
        for bytes in broken.into_iter().chain([flipped, b"id,name\n".to_vec()]) {
            let mut files = Network::small().ndjson();
            let cut = bytes.len();
            repack(&mut files, "connections.ndjson", suffix, |_| bytes.clone());
            let error = read(&files).unwrap_err();
            assert_eq!(error.file, format!("connections.ndjson{suffix}"), "{error}");
            assert!(error.to_string().contains("does not unpack"), "{suffix} {cut} of {length}: {error}");
        }
    }
}

#[test]
fn whole_lines_before_a_break_are_read_first() {
    let rows: Vec<String> =
        (0..20_000).map(|n| format!("{{\"id\":\"person_{n}\",\"name\":\"{n}\"}}\n")).collect();
    let mut text = rows.concat();
    text.insert_str(0, "{\"id\":\"oops\"}\n");
    let packed = gzip(text.as_bytes());
    let mut files = Network::small().ndjson();
    repack(&mut files, "people.ndjson", ".gz", |_| packed[..packed.len() / 2].to_vec());
    for block_bytes in [1000, 1 << 20] {
        let error = read_in_blocks(&files, block_bytes).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(1), Some("id")), "{error}");
    }
}

#[test]
fn byte_order_marks_blank_lines_and_crlf_change_nothing() {
    let plain = read(&Network::small().ndjson()).unwrap();
    for files in [Network::small().ndjson(), Network::small().csv()] {
        let dressed: Vec<File> = files
            .iter()
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes.clone()).unwrap();
                // In CSV a line end inside quotes belongs to its cell.
                let text = text.replace("line one\nline two", "LINES").replace('\n', "\r\n\r\n");
                (
                    name.clone(),
                    format!("\u{feff}{}", text.replace("LINES", "line one\nline two")).into_bytes(),
                )
            })
            .collect();
        assert_eq!(read(&dressed).unwrap(), plain);
    }
    let spaced = [Network::small().ndjson()[4].1.as_slice(), b"  \t\r\n\n"].concat();
    let name = Network::small().ndjson()[4].0.clone();
    assert_eq!(read(&replace(&Network::small().ndjson(), &name, spaced)).unwrap(), plain);
}

#[test]
fn the_last_line_needs_no_end() {
    let plain = read(&Network::small().ndjson()).unwrap();
    for files in [Network::small().ndjson(), Network::small().csv()] {
        let cut = |(name, bytes): &File| (name.clone(), bytes.trim_ascii_end().to_vec());
        assert_eq!(read(&files.iter().map(cut).collect::<Vec<_>>()).unwrap(), plain);
    }
}

#[test]
fn where_blocks_are_cut_changes_nothing() {
    let plain = read(&Network::small().ndjson()).unwrap();
    for files in [Network::small().ndjson(), Network::small().csv()] {
        for block_bytes in (0..40).chain([64, 100, 333, 1000]) {
            assert_eq!(read_in_blocks(&files, block_bytes).unwrap(), plain, "{block_bytes}");
        }
    }
}

#[test]
fn a_table_of_many_blocks_is_read_in_full() {
    let ids = |n: usize| (n % 1000, n / 1000);
    let people = (0..1000).map(|n| format!("{{\"id\":\"person_{n}\",\"name\":\"N {n}\"}}"));
    let edges = (0..20_000).map(|n| {
        let (from, shift) = ids(n);
        let (to, score) = ((from + shift + 1) % 1000, n % 101);
        format!("{{\"from\":\"person_{from}\",\"to\":\"person_{to}\",\"warmness\":{score},\"breakdown\":{{\"a\":{}}}}}", n % 777)
    });
    let mut network = Network::small();
    network.organization = r#"{"id":"org_a","name":"A"}"#.to_owned();
    network.tables = [
        ("people", people.collect()),
        ("members", vec![r#"{"userId":"user_1","personId":"person_1","role":"admin","joinedAt":"2020-01-01T00:00:00Z"}"#.to_owned()]),
        ("connections", edges.collect()),
    ]
    .into();
    let built = read_in_blocks(&network.ndjson(), 4096).unwrap();
    assert_eq!(built.dataset.edges.breakdowns.len(), 20_000);
    assert_eq!(built.dataset.breakdowns.len(), 778);
    assert!(built.dataset.breakdowns.iter().is_sorted_by(|a, b| a < b));
    assert_eq!(read(&network.csv()).unwrap(), built);
}

#[test]
fn bytes_that_are_no_utf_8_are_reported_with_their_line() {
    for (name, bytes, line) in [
        (
            "people.ndjson",
            &b"{\"id\":\"person_ann\",\"name\":\"A\"}\n{\"id\":\"person_bob\",\"name\":\"\xff\"}\n"[..],
            2,
        ),
        ("people.ndjson", b"\xff", 1),
        ("organization.json", b"{\"id\":\n\"org_\xff\"}", 2),
        ("people.csv", b"id,name\nperson_ann,\"A\n\nB\"\nperson_bob,\"\n\xff\"\n", 5),
        ("people.csv", b"id,\xff\n", 1),
    ] {
        let files = if name.ends_with("csv") { Network::small().csv() } else { Network::small().ndjson() };
        for block_bytes in [3, 1 << 20] {
            let error = read_in_blocks(&replace(&files, name, bytes.to_vec()), block_bytes).unwrap_err();
            assert_eq!((error.file.as_str(), error.line), (name, Some(line)), "{error}");
            assert!(error.to_string().contains("not UTF-8"), "{error}");
        }
    }
}

#[test]
fn a_line_may_be_as_long_as_its_bound() {
    let row = |bytes: usize| {
        let start = r#"{"from":"person_ann","to":"person_eve","note":""#;
        format!("{start}{}\"}}\n", "x".repeat(bytes - start.len() - 2))
    };
    let record = |bytes: usize| format!("person_ann,person_eve,{}\n", "x".repeat(bytes - 22));
    let read = |name: &str, text: String, block_bytes: usize| {
        let small = if name.ends_with("csv") { Network::small().csv() } else { Network::small().ndjson() };
        let size = BlockSize { block_bytes, line_bytes_max: 1500 };
        let files = replace(&small, name, text.into_bytes());
        in_folder(&files, |folder| read_folder_in_blocks(folder, &Silent, size))
    };
    for block_bytes in [10, 500, 1500, 1501, 1502, 5000] {
        for (name, text, line) in [
            ("connections.ndjson", row(100) + &row(1500) + &row(1501), 3),
            ("connections.csv", format!("from,to,note\n{}{}", record(1500), record(1501)), 3),
        ] {
            let error = read(name, text, block_bytes).unwrap_err();
            assert_eq!((error.file.as_str(), error.line), (name, Some(line)), "{error}");
            assert!(error.to_string().contains("longer than 1500 bytes"), "{error}");
        }
        assert!(read("connections.ndjson", row(1500), block_bytes).is_ok());
        let text = format!("from,to,note\n{}", record(1500));
        assert!(read("connections.csv", text, block_bytes).is_ok());
    }
}

#[test]
fn a_long_line_within_the_bound_of_production_is_read() {
    // A field that is passed over may be long; so may white space in an object.
    let (filling, blank) = ("x".repeat(LINE_BYTES_MAX / 4), " ".repeat(LINE_BYTES_MAX / 4));
    let row = format!(
        "{{\"id\":\"ghost_x\",\"prospectId\":\"person_eve\",\"overallScore\":1,\"status\":\"saved\",\"discoveredAt\":\"2020-01-01T00:00:00Z\",\"discoveredBy\":\"user_1\",\"note\":\"{filling}\",\"keyInsights\":{{{blank}\"a\":1}}}}"
    );
    let built = read(&Network::small().with_row("ghost_opportunities", &row).ndjson()).unwrap();
    assert_eq!(built.dataset.opportunities.key_insights.get(2), "{\"a\":1}");
}

#[test]
fn files_that_are_no_table_are_ignored_and_missing_tables_empty() {
    let mut network = Network::small();
    network.organization = r#"{"id":"org_a","name":"A"}"#.to_owned();
    network.tables.retain(|table, _| ["people", "members"].contains(table));
    network.tables.get_mut("people").unwrap().iter_mut().for_each(|row| {
        *row = row
            .replace(r#""currentCompanyId":"company_a","#, "")
            .replace(r#","currentCompanyId":"company_b""#, "");
    });
    let mut files = network.ndjson();
    for name in ["README.md", "people.txt", "people.ndjson.bak", "Connections.csv", "connections.json"] {
        files.push((name.to_owned(), b"nothing\xff".to_vec()));
    }
    let built = read(&files).unwrap();
    assert_eq!((built.dataset.people.len(), built.dataset.members.len()), (5, 2));
    assert_eq!((built.dataset.companies.names.len(), built.dataset.edges.breakdowns.len()), (0, 0));
    assert_eq!(built.dataset.opportunities.path_offsets.0, [0]);
    assert_eq!(built.dataset.breakdowns.iter().collect::<Vec<_>>(), [""]);

    for empty in ["", "\n", "\u{feff}"] {
        let nobody = replace(&files, "members.ndjson", empty.into());
        assert_eq!(read(&nobody).unwrap().dataset.members.len(), 0);
    }
    let header = [b"userId,personId,role,joinedAt\n".to_vec(), b"\n".to_vec(), Vec::new()];
    for bytes in header {
        let mut nobody = files.clone();
        nobody.retain(|file| file.0 != "members.ndjson");
        nobody.push(("members.csv".to_owned(), bytes));
        assert_eq!(read(&nobody).unwrap().dataset.members.len(), 0);
    }
}

#[test]
fn many_empty_lines_before_a_header_cost_little() {
    let mut text = "\r\n".repeat(1 << 20);
    text.push_str("from,to\nperson_ann,person_x\n");
    let error = read(&replace(&Network::small().csv(), "connections.csv", text.into_bytes())).unwrap_err();
    assert_eq!(error.line, Some((1 << 20) + 2), "{error}");
}

#[test]
fn progress_reports_every_byte_on_disk_and_every_stage() {
    #[derive(Default)]
    struct Told {
        total: AtomicU64,
        advanced: AtomicU64,
        stages: Mutex<Vec<String>>,
    }
    impl Progress for Told {
        fn total(&self, bytes: u64) {
            self.total.store(bytes, Ordering::Relaxed);
        }
        fn advance(&self, bytes: u64) {
            self.advanced.fetch_add(bytes, Ordering::Relaxed);
        }
        fn stage(&self, name: &str) {
            self.stages.lock().unwrap().push(name.to_owned());
        }
    }
    let mut files = Network::small().ndjson();
    repack(&mut files, "people.ndjson", ".gz", gzip);
    repack(&mut files, "members.ndjson", ".zst", zstd);
    let said = Told::default();
    in_folder(&files, |folder| read_folder(folder, &said)).unwrap();
    let total: usize = files.iter().map(|file| file.1.len()).sum();
    assert_eq!(said.total.into_inner(), total as u64);
    assert_eq!(said.advanced.into_inner(), total as u64);
    let stages = "organization companies people person_aliases members advocates connections intro_requests ghost_opportunities evidence affiliations edges names vectors";
    assert_eq!(said.stages.into_inner().unwrap().join(" "), stages);
}
