//! The one list of a snapshot's sections, in order, for both reading and writing.
//!
//! A section's kind is its position in the list, from 1. The sections of the first version come first, the longest of
//! them leading: they are also read first, so that no core waits for one long section at the end of a load. Later
//! versions append their sections.

use rayon::prelude::*;

use crate::model::column::TextColumn;
use crate::model::dataset::{Companies, Dataset, Members, People};
use crate::model::edges::{Adjacency, Edges};
use crate::model::names::NameTable;
use crate::model::vectors::{Quantized, Vectors};
use crate::snapshot::codec::{self, Column};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::format::SECTION_COUNT;
use crate::snapshot::header::FileHeader;
use crate::snapshot::parts;
use crate::snapshot::record::{
    AdvocatesRecord, AliasesRecord, CompaniesRecord, Dictionary, Ends, EvidenceRecord, FormerRecord,
    IntroRequestsRecord, MembersRecord, NameOrder, NameWords, OpportunitiesRecord, OrganizationRecord,
    PeopleDetailsRecord, PreferencesRecord, Record, Texts, VectorsRecord,
};
use crate::snapshot::section;
use crate::snapshot::source::ByteSource;

/// From lines `field: Record = name, how to build the record from a dataset`: the names, the encoding of all sections,
/// and the decoding of all parts. Sections added after version 1 are `None` in older files.
macro_rules! sections {
    (
        since 1 { $($field:ident: $Record:ty = $name:literal, $of:expr;)+ }
        $(since $version:literal { $($later:ident: $Later:ty = $later_name:literal, $of_later:expr;)+ })+
    ) => {
        /// The sections' names, in order.
        pub(crate) const SECTIONS: [&str; SECTION_COUNT] = [$($name,)+ $($($later_name),+),+];

        /// The positions of the sections.
        #[allow(non_camel_case_types, reason = "the variants are the fields' names")]
        enum Place { $($field,)+ $($($later),+),+ }

        /// The contents of the sections.
        struct Parts {
            $($field: <$Record as Record>::Part,)+
            $($($later: Option<<$Later as Record>::Part>),+),+
        }

        /// Encodes all sections of `dataset`, in order. On all cores.
        pub(crate) fn encode_all(dataset: &Dataset) -> Result<Vec<Vec<u8>>, SnapshotError> {
            type Job = fn(&Dataset) -> Result<Vec<u8>, SnapshotError>;
            let jobs: [Job; SECTION_COUNT] = [$(|dataset| {
                let of: fn(&Dataset) -> $Record = $of;
                codec::encode(&of(dataset))
            },)+ $($(|dataset| {
                let of: fn(&Dataset) -> $Later = $of_later;
                codec::encode(&of(dataset))
            }),+),+];
            jobs.par_iter().map(|job| job(dataset)).collect()
        }

        /// Reads all sections, on all cores.
        fn read_parts(
            source: &(impl ByteSource + ?Sized),
            header: &FileHeader,
        ) -> Result<Parts, SnapshotError> {
            $(let mut $field = None;)+
            $($(let mut $later = None;)+)+
            rayon::scope_fifo(|scope| {
                $(scope.spawn_fifo(|_| {
                    $field = Some(section::read::<$Record>(source, header, Place::$field as usize, $name));
                });)+
                $($(if (Place::$later as usize) < header.table.len() {
                    scope.spawn_fifo(|_| {
                        let place = Place::$later as usize;
                        $later = Some(section::read::<$Later>(source, header, place, $later_name));
                    });
                })+)+
            });
            Ok(Parts {
                $($field: $field.expect("the scope ends when every section is read")?,)+
                $($($later: $later.transpose()?),+),+
            })
        }
    };
}

sections! {
    since 1 {
        out_ends: Ends = "edges.out.ends", |dataset| ends(&dataset.edges.out);
        into_ends: Ends = "edges.into.ends", |dataset| ends(&dataset.edges.into);
        edge_breakdowns: Column<u32> = "edges.breakdowns", |dataset| Column(dataset.edges.breakdowns.iter().collect());
        out_scores: Column<u8> = "edges.out.scores", |dataset| score_bytes(&dataset.edges.out);
        into_scores: Column<u8> = "edges.into.scores", |dataset| score_bytes(&dataset.edges.into);
        position_vectors: Column<Quantized> = "vectors.positions",
            |dataset| Column(dataset.vectors.positions.clone());
        company_vectors: Column<Quantized> = "vectors.company_names",
            |dataset| Column(dataset.vectors.company_names.clone());
        breakdowns: Texts = "breakdowns", |dataset| Texts::of(&dataset.breakdowns);
        person_ids: Texts = "people.ids", |dataset| Texts::of(&dataset.people.ids);
        person_names: Texts = "people.names", |dataset| Texts::of(&dataset.people.names);
        emails: Texts = "people.emails", |dataset| Texts::of(&dataset.people.emails);
        handles: Texts = "people.handles", |dataset| Texts::of(&dataset.people.handles);
        positions: Dictionary = "people.positions", |dataset| Dictionary::of(&dataset.people.positions);
        details: PeopleDetailsRecord = "people.details", |dataset| PeopleDetailsRecord::of(&dataset.people);
        person_order: NameOrder = "person_names.sorted", |dataset| NameOrder::of(&dataset.person_names);
        person_words: NameWords = "person_names.words", |dataset| NameWords::of(&dataset.person_names);
        companies: CompaniesRecord = "companies", |dataset| CompaniesRecord::of(&dataset.companies);
        company_order: NameOrder = "company_names.sorted", |dataset| NameOrder::of(&dataset.company_names);
        company_words: NameWords = "company_names.words", |dataset| NameWords::of(&dataset.company_names);
        vectors: VectorsRecord = "vectors", |dataset| VectorsRecord::of(&dataset.vectors);
        opportunities: OpportunitiesRecord = "opportunities",
            |dataset| OpportunitiesRecord::of(&dataset.opportunities);
        intro_requests: IntroRequestsRecord = "intro_requests",
            |dataset| IntroRequestsRecord::of(&dataset.intro_requests);
        advocates: AdvocatesRecord = "advocates", |dataset| AdvocatesRecord::of(&dataset.advocates);
        members: MembersRecord = "members", |dataset| MembersRecord::of(&dataset.members);
        organization: OrganizationRecord = "organization",
            |dataset| OrganizationRecord::of(&dataset.organization);
    }
    since 2 {
        domains: Texts = "companies.domains", |dataset| Texts::of(&dataset.companies.domains);
        evidence: EvidenceRecord = "evidence", |dataset| EvidenceRecord::of(&dataset.evidence);
    }
    since 3 {
        aliases: AliasesRecord = "people.aliases", |dataset| AliasesRecord::of(&dataset.people.aliases);
    }
    since 4 {
        external_ids: Texts = "members.external_ids", |dataset| Texts::of(&dataset.members.external_ids);
        preferences: PreferencesRecord = "preferences", |dataset| PreferencesRecord::of(&dataset.preferences);
    }
    since 5 {
        former: FormerRecord = "former", |dataset| FormerRecord::of(&dataset.former);
    }
}

/// Reads the dataset after `header`. Each of its columns is sound by itself.
///
/// # Errors
/// Returns the first fault, in the order of the sections; then the first byte that encodes no score.
pub(crate) fn read_all(
    source: &(impl ByteSource + ?Sized),
    header: &FileHeader,
) -> Result<Dataset, SnapshotError> {
    read_parts(source, header)?.into_dataset()
}

impl Parts {
    fn into_dataset(self) -> Result<Dataset, SnapshotError> {
        let no_domains = || TextColumn::without_values(self.companies.ids.len());
        let domains = self.domains.unwrap_or_else(no_domains);
        let no_external_ids = || TextColumn::without_values(self.members.user_ids.len());
        let external_ids = self.external_ids.unwrap_or_else(no_external_ids);
        Ok(Dataset {
            organization: self.organization,
            companies: Companies { domains, ..self.companies },
            people: People {
                ids: self.person_ids,
                names: self.person_names,
                handles: self.handles,
                emails: self.emails,
                positions: self.positions,
                companies: self.details.companies,
                cities: self.details.cities,
                countries: self.details.countries,
                connections_counts: self.details.connections_counts,
                aliases: self.aliases.unwrap_or_default(),
            },
            members: Members { external_ids, ..self.members },
            advocates: self.advocates,
            intro_requests: self.intro_requests,
            opportunities: self.opportunities,
            preferences: self.preferences.unwrap_or_default(),
            former: self.former.unwrap_or_default(),
            edges: Edges {
                out: adjacency("edges.out", self.out_ends, self.out_scores)?,
                breakdowns: self.edge_breakdowns.into(),
                into: adjacency("edges.into", self.into_ends, self.into_scores)?,
            },
            evidence: self.evidence.unwrap_or_default(),
            breakdowns: self.breakdowns,
            person_names: names(self.person_order, self.person_words),
            company_names: names(self.company_order, self.company_words),
            vectors: Vectors {
                positions: self.position_vectors,
                company_names: self.company_vectors,
                ..self.vectors
            },
        })
    }
}

fn ends(adjacency: &Adjacency) -> Ends {
    Ends { offsets: Column(adjacency.offsets.0.clone()), ends: Column(adjacency.ends.clone()) }
}

fn score_bytes(adjacency: &Adjacency) -> Column<u8> {
    Column(adjacency.scores.iter().map(|score| score.to_byte()).collect())
}

fn adjacency(
    direction: &'static str,
    (offsets, ends): <Ends as Record>::Part,
    scores: Vec<u8>,
) -> Result<Adjacency, SnapshotError> {
    let scores = parts::scores(direction, &offsets, scores)?;
    Ok(Adjacency { offsets, ends, scores })
}

fn names(
    (sorted, order): <NameOrder as Record>::Part,
    (words, row_words): <NameWords as Record>::Part,
) -> NameTable {
    NameTable { sorted, order, words, row_words }
}
