//! Paths as answers show them: complete rows, texts borrowed from the index.

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::query::card::{CompanyCard, MemberCard, PersonCard};
use crate::query::evidence::EvidenceEntry;
use crate::query::leg::Reasons;
use crate::query::paths::answer::{NearTarget, PathAnswer, PathCoverage, WarmPath};
use crate::query::paths::former::FoundReason;
use crate::query::paths::marks::{PathMarks, TargetAsks};
use crate::query::paths::matched::Matched;
use crate::query::paths::reasons::PathReason;
use crate::query::paths::request::PathType;
use crate::query::paths::target::{MatchedBy, Target};
use crate::query::paths::written::{Doubt, ReadTarget};
use crate::query::person::{IntroAnnotation, annotation};

/// A page of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPage<'a> {
    /// The person or company that the paths lead to, if one was found.
    pub target: Option<FoundTarget<'a>>,
    /// The paths, in the order of their types, then warmest first.
    pub paths: Vec<FoundPath<'a>>,
    /// The number of paths within the bounds.
    pub total: u64,
    /// The extent of the search.
    pub coverage: PathCoverage,
    /// How the target was found, if requested.
    pub matched: Option<FoundMatch<'a>>,
    /// Why there is no path, or fewer than possible, if requested.
    pub reasons: Option<Vec<FoundReason>>,
    /// The nearest people and paths, if requested and the target was not found or has no path.
    pub near: Option<FoundNear<'a>>,
    /// The asks for the person, if requested.
    pub target_asks: Option<TargetAsks<'a>>,
}

impl PathPage<'_> {
    /// The id of the person the paths lead to; `None` for a company, or if nobody was found.
    #[must_use]
    pub fn person_id(&self) -> Option<&str> {
        match &self.target {
            Some(FoundTarget::Person { person, .. }) => Some(person.id),
            Some(FoundTarget::Company(_)) | None => None,
        }
    }
}

/// The people and paths nearest to a target that was not found or has no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNear<'a> {
    /// The people whose names are nearest.
    pub people: Vec<PersonCard<'a>>,
    /// The firm named, else the person's company.
    pub company: Option<CompanyCard<'a>>,
    /// The warmest paths to anybody at that company.
    pub paths: Vec<FoundPath<'a>>,
}

/// How a target was found, and the other possible targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMatch<'a> {
    /// The kind of match, if any.
    pub by: Option<MatchedBy>,
    /// The number of others with the same kind and class of match.
    pub others: u64,
    /// The first of the others.
    pub alternatives: Vec<Alternative<'a>>,
    /// The parts read from a text; `None` for a target named otherwise.
    pub read: Option<ReadTarget>,
    /// The parts of the text that do not fit the target.
    pub doubt: Vec<Doubt>,
}

/// Another possible target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative<'a> {
    /// A person.
    Person(PersonCard<'a>),
    /// A company.
    Company(CompanyCard<'a>),
}

impl<'a> FoundMatch<'a> {
    /// Builds the rows of `matched`, which must come from `index`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, matched: &Matched) -> Self {
        let row = |target: &Target| match *target {
            Target::Person(person) => Alternative::Person(PersonCard::of(index, person)),
            Target::Company(company) => Alternative::Company(CompanyCard::of(index, company)),
        };
        let alternatives = matched.alternatives.iter().map(row).collect();
        let (read, doubt) = (matched.read.clone(), matched.doubt.clone());
        Self { by: matched.by, others: matched.others, alternatives, read, doubt }
    }
}

/// The person or company that a request means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundTarget<'a> {
    /// One person.
    Person {
        /// The person, by id and name.
        person: PersonCard<'a>,
        /// The introduction that the organization already requested.
        intro: Option<IntroAnnotation<'a>>,
    },
    /// Anyone at a company.
    Company(CompanyCard<'a>),
}

/// One path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPath<'a> {
    /// The member the path starts from.
    pub from: MemberCard<'a>,
    /// The person who makes the introduction; on a direct path the member.
    pub connector: PersonCard<'a>,
    /// Its type.
    pub kind: PathType,
    /// The score of the whole path, from 0 to 100.
    pub warmness: u32,
    /// The score from the member to the connector, from 0 to 100; 100 on a direct path.
    pub to_connector: u32,
    /// The reasons for the first leg's score; `None` unless exactly one edge leads to the connector.
    pub first_leg: Option<Reasons<'a>>,
    /// The score of the last leg, from 0 to 100; 0 if it has none.
    pub to_target: u32,
    /// The reasons for the last leg's score.
    pub last_leg: Reasons<'a>,
    /// The evidence of the first leg, if requested; empty if there is none, or no first leg.
    pub first_evidence: Vec<EvidenceEntry<'a>>,
    /// The evidence of the last leg, if requested.
    pub last_evidence: Vec<EvidenceEntry<'a>>,
    /// Company mode only: the employee the path leads to.
    pub target: Option<PersonCard<'a>>,
    /// The advocate to ask first; only on a path over an advocate's contact.
    pub via: Option<FoundAdvocate<'a>>,
    /// The number of paths grouped behind this one; `None` if paths are not grouped.
    pub alternatives: Option<u64>,
    /// The marks that asks put on it, if requested.
    pub marks: Option<Box<PathMarks<'a>>>,
}

/// The advocate whom a member contacts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundAdvocate<'a> {
    /// The person, by id and name.
    pub person: PersonCard<'a>,
    /// How well the member knows them, from 0 to 100.
    pub warmness: Option<u8>,
}

impl FoundPath<'_> {
    /// Whether a leg of the path is derived: no file states that its two people know each other.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        self.first_leg.iter().chain([&self.last_leg]).any(Reasons::is_derived)
    }
}

impl PathPage<'_> {
    /// Names former employees of the target company, if nobody is known to work there and reasons were requested.
    /// `worked_at` returns the former employees of a company name.
    pub fn name_former(
        &mut self,
        index: &GraphIndex,
        answer: &PathAnswer,
        worked_at: impl FnOnce(&str) -> Vec<PersonIx>,
    ) {
        let Some(Target::Company(company)) = answer.target else { return };
        let mut reasons = self.reasons.iter_mut().flatten();
        if let Some(reason) = reasons.find(|reason| reason.reason == PathReason::NoCandidates) {
            let people = worked_at(index.data.companies.names.get(company.0));
            reason.name_former(index, company, people);
        }
    }
}

impl<'a> PathPage<'a> {
    /// Builds the rows of `answer`, which must come from `index`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, answer: &PathAnswer) -> Self {
        let row = |path: &WarmPath| {
            let mut row = match answer.target {
                Some(Target::Company(_)) => FoundPath::to_one_of_many(index, path),
                _ => FoundPath::to_one_person(index, path),
            };
            if answer.wants_evidence {
                row.first_evidence = path.first_leg.map_or_else(Vec::new, |leg| leg.evidence(index));
                row.last_evidence = path.last_leg.evidence(index);
            }
            row
        };
        Self {
            target: answer.target.map(|target| FoundTarget::of(index, target)),
            paths: answer.paths.iter().map(row).collect(),
            total: answer.total,
            coverage: answer.coverage,
            matched: answer.matched.as_ref().map(|matched| FoundMatch::of(index, matched)),
            reasons: answer
                .reasons
                .as_ref()
                .map(|reasons| reasons.iter().copied().map(FoundReason::of).collect()),
            near: answer.near.as_ref().map(|near| FoundNear::of(index, near)),
            target_asks: None,
        }
    }
}

impl<'a> FoundNear<'a> {
    fn of(index: &'a GraphIndex, near: &NearTarget) -> Self {
        Self {
            people: near.people.iter().map(|&person| PersonCard::of(index, person)).collect(),
            company: near.company.map(|company| CompanyCard::of(index, company)),
            paths: near.paths.iter().map(|path| FoundPath::to_one_of_many(index, path)).collect(),
        }
    }
}

impl<'a> FoundTarget<'a> {
    fn of(index: &'a GraphIndex, target: Target) -> Self {
        match target {
            Target::Person(person) => {
                Self::Person { person: PersonCard::of(index, person), intro: annotation(index, person) }
            }
            Target::Company(company) => Self::Company(CompanyCard::of(index, company)),
        }
    }
}

impl<'a> FoundPath<'a> {
    /// The row of `path`, with its target if `to_company`.
    #[must_use]
    pub fn of(index: &'a GraphIndex, path: &WarmPath, to_company: bool) -> Self {
        if to_company { Self::to_one_of_many(index, path) } else { Self::to_one_person(index, path) }
    }

    /// The row of `path`, with its target.
    fn to_one_of_many(index: &'a GraphIndex, path: &WarmPath) -> Self {
        Self { target: Some(PersonCard::of(index, path.target)), ..Self::to_one_person(index, path) }
    }

    /// The row of `path`, without its target: the answer names it once for all paths.
    fn to_one_person(index: &'a GraphIndex, path: &WarmPath) -> Self {
        Self {
            from: MemberCard::of(index, path.member),
            connector: PersonCard::of(index, path.connector),
            kind: path.kind,
            warmness: path.warmness,
            to_connector: path.to_connector,
            first_leg: path.first_leg.map(|leg| leg.reasons(index)),
            to_target: path.last_leg.score.weight(),
            last_leg: path.last_leg.reasons(index),
            first_evidence: Vec::new(),
            last_evidence: Vec::new(),
            target: None,
            via: path.via.map(|via| FoundAdvocate {
                person: PersonCard::of(index, via.person),
                warmness: via.score.score(),
            }),
            alternatives: path.alternatives,
            marks: None,
        }
    }
}
