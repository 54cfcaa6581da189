//! A written snapshot is read back, and always has the same bytes.

use kith_embed::model::Model;
use kith_embed::of_tables::check_prepared;
use kith_server::graph::index::GraphIndex;
use kith_server::model::csr::Offsets;
use kith_server::model::dataset::Dataset;
use kith_server::snapshot::{Prepared, check, decode, encode};

use crate::craft;
use crate::sample::{many, small, tiny};

#[test]
fn what_is_encoded_is_decoded() {
    for dataset in [tiny(), small()] {
        let bytes = encode(&dataset).unwrap();
        let loaded = decode(&bytes).unwrap();
        assert_eq!(loaded.dataset, dataset);
        assert_eq!(loaded.size_bytes, bytes.len() as u64);
        check(&dataset).unwrap();
        assert_eq!(check_prepared(&loaded.dataset).unwrap(), Prepared::All);
    }
}

#[test]
fn a_network_that_is_read_in_many_pieces_is_whole() {
    let dataset = many();
    assert!(dataset.edges.out.ends.len() > 300_000);
    let bytes = encode(&dataset).unwrap();
    assert!(decode(&bytes).unwrap().dataset == dataset);
    assert_eq!(craft::file(&craft::sections(&bytes)), bytes);
    check_prepared(&dataset).unwrap();
}

#[test]
fn columns_take_no_more_memory_than_they_need() {
    let loaded = decode(&encode(&small()).unwrap()).unwrap().dataset;
    let (out, into) = (&loaded.edges.out, &loaded.edges.into);
    for column in [&out.offsets.0, &loaded.person_names.order] {
        assert_eq!(column.capacity(), column.len());
    }
    for column in [&out.ends, &into.ends] {
        assert_eq!(column.capacity(), column.len());
    }
    assert_eq!(loaded.edges.breakdowns.size_bytes(), 2 * out.ends.len());
    assert_eq!(out.scores.capacity(), out.scores.len());
    let vectors = &loaded.vectors.positions;
    assert_eq!(vectors.capacity(), vectors.len());
}

#[test]
fn the_same_dataset_gives_the_same_bytes_and_another_one_another_identity() {
    let bytes = encode(&small()).unwrap();
    assert_eq!(encode(&small()).unwrap(), bytes);
    let again = decode(&bytes).unwrap();
    assert_eq!(encode(&again.dataset).unwrap(), bytes);
    let mut renamed = small();
    renamed.organization.name.push('!');
    assert_ne!(decode(&encode(&renamed).unwrap()).unwrap().identity, again.identity);
    assert_eq!(again.identity.to_string().len(), 64);
}

#[test]
fn the_format_is_what_its_description_says() {
    for dataset in [tiny(), small()] {
        let bytes = encode(&dataset).unwrap();
        assert_eq!(craft::file(&craft::sections(&bytes)), bytes);
    }
}

#[test]
fn sections_are_plain_bincode_of_lists() {
    let dataset = small();
    let sections = craft::sections(&encode(&dataset).unwrap());
    let config = craft::bincode_config();
    let numbers: Vec<u32> = dataset.edges.out.ends.iter().map(|end| end.0).collect();
    let (ends, used): ((Vec<u32>, Vec<u32>), _) = bincode::decode_from_slice(&sections[0], config).unwrap();
    assert_eq!((&ends.0, &ends.1, used), (&dataset.edges.out.offsets.0, &numbers, sections[0].len()));
    let (ids, _): ((Vec<u32>, String), _) =
        bincode::decode_from_slice(&sections[8], craft::bincode_config()).unwrap();
    assert_eq!((&ids.0[..], ids.1.as_str()), dataset.people.ids.parts());
    let (vectors, used): (Vec<[i8; 256]>, usize) =
        bincode::decode_from_slice(&sections[5], craft::bincode_config()).unwrap();
    assert_eq!((&vectors, used), (&dataset.vectors.positions, sections[5].len()));
    assert!(sections[19].ends_with(&dataset.vectors.model));
}

#[test]
fn a_dataset_without_anything_but_its_organization_is_sound() {
    let mut dataset = Dataset::default();
    dataset.organization.id = "org_".to_owned();
    dataset.organization.name = "-".to_owned();
    dataset.opportunities.path_offsets = Offsets(vec![0]);
    dataset.breakdowns.push("").unwrap();
    for adjacency in [&mut dataset.edges.out, &mut dataset.edges.into] {
        adjacency.offsets = Offsets(vec![0]);
    }
    for names in [&mut dataset.person_names, &mut dataset.company_names] {
        names.row_words.offsets = Offsets(vec![0]);
    }
    assert_eq!(decode(&encode(&dataset).unwrap()).unwrap().dataset, dataset);
}

/// Its vectors cannot be compared with those of this program's model, and nothing else is amiss.
#[test]
fn a_snapshot_with_the_vectors_of_another_model_is_read_as_it_is() {
    let mut dataset = small();
    dataset.vectors.model[31] ^= 1;
    dataset.vectors.positions.swap(1, 2);
    assert!(!Model::is_model_of(&dataset.vectors) && Model::is_model_of(&small().vectors));
    let loaded = decode(&encode(&dataset).unwrap()).unwrap().dataset;
    assert_eq!(loaded, dataset);
    assert_eq!(check_prepared(&loaded).unwrap(), Prepared::AllButVectors);
    assert_eq!(GraphIndex::build(loaded).data.vectors, dataset.vectors);
}
