//! Pieces and vectors equal those of the reference: the `tokenizers` library and numpy, over the same files.
//! `crates/kith-embed/src/model/recipe/reference.py` wrote the expected values.

use kith_embed::model::Model;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    text: String,
    ids: Vec<u32>,
    /// Every 32nd of the vector, from the fourth.
    components: Vec<f32>,
}

fn references() -> Vec<Reference> {
    let lines = include_str!("reference.ndjson").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    Model::own().vocabulary().each_wordpiece(text, |id| ids.push(id));
    ids
}

/// Whether the vector of `text` has the reference's components.
fn has_components(text: &str, reference: &Reference) -> bool {
    let vector = Model::own().embed(text);
    let components = vector.0.iter().skip(3).step_by(32);
    assert_eq!(components.len(), reference.components.len());
    components.zip(&reference.components).all(|(ours, theirs)| (ours - theirs).abs() < 1e-5)
}

#[test]
fn texts_are_cut_into_the_pieces_of_the_reference() {
    let references = references();
    assert!(references.len() > 60);
    for reference in references {
        assert_eq!(ids(&reference.text), reference.ids, "{:?}", reference.text);
    }
}

#[test]
fn vectors_are_those_of_the_reference_and_of_unit_length_or_zero() {
    for reference in references() {
        let text = &reference.text;
        assert!(has_components(text, &reference), "{text:?}");
        let vector = Model::own().embed(text);
        let length = vector.0.iter().map(|component| component * component).sum::<f32>().sqrt();
        let says_nothing = reference.ids.iter().all(|&id| id < 2);
        assert_eq!(vector.is_zero(), says_nothing, "{text:?}");
        assert!((length - f32::from(u8::from(!says_nothing))).abs() < 1e-5, "{text:?}: {length}");
    }
}

/// The control: the vector of another text is recognized as different.
#[test]
fn another_text_is_not_the_reference() {
    let references = references();
    let differing = references.windows(2).filter(|pair| pair[0].ids != pair[1].ids);
    for pair in differing {
        assert!(!has_components(&pair[0].text, &pair[1]), "{:?} {:?}", pair[0].text, pair[1].text);
    }
}
