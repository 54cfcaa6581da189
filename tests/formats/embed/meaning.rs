//! The purpose of vectors: texts of similar meaning point the same way.
//!
//! Promise: The nearest of several senses is that of each by itself, to the bit.
//! Control: one sense alone.

use kith_embed::dot::Probe;
use kith_embed::model::Model;
use kith_server::model::vectors::{DIMENSIONS, Quantized, ZERO};

fn stored(texts: &[&str]) -> Vec<Quantized> {
    texts.iter().map(|text| Model::own().embed(text).quantize()).collect()
}

fn probe(text: &str) -> Probe {
    Probe::new(&Model::own().embed(text))
}

#[test]
fn the_text_that_means_most_like_the_asked_one_comes_first() {
    for (asked, texts) in [
        ("machine learning", ["Data Scientist", "Pastry Chef", "Accountant"]),
        ("money for startups", ["Venture Capital", "Plumbing", "Oil & Gas"]),
        ("solicitor", ["Lawyer", "Nurse", "Welder"]),
    ] {
        let cosines = probe(asked).cosines(&stored(&texts));
        assert!(cosines[0] > cosines[1] && cosines[0] > cosines[2], "{asked}: {cosines:?}");
    }
}

/// The slow, obvious cosine.
fn cosine(a: &[f32; DIMENSIONS], b: &Quantized) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b) / 127.0).sum()
}

#[test]
fn cosines_are_those_of_plain_arithmetic_in_order_however_many_there_are() {
    let texts = ["CEO", "", "VP Sales", "Łódź", "chief executive", "zzzqqqxxyy"];
    let asked = Model::own().embed("chief executive officer");
    for count in [0, 1, 5, 4096, 4097, 20_000] {
        let column: Vec<Quantized> = stored(&texts).into_iter().cycle().take(count).collect();
        let cosines = Probe::new(&asked).cosines(&column);
        assert_eq!(cosines.len(), count);
        for (ours, stored) in cosines.iter().zip(&column) {
            assert!((f64::from(*ours) - cosine(&asked.0, stored)).abs() < 1e-4);
            assert!((-1.05..=1.05).contains(ours));
        }
    }
}

#[test]
fn the_nearest_of_several_is_that_of_each_by_itself_to_the_bit() {
    let texts = ["CEO", "", "VP Sales", "Łódź", "chief executive", "zzzqqqxxyy"];
    let probes = ["chief executive officer", "head of sales", ""].map(probe);
    for count in [0, 1, 5, 4096, 4097, 20_000] {
        let column: Vec<Quantized> = stored(&texts).into_iter().cycle().take(count).collect();
        for probes in [&probes[..], &probes[..2], &probes[1..2], &[]] {
            let mut expected = vec![0.0_f32; count];
            for probe in probes {
                expected.iter_mut().zip(probe.cosines(&column)).for_each(|(most, one)| *most = most.max(one));
            }
            let nearest = Probe::nearest(probes, &column);
            let bits = |cosines: &[f32]| cosines.iter().map(|cosine| cosine.to_bits()).collect::<Vec<_>>();
            assert!(bits(&nearest) == bits(&expected), "{count} by {}", probes.len());
        }
    }
    // The control: the first alone is another column.
    let column = stored(&texts);
    assert!(Probe::nearest(&probes, &column) != Probe::nearest(&probes[..1], &column));
}

#[test]
fn nothing_is_like_a_text_that_says_nothing() {
    assert_eq!(probe("").cosines(&stored(&["CEO", ""])), [0.0, 0.0]);
    assert_eq!(probe("CEO").cosine(&ZERO), 0.0);
}

#[test]
fn the_greatest_components_there_can_be_do_not_overflow() {
    let greatest = Probe::new(&kith_embed::model::Vector([1.0; DIMENSIONS]));
    assert_eq!(greatest.cosine(&[127; DIMENSIONS]), 256.0);
    assert_eq!(greatest.cosine(&[-127; DIMENSIONS]), -256.0);
}
