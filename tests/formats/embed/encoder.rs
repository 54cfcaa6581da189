//! The encoder makes what numpy makes with the same weights, and refuses files that are none. The folder `tiny` has random weights
//! of the real encoder's shape, and what `src/embed/model/recipe/golden.py`, which wrote it, makes with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use kith_server::embed::encoder::Encoder;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::Deserialize;

/// How far a component may be from numpy's, which does not round what goes into a product.
const AS_NUMPY: f32 = 1.2e-5;

#[derive(Deserialize)]
struct Golden {
    text: String,
    /// Every 32nd of the vector, from the fourth.
    components: Vec<f32>,
    /// Likewise of forward passes with a mistake.
    wrong: BTreeMap<String, Vec<f32>>,
}

/// A tensor: its type, its shape and its bytes.
type Tensor = (Dtype, Vec<usize>, Vec<u8>);

fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/embed/tiny")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(tiny().join(name)).unwrap()
}

fn goldens() -> Vec<Golden> {
    let lines = String::from_utf8(read("vectors.ndjson")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn tensors() -> BTreeMap<String, Tensor> {
    let file = read("model.safetensors");
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let tensor = |(name, view): (String, TensorView<'_>)| {
        (name, (view.dtype(), view.shape().to_vec(), view.data().to_vec()))
    };
    tensors.tensors().into_iter().map(tensor).collect()
}

fn file(tensors: &BTreeMap<String, Tensor>) -> Vec<u8> {
    let views = tensors
        .iter()
        .map(|(name, (dtype, shape, bytes))| (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
    serialize(views, None).unwrap()
}

fn f32s(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// How far the vectors of `encoder` are from `expected`, at most.
fn farthest(encoder: &Encoder, goldens: &[Golden], expected: impl Fn(&Golden) -> &Vec<f32>) -> f32 {
    let far = |golden: &Golden| {
        let vector = encoder.embed(&golden.text).0;
        let pairs = vector.iter().skip(3).step_by(32).zip(expected(golden));
        pairs.map(|(ours, theirs)| (ours - theirs).abs()).fold(0.0, f32::max)
    };
    goldens.iter().map(far).fold(0.0, f32::max)
}

/// The control is in the same rows: what the forward pass makes with a mistake is farther.
#[test]
fn vectors_are_those_of_numpy_and_not_those_of_a_forward_pass_with_a_mistake() {
    let encoder = Encoder::parse(&read("model.safetensors"), &read("tokenizer.json")).unwrap();
    let goldens = goldens();
    let far = farthest(&encoder, &goldens, |golden| &golden.components);
    assert!(far < AS_NUMPY, "{far}");
    let mistakes: Vec<&String> = goldens[0].wrong.keys().collect();
    assert!(mistakes.len() > 4);
    for mistake in mistakes {
        let far = farthest(&encoder, &goldens, |golden| &golden.wrong[mistake]);
        assert!(far > 2.0 * AS_NUMPY, "{mistake}: {far}");
    }
}

#[test]
fn vectors_are_of_unit_length_or_zero_if_no_wordpiece_is_known() {
    let encoder = Encoder::parse(&read("model.safetensors"), &read("tokenizer.json")).unwrap();
    assert_eq!(encoder.layer_count(), 2);
    for (text, expected) in [("", 0.0), ("zzz [UNK]", 0.0), ("zzz head", 1.0), ("Head of Sales", 1.0)] {
        let length = encoder.embed(text).0.iter().map(|component| component * component).sum::<f32>().sqrt();
        assert!((length - expected).abs() < 1e-5, "{text:?}: {length}");
    }
}

#[test]
fn weights_that_are_not_rounded_are_rounded_to_the_same() {
    let mut whole = tensors();
    let rounded: Vec<String> = whole.keys().filter(|name| name.ends_with(".scale")).cloned().collect();
    for scale in rounded {
        let (_, _, scales) = whole.remove(&scale).unwrap();
        let tensor = whole.get_mut(scale.strip_suffix(".scale").unwrap()).unwrap();
        let width = tensor.1[1];
        let rows = tensor.2.chunks_exact(width).zip(f32s(&scales));
        let numbers =
            rows.flat_map(|(row, scale)| row.iter().map(move |byte| f32::from(byte.cast_signed()) * scale));
        (tensor.0, tensor.2) = (Dtype::F32, numbers.flat_map(f32::to_le_bytes).collect());
    }
    let encoder = Encoder::parse(&file(&whole), &read("tokenizer.json")).unwrap();
    let far = farthest(&encoder, &goldens(), |golden| &golden.components);
    assert!(far < AS_NUMPY, "{far}");
}

#[test]
fn files_that_are_no_encoder_are_refused_by_what_is_wrong_with_them() {
    type Change = fn(&mut BTreeMap<String, Tensor>);
    let changes: [(Change, &str); 12] = [
        (|all| all.clear(), "has no tensor embeddings.word_embeddings.weight"),
        (|all| drop(all.remove("embeddings.LayerNorm.bias")), "has no tensor embeddings.LayerNorm.bias"),
        (
            |all| drop(all.remove("encoder.layer.1.output.dense.bias")),
            "has no tensor encoder.layer.1.output.dense.bias",
        ),
        (
            |all| drop(all.remove("encoder.layer.0.attention.self.key.weight.scale")),
            "has no tensor encoder.layer.0.attention.self.key.weight.scale",
        ),
        (|all| all.retain(|name, _| !name.starts_with("encoder.")), "has no tensor encoder.layer.0"),
        (
            |all| all.get_mut("encoder.layer.0.attention.self.query.weight").unwrap().1 = vec![32, 128],
            "encoder.layer.0.attention.self.query.weight that is I8 [32, 128], not I8 or F32 [64, 64]",
        ),
        (
            |all| all.get_mut("embeddings.LayerNorm.bias").unwrap().0 = Dtype::I32,
            "embeddings.LayerNorm.bias that is I32 [64], not F32 [64]",
        ),
        (
            |all| all.get_mut("embeddings.position_embeddings.weight").unwrap().1 = vec![64, 128],
            "embeddings.position_embeddings.weight that is [64, 128], not [128 or more, 64]",
        ),
        (
            |all| all.get_mut("embeddings.LayerNorm.bias").unwrap().2[..4].copy_from_slice(&[0xff; 4]),
            "embeddings.LayerNorm.bias with the value NaN",
        ),
        (
            |all| all.get_mut("projection.weight.scale").unwrap().2[..4].fill(0),
            "projection.weight.scale with the value 0",
        ),
        // Then the program's own projection has to do, and it is that of another width.
        (|all| drop(all.remove("projection.weight")), "projection.mean that is F32 [384], not F32 [64]"),
        (|all| all.get_mut("embeddings.word_embeddings.weight").unwrap().1.swap(0, 1), "a multiple of 32"),
    ];
    for (change, reason) in changes {
        let mut tensors = tensors();
        change(&mut tensors);
        let refused = Encoder::parse(&file(&tensors), &read("tokenizer.json")).err().unwrap().to_string();
        assert!(refused.contains(reason), "{refused}\n{reason}");
    }
    let other = String::from_utf8(read("tokenizer.json")).unwrap();
    for (tokenizer, reason) in [
        (other.replace("[SEP]", "[END]"), "has no [SEP]"),
        (other.replace("\"lowercase\": true", "\"lowercase\": false"), "sets normalizer.strip_accents"),
        (other.replace("\"berlin\"", "\"bonn\"").replace("\"alive\"", "\"bonn\""), "fewer pieces"),
    ] {
        let refused = Encoder::parse(&read("model.safetensors"), tokenizer.as_bytes());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains(reason), "{refused}\n{reason}");
    }
}

/// A folder is refused with the file at fault and the remedy; random weights do not lie in the space of the program's table.
#[test]
fn a_folder_is_refused_if_a_file_is_missing_or_its_vectors_lie_elsewhere() {
    let empty = tempfile::tempdir().unwrap();
    for (folder, file, reason) in
        [(empty.path(), "model.safetensors", "cannot be read"), (&tiny(), "model.safetensors", "mean cosine")]
    {
        let refused = Encoder::read(folder).err().unwrap().to_string();
        let named = folder.join(file).display().to_string();
        for part in [named.as_str(), reason, "recipe/encoder.py", "search.encoder"] {
            assert!(refused.contains(part), "{refused}\n{part}");
        }
    }
}
