//! An index that does not find its own content is refused before it serves anybody.

use kith_server::graph::index::{GraphIndex, SnapshotIndex};
use kith_server::graph::names::NameLookup;
use kith_server::graph::person_lookup::PersonLookup;
use kith_server::graph::self_check::{Counts, SelfCheckError, check};
use kith_server::model::aliases::{AliasColumn, PersonTexts};
use kith_server::model::column::TextColumn;
use kith_server::model::text::lower_onto;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

use crate::reload::site::{project, tiny_called};

type Damage = fn(&mut SnapshotIndex);

fn finding_nobody() -> PersonLookup {
    PersonLookup::build(
        PersonTexts { own: &TextColumn::default(), others: &AliasColumn::default() },
        lower_onto,
    )
}

#[test]
fn a_sound_index_passes() {
    for tables in ["fixtures/tiny", "fixtures/demo/fernhollow", "fixtures/demo/harbourlight"] {
        let dataset = read_folder(&project(tables), &Silent).unwrap().dataset;
        let counts = Counts::of(&dataset);
        assert_eq!(check(&GraphIndex::build(dataset), counts), Ok(()), "{tables}");
    }
    let nobody = kith_server::model::dataset::Dataset::default();
    assert_eq!(check(&GraphIndex::build(nobody.clone()), Counts::of(&nobody)), Ok(()));
}

#[test]
fn each_way_to_be_wrong_is_named() {
    let dataset = tiny_called("tiny");
    let expected = Counts::of(&dataset);
    let damages: [(&str, Damage); 9] = [
        ("it has", |index| index.data.advocates.clear()),
        ("it has", |index| index.data.edges.out.ends.clear()),
        ("member", |index| index.data.members.people.swap(0, 1)),
        ("member", |index| index.data.members.user_ids = TextColumn::from_texts(["user_z"; 3]).unwrap()),
        ("person", |index| index.person_handles = finding_nobody()),
        ("person", |index| index.person_emails = finding_nobody()),
        ("person", |index| {
            let reversed: Vec<u32> = (0..index.data.people.len() as u32).rev().collect();
            index.data.people.ids = index.data.people.ids.gather(&reversed);
        }),
        ("person", |index| {
            index.data.person_names.order.rotate_left(1);
            index.person_lookup = NameLookup::build(&index.data.person_names);
        }),
        ("edge", |index| {
            index.data.edges.out.ends.rotate_left(1);
        }),
    ];
    for (place, (named, damage)) in damages.into_iter().enumerate() {
        let mut index = GraphIndex::build(dataset.clone());
        damage(index.snapshot_mut());
        let error = check(&index, expected).err().unwrap_or_else(|| panic!("{place} is accepted"));
        let said = error.to_string();
        assert!(said.contains(named) && said.contains("self-check"), "{place}: {said}");
        let is_counted = matches!(error, SelfCheckError::Counts { .. });
        assert_eq!(is_counted, named == "it has", "{place}: {said}");
    }
}
