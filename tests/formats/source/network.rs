//! A small network as source tables in every form: NDJSON or CSV, compressed or not.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{Built, read_folder, read_folder_in_blocks};
use kith_tables::source::error::SourceError;
use serde_json::value::RawValue;

/// The tables of one organization: the object of the organization, and rows of JSON for each other.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) organization: String,
    pub(crate) tables: BTreeMap<&'static str, Vec<String>>,
}

/// A file's name and bytes.
pub(crate) type File = (String, Vec<u8>);

impl Network {
    /// Five people at two companies, two of them members; every table has rows.
    pub(crate) fn small() -> Self {
        let tables = [
            (
                "companies",
                &[
                    r#"{"id":"company_b","name":"Bolt"}"#,
                    r#"{"id":"company_a","name":"Acme, Inc.","companyId":"acme","industry":"tools","headquartersLocation":"Oslo","minSize":10,"maxSize":9007199254740991,"logoUrl":"https://acme.example/logo.png","domain":"WWW.Acme.example/"}"#,
                ][..],
            ),
            (
                "people",
                &[
                    r#"{"id":"person_eve","name":"Eve"}"#,
                    r#"{"id":"person_bob","name":"Bob","position":"CTO","currentCompanyId":"company_a","city":"Oslo"}"#,
                    r#"{"id":"person_ann","name":"Ann \"A.\" Ås","linkedinId":"ann","email":"ann@acme.example","position":"CEO","currentCompanyId":"company_a","city":"Oslo","country":"Norway","connectionsCount":500}"#,
                    r#"{"id":"person_dee","name":"Dee","position":"line one\nline two","currentCompanyId":"company_b"}"#,
                    r#"{"id":"person_cy","name":"Cy","currentCompanyId":null,"city":""}"#,
                ],
            ),
            (
                "members",
                &[
                    r#"{"userId":"user_2","personId":"person_ann","role":"admin","joinedAt":"2020-01-02T03:04:05+02:00","connectionsSyncedAt":"2024-01-01T00:00:00Z"}"#,
                    r#"{"userId":"user_1","personId":"person_bob","role":"member","joinedAt":"2021-01-01T00:00:00.123456Z"}"#,
                ],
            ),
            (
                "advocates",
                &[
                    r#"{"personId":"person_dee","userId":"user_1","status":"accepted","connectionsSyncedAt":"2024-02-01T00:00:00Z"}"#,
                    r#"{"personId":"person_cy","userId":"user_2","status":"accepted"}"#,
                    r#"{"personId":"person_cy","userId":"user_1","status":"pending"}"#,
                    r#"{"personId":"person_ann","userId":"user_1","status":"declined"}"#,
                ],
            ),
            (
                "connections",
                &[
                    r#"{"from":"person_ann","to":"person_cy","warmness":70,"breakdown":{"sameCity": 5, "pastCompanyName":"B, \"C\"","sharedAccelerator":0.50}}"#,
                    r#"{"from":"person_bob","to":"person_ann","warmness":0,"breakdown":{}}"#,
                    r#"{"from":"person_cy","to":"person_eve"}"#,
                    r#"{"from":"person_cy","to":"person_dee","warmness":100,"breakdown":{"sameCity":5}}"#,
                    r#"{"from":"person_eve","to":"person_dee","warmness":null,"breakdown":{"new":1e400}}"#,
                ],
            ),
            (
                "intro_requests",
                &[
                    r#"{"personId":"person_eve","status":"ACTIVE","requestedBy":"user_1","requestedAt":"2024-03-01T10:00:00Z"}"#,
                    r#"{"personId":"person_eve","status":"DONE","requestedBy":"user_2","requestedAt":"2024-03-01T12:00:00+02:00"}"#,
                    r#"{"personId":"person_eve","status":"ACTIVE","requestedBy":"user_2","requestedAt":"2024-03-01T10:00:00Z"}"#,
                    r#"{"personId":"person_dee","status":"ACTIVE","requestedBy":"user_1","requestedAt":"2024-03-01T10:00:00.5Z"}"#,
                    r#"{"personId":"person_dee","status":"ACTIVE","requestedBy":"user_2","requestedAt":"2024-03-01T10:00:00Z"}"#,
                ],
            ),
            (
                "evidence",
                &[
                    r#"{"from":"person_cy","to":"person_dee","kind":"meeting","at":"2024-05-01T10:00:00+02:00","source":"calendar","note":"lunch, \"both\""}"#,
                    r#"{"from":"person_ann","to":"person_eve","kind":"dropped","at":"2024-05-01T00:00:00Z","note":"no edge"}"#,
                    r#"{"from":"person_bob","to":"person_dee","kind":"invitation","at":"2024-05-01T00:00:00Z","source":"","note":null}"#,
                    r#"{"from":"person_cy","to":"person_dee","kind":"message","at":"2024-05-01T08:00:00Z","source":"mail"}"#,
                    r#"{"from":"person_cy","to":"person_dee","kind":"meeting","at":"2024-05-02T00:00:00Z"}"#,
                    r#"{"from":"person_cy","to":"person_dee","kind":"meeting","at":"2024-05-01T08:00:00Z"}"#,
                ],
            ),
            (
                "person_aliases",
                &[
                    r#"{"personId":"person_eve","linkedinId":"eve-old","email":"eve@old.example"}"#,
                    r#"{"personId":"person_ann","email":"Ann@Home.example","linkedinId":null}"#,
                    r#"{"personId":"person_eve","linkedinId":"eve, \"2\"","email":""}"#,
                    r#"{"personId":"person_ann","email":"Ann@Home.example"}"#,
                ],
            ),
            (
                "affiliations",
                &[
                    r#"{"personId":"person_dee","companyId":"company_b","kind":"job","role":"CFO, \"acting\"","from":"2015","to":"2018-06"}"#,
                    r#"{"personId":"person_cy","institution":" BOLT ","kind":"board","from":"2016-01-31"}"#,
                    r#"{"personId":"person_bob","companyId":"company_b","kind":"job","from":"2014","to":"2019","role":null}"#,
                    r#"{"personId":"person_eve","institution":"Ås School","kind":"school","from":"2001","to":"2004"}"#,
                ],
            ),
            (
                "ghost_opportunities",
                &[
                    r#"{"id":"ghost_2","prospectId":"person_eve","overallScore":1.50,"status":"visible","discoveredAt":"2024-05-01T00:00:00Z","discoveredBy":"user_1"}"#,
                    r#"{"id":"ghost_1","prospectId":"person_dee","overallScore":-0,"priority":"high","confidenceLevel":5e-1,"status":"intro_requested","discoveredAt":"2024-04-01T00:00:00Z","searchSource":"web","icpEvaluation":{ "b": 12345678901234567890123, "a":[{}] },"buyingIntent":{},"keyInsights":{"summary":"A \u0026 B"},"discoveredBy":"user_2","paths":[{"connectionId":"person_cy","connectionType":"direct","strengthScore":80,"userToHomieWarmness":7.0},{"connectionId":"person_ann","connectionType":"second","strengthScore":1e1}]}"#,
                ],
            ),
        ];
        let rows = |rows: &[&str]| rows.iter().map(|&row| row.to_owned()).collect();
        Self {
            organization: r#"{"id":"org_acme","name":"Acme","companyId":"company_a"}"#.to_owned(),
            tables: tables.into_iter().map(|(table, lines)| (table, rows(lines))).collect(),
        }
    }

    /// The network with `row` as the last of `table`.
    pub(crate) fn with_row(mut self, table: &'static str, row: &str) -> Self {
        self.tables.entry(table).or_default().push(row.to_owned());
        self
    }

    /// The network with `rows` as the whole of `table`.
    pub(crate) fn with_table(mut self, table: &'static str, rows: &[&str]) -> Self {
        self.tables.insert(table, rows.iter().map(|&row| row.to_owned()).collect());
        self
    }

    /// The tables as NDJSON.
    pub(crate) fn ndjson(&self) -> Vec<File> {
        let lines = |rows: &Vec<String>| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
        self.files(|table, rows| (format!("{table}.ndjson"), lines(rows).into_bytes()))
    }

    /// The tables as CSV.
    pub(crate) fn csv(&self) -> Vec<File> {
        self.files(|table, rows| (format!("{table}.csv"), to_csv(rows)))
    }

    fn files(&self, file: impl Fn(&str, &Vec<String>) -> File) -> Vec<File> {
        let organization = ("organization.json".to_owned(), self.organization.clone().into_bytes());
        let tables = self.tables.iter().map(|(table, rows)| file(table, rows));
        std::iter::once(organization).chain(tables).collect()
    }
}

/// `rows` of JSON as CSV: texts as they are, everything else as JSON text.
fn to_csv(rows: &[String]) -> Vec<u8> {
    let rows: Vec<BTreeMap<String, Box<RawValue>>> =
        rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let mut columns: Vec<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns).unwrap();
    for row in &rows {
        let cell = |column: &&String| match row.get(*column).map_or("null", |raw| raw.get()) {
            "null" => String::new(),
            text if text.starts_with('"') => serde_json::from_str(text).unwrap(),
            raw => raw.to_owned(),
        };
        writer.write_record(columns.iter().map(cell)).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Reads `files` as a folder.
pub(crate) fn read(files: &[File]) -> Result<Built, SourceError> {
    in_folder(files, |folder| read_folder(folder, &Silent))
}

/// Reads `files` as a folder, in blocks of about `block_bytes`.
pub(crate) fn read_in_blocks(files: &[File], block_bytes: usize) -> Result<Built, SourceError> {
    let size = BlockSize { block_bytes, ..BlockSize::DEFAULT };
    in_folder(files, |folder| read_folder_in_blocks(folder, &Silent, size))
}

pub(crate) fn in_folder<T>(files: &[File], read: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    read(folder.path())
}

/// The file `name` of `files` under the name `name` + `suffix`, its bytes run through `pack`.
pub(crate) fn repack(files: &mut [File], name: &str, suffix: &str, pack: impl Fn(&[u8]) -> Vec<u8>) {
    let file = files.iter_mut().find(|file| file.0 == name).unwrap();
    file.0.push_str(suffix);
    file.1 = pack(&file.1);
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}
