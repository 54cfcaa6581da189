//! Source tables of any bytes make a network that a snapshot can hold, or an error with the place of the fault.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;

use kith_server::snapshot::{decode, encode};
use kith_tables::limits::LINE_BYTES_MAX;
use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{Built, read_folder, read_folder_in_blocks};
use kith_tables::source::error::SourceError;
use tempfile::TempDir;

use super::choices::Choices;

macro_rules! tables {
    ($($name:literal),+) => {
        [$(($name, include_bytes!(concat!("../../fixtures/tiny/", $name)).as_slice())),+, EVIDENCE, ALIASES]
    };
}

/// The tables that the fixture does not have.
const EVIDENCE: (&str, &[u8]) = (
    "evidence.ndjson",
    br#"{"from":"person_ana","to":"person_dee","kind":"message","at":"2025-01-02T03:04:05Z","source":"mail","note":"n"}
{"from":"person_dee","to":"person_dee","kind":"meeting","at":"2025-01-02T03:04:05+01:00"}
"#,
);

/// See [`EVIDENCE`].
const ALIASES: (&str, &[u8]) = (
    "person_aliases.ndjson",
    br#"{"personId":"person_ana","linkedinId":"ana-old","email":"ana@old.example"}
{"personId":"person_dee","email":"d@old.example"}
"#,
);

/// The tables of a valid network; the fuzzer replaces one of them.
pub const TABLES: [(&str, &[u8]); 10] = tables![
    "organization.json",
    "companies.ndjson",
    "people.ndjson",
    "members.ndjson",
    "advocates.ndjson",
    "connections.ndjson",
    "intro_requests.ndjson",
    "ghost_opportunities.ndjson"
];

/// The outcome for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// An error that names the fault.
    Refused,
    /// It made a network.
    Built,
}

/// A folder for each table, with all the others in it.
pub struct Folders {
    root: TempDir,
}

/// How the fuzzer's bytes become a file.
#[derive(Clone, Copy)]
enum Packing {
    Plain,
    /// The bytes are compressed.
    Gzip,
    Zstd,
    /// The bytes are the compressed file.
    AsGzip,
    AsZstd,
}

impl Folders {
    /// Creates the folders.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let tables = root.path().join("tables");
        fs::create_dir(&tables).unwrap();
        for (name, bytes) in TABLES {
            fs::write(tables.join(name), bytes).unwrap();
        }
        for (without, _) in TABLES {
            let folder = root.path().join(without);
            fs::create_dir(&folder).unwrap();
            for (name, _) in TABLES.iter().filter(|(name, _)| *name != without) {
                symlink(tables.join(name), folder.join(name)).unwrap();
            }
        }
        Self { root }
    }

    /// Reads the network with the table that `input` describes: one byte each for the table, its compression and
    /// format, and the block size; then the bytes.
    pub fn check(&self, input: &[u8]) -> Outcome {
        let mut choices = Choices::new(input);
        let (table, _) = TABLES[choices.below(TABLES.len())];
        let form = choices.byte();
        let packing = Packing::ALL[usize::from(form >> 1) % Packing::ALL.len()];
        let block_bytes = usize::from(choices.byte());
        let bytes = choices.rest();
        let extension = if form & 1 == 1 { ".csv" } else { ".ndjson" };
        let name = table.replace(".ndjson", extension) + packing.suffix();
        let folder = self.root.path().join(table);
        fs::write(folder.join(&name), packing.pack(bytes)).unwrap();
        let built = read_folder(&folder, &Silent);
        if block_bytes > 0 {
            let size = BlockSize { block_bytes, line_bytes_max: LINE_BYTES_MAX };
            let again = read_folder_in_blocks(&folder, &Silent, size);
            assert!(said(&built) == said(&again), "in blocks of {block_bytes} bytes it is something else");
        }
        fs::remove_file(folder.join(&name)).unwrap();
        match &built {
            Ok(built) => check_built(built),
            Err(error) => check_error(error, &name, packing.unpacked(bytes)),
        }
    }
}

impl Default for Folders {
    fn default() -> Self {
        Self::new()
    }
}

impl Packing {
    const ALL: [Self; 5] = [Self::Plain, Self::Gzip, Self::Zstd, Self::AsGzip, Self::AsZstd];

    /// The suffix of the file's name.
    fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Gzip | Self::AsGzip => ".gz",
            Self::Zstd | Self::AsZstd => ".zst",
        }
    }

    /// The file that `bytes` make.
    fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Plain | Self::AsGzip | Self::AsZstd => bytes.to_vec(),
            Self::Gzip => {
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packed.write_all(bytes).unwrap();
                packed.finish().unwrap()
            }
            Self::Zstd => zstd::encode_all(bytes, 1).unwrap(),
        }
    }

    /// The uncompressed table of a file from `bytes`, if known.
    fn unpacked(self, bytes: &[u8]) -> Option<&[u8]> {
        matches!(self, Self::Plain | Self::Gzip | Self::Zstd).then_some(bytes)
    }
}

/// The result of a reading, in comparable form.
fn said(built: &Result<Built, SourceError>) -> Result<&Built, String> {
    built.as_ref().map_err(ToString::to_string)
}

fn check_built(built: &Built) -> Outcome {
    let bytes = encode(&built.dataset).unwrap();
    let loaded = decode(&bytes).unwrap_or_else(|error| panic!("what was built does not load: {error}"));
    assert!(loaded.dataset == built.dataset, "another network was read than was written");
    Outcome::Built
}

/// Checks that an error is one line that begins with the name of a table's file, and that a line number in it exists in
/// the file.
fn check_error(error: &SourceError, name: &str, bytes: Option<&[u8]>) -> Outcome {
    let said = error.to_string();
    assert!(said.starts_with(&error.file) && !said.contains('\n'), "{said}");
    let sound = TABLES.iter().find(|(table, _)| *table == error.file).map(|(_, bytes)| *bytes);
    assert!(error.file == name || sound.is_some(), "{said}");
    if let (Some(line), Some(bytes)) = (error.line, if error.file == name { bytes } else { sound }) {
        let ends = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert!((1..=ends + 1).contains(&line), "{said}");
    }
    Outcome::Refused
}
