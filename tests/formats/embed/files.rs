//! Files that are not a model are refused, each with its fault.

use kith_embed::model::Model;
use kith_server::model::vectors::DIMENSIONS;

/// A safetensors file of these tensors: name, type, shape, bytes.
fn table(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> &'static [u8] {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let range = [data.len(), data.len() + bytes.len()];
        let entry = serde_json::json!({"dtype": dtype, "shape": shape, "data_offsets": range});
        header.insert((*name).to_owned(), entry);
        data.extend(bytes);
    }
    let mut header = serde_json::Value::from(header).to_string();
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat().leak()
}

fn scales(scales: &[f32]) -> Vec<u8> {
    scales.iter().flat_map(|scale| scale.to_le_bytes()).collect()
}

/// Four rows: of the two markers, then along the first component, then against it and the second.
fn rows() -> Vec<u8> {
    let mut rows = vec![0; 4 * DIMENSIONS];
    rows[2 * DIMENSIONS] = 100;
    (rows[3 * DIMENSIONS], rows[3 * DIMENSIONS + 1]) = (200_u8, 127); // -56, 127
    rows
}

fn sound_table() -> &'static [u8] {
    let scales = scales(&[1.0, 1.0, 0.5, 1.0]);
    table(&[("weights", "F32", &[4], scales), ("embeddings", "I8", &[4, DIMENSIONS], rows())])
}

fn sound_tokenizer() -> serde_json::Value {
    let marker = |id: u32, content: &str| {
        serde_json::json!({"id": id, "special": true, "content": content, "single_word": false,
            "lstrip": false, "rstrip": false, "normalized": false})
    };
    serde_json::json!({
        "added_tokens": [marker(0, "[PAD]"), marker(1, "[UNK]")],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"[PAD]": 0, "[UNK]": 1, "red": 2, "##dish": 3}},
    })
}

#[track_caller]
fn assert_refused(table: &'static [u8], tokenizer: &str, reason: &str) {
    let said = Model::parse(table, tokenizer.as_bytes()).err().map(|error| error.to_string());
    let said = said.unwrap_or_else(|| panic!("accepted, though {reason}"));
    assert!(said.contains(reason) && said.contains("take the model's files in again"), "{said}");
}

/// The control of what follows: the files are sound before they are broken.
#[test]
fn the_vector_of_a_text_is_the_direction_of_its_pieces_rows_together() {
    let model = Model::parse(sound_table(), sound_tokenizer().to_string().as_bytes()).unwrap();
    let first = |text| model.embed(text).quantize()[..3].to_vec();
    assert_eq!(first("red"), [127, 0, 0]);
    assert_eq!(first("Réd RED [UNK] zzz [PAD]"), [127, 0, 0]);
    assert_eq!(first("reddish"), [-6, 127, 0]); // 100 × 0.5 - 56, and 127
    assert_eq!(first("dish"), [0, 0, 0]); // a piece inside words alone
    assert!(model.embed("dish reddishes").is_zero());
}

#[test]
fn tables_that_are_none_are_refused() {
    let tokenizer = sound_tokenizer().to_string();
    let good = || ("weights", "F32", &[4][..], scales(&[1.0; 4]));
    let of_rows = |dtype, shape: &[usize], bytes| table(&[good(), ("embeddings", dtype, shape, bytes)]);
    for (table, reason) in [
        (&b""[..], "table cannot be read"),
        (&[0xff; 16], "table cannot be read"),
        (&sound_table()[..400], "table cannot be read"),
        (table(&[good()]), "embeddings"),
        (of_rows("U8", &[4, DIMENSIONS], rows()), "embeddings of the model's table is U8 [4, 256]"),
        (of_rows("I8", &[8, DIMENSIONS / 2], rows()), "not I8 [4, 256]"),
        (of_rows("I8", &[3, DIMENSIONS], vec![0; 3 * DIMENSIONS]), "is I8 [3, 256], not I8 [4, 256]"),
        (table(&[("weights", "F32", &[2, 2], scales(&[1.0; 4]))]), "not F32 [rows]"),
        (table(&[("weights", "F32", &[2], scales(&[1.0, 0.0]))]), "row 1 of the model's table"),
        (table(&[("weights", "F32", &[2], scales(&[f32::NAN, 1.0]))]), "row 0 of the model's table"),
    ] {
        assert_refused(table, &tokenizer, reason);
    }
}

#[test]
fn tokenizers_that_work_otherwise_or_number_other_rows_are_refused() {
    assert_refused(sound_table(), "{", "tokenizer cannot be read");
    type Change = fn(&mut serde_json::Value);
    let changes: [(Change, &str); 14] = [
        (|file| file["normalizer"]["type"] = "NFC".into(), "normalizer.type"),
        (|file| file["normalizer"]["clean_text"] = false.into(), "normalizer.clean_text"),
        (|file| file["normalizer"]["handle_chinese_chars"] = false.into(), "handle_chinese_chars"),
        (|file| file["normalizer"]["strip_accents"] = false.into(), "normalizer.strip_accents"),
        (|file| file["normalizer"]["lowercase"] = false.into(), "normalizer.strip_accents"),
        (|file| file["pre_tokenizer"]["type"] = "Whitespace".into(), "pre_tokenizer.type"),
        (|file| file["model"]["type"] = "BPE".into(), "model.type"),
        (|file| file["model"]["unk_token"] = "<unk>".into(), "model.unk_token"),
        (|file| file["model"]["continuing_subword_prefix"] = "@@".into(), "continuing_subword_prefix"),
        (|file| file["model"]["max_input_chars_per_word"] = 50.into(), "max_input_chars_per_word"),
        (|file| file["added_tokens"][1]["lstrip"] = true.into(), "added_tokens"),
        (|file| file["model"]["vocab"]["red"] = 4.into(), "piece \"red\""),
        (|file| file["model"]["vocab"]["blue"] = 3.into(), "not a row of its own of the table's 4"),
        (|file| _ = file["model"]["vocab"].as_object_mut().unwrap().remove("red"), "fewer pieces"),
    ];
    for (change, reason) in changes {
        let mut tokenizer = sound_tokenizer();
        change(&mut tokenizer);
        assert_refused(sound_table(), &tokenizer.to_string(), reason);
    }
}

#[test]
fn a_model_is_known_by_the_hash_of_its_files() {
    use sha2::{Digest, Sha256};
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/kith-embed/src/model");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let bytes = [read("model.safetensors"), read("tokenizer.json")].concat();
    assert_eq!(Model::sha256(), <[u8; 32]>::from(Sha256::digest(bytes)));
}

#[test]
fn the_licence_travels_with_the_model() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/kith-embed/src/model");
    for (name, text) in [("NOTICE", "all-MiniLM-L6-v2"), ("LICENSE-APACHE", "Apache License")] {
        assert!(std::fs::read_to_string(folder.join(name)).unwrap().contains(text), "{name}");
    }
}
