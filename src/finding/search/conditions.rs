//! The conditions of a search: the one closed form that both parsers write and all engines read.
//!
//! A parser, the built-in one or a language model, writes a [`Draft`]: plain words, sorted by meaning.
//! `search::resolve` turns a draft into a [`Query`]: the same, with all synonyms. No other part of a query's text
//! reaches an engine.

use crate::model::ix::{MemberIx, PersonIx};
use crate::model::named::named;

/// Maximum terms in a draft.
pub const TERMS_MAX: usize = 12;
/// Maximum number of people whose contacts a query may ask for by name.
pub const KNOWING_MAX: usize = 4;
/// Maximum length of a term, in characters.
pub const TERM_CHARS_MAX: usize = 80;

/// The kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// Their work, with its seniority if given: "head of finance", "recruiter".
    Role,
    /// Their seniority, whatever their work: "executive".
    Seniority,
    /// The company they work or worked for.
    Company,
    /// The industry of their company.
    Industry,
    /// The city, country or region that they, or their company, are in.
    Place,
    /// Their name.
    Name,
    /// The size of their company, in people.
    Size,
    /// Their ties: the number of their connections, the warmth of the nearest edge, whether the organization requested
    /// an introduction.
    Connections,
    /// The person who knows them: "CFOs that Ann knows". No parser drafts it as a term.
    Relation,
    /// How long none of the pool's members was in contact with them.
    Silence,
    /// Anything else: looked for in all fields.
    Topic,
}

named! {
    /// All kinds.
    TermKind {
        Role = "role",
        Seniority = "seniority",
        Company = "company",
        Industry = "industry",
        Place = "place",
        Name = "name",
        Size = "size",
        Connections = "connections",
        Relation = "relation",
        Silence = "silence",
        Topic = "topic",
    }
}

impl TermKind {
    /// The kinds that a parser drafts.
    pub fn drafted() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| *kind != Self::Relation)
    }

    /// Whether it goes by counts or ties, not by the words of texts.
    #[must_use]
    pub const fn is_measured(self) -> bool {
        matches!(self, Self::Size | Self::Connections | Self::Relation | Self::Silence)
    }
}

/// One statement of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its subject.
    pub kind: TermKind,
    /// Its words as in the query, 1 to [`TERM_CHARS_MAX`] characters.
    pub text: String,
    /// Whether the people wanted do *not* fit it.
    pub negated: bool,
    /// Whether it was true in the past: "used to work at".
    pub past: bool,
}

/// When a condition must be true to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// It is so.
    Now,
    /// In the past, and no longer: "used to work at".
    Once,
    /// Now or in the past, for exclusions: "never worked at".
    Ever,
}

/// A part of the acting member's reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NetworkKind {
    /// People the acting member knows.
    User,
    /// People an accepted advocate of the acting member knows.
    Advocate,
    /// People any member knows.
    Organization,
}

named! {
    /// All networks, in the order in which sources are listed.
    NetworkKind { User = "user", Advocate = "advocate", Organization = "organization" }
}

/// A query as a parser understands it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Its terms, in the order of the query; at most [`TERMS_MAX`].
    pub terms: Vec<Term>,
    /// The networks it names; empty if it names none.
    pub networks: Vec<NetworkKind>,
    /// The member whose view it asks for: "who does Aoife know".
    pub view: Option<MemberIx>,
    /// The query's name for that member.
    pub view_name: String,
    /// Others whose contacts it asks for, at most [`KNOWING_MAX`] altogether, with the query's name for them: "friends
    /// of Max". With several lists, a person of each must know the people wanted: "whom both Max and Ida know".
    pub known_by: Vec<(Vec<PersonIx>, String)>,
    /// Positions of `terms` that continue a list: "CEO or founder", "Oslo, Bergen".
    pub listed: Vec<usize>,
    /// Whether operators make the lists, whatever their kinds: "CEO OR banking".
    pub is_stated: bool,
    /// Whether it asks which members know the people it names: "who of us knows Ann".
    pub asks_who_knows: bool,
    /// Words without meaning for the search, and names that no member can have there, in the order of the query, each
    /// once.
    pub ignored: Vec<String>,
    /// Corrected words: as in the query, and as read.
    pub mended: Vec<(String, String)>,
    /// The code of the query's language, if recognized.
    pub language: Option<&'static str>,
}

/// A range of counts, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The lower end.
    pub least: u64,
    /// The upper end; [`Span::ENDLESS`] if there is none.
    pub most: u64,
}

impl Span {
    /// Means no upper end.
    pub const ENDLESS: u64 = u64::MAX;

    /// Whether `count` is in the range.
    #[must_use]
    pub fn holds(self, count: u64) -> bool {
        self.least <= count && count <= self.most
    }
}

/// A period without contact, up to the newest evidence of members' edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Silence {
    /// This many days or more.
    Days(u32),
    /// All days after this year.
    Since(u16),
}

/// A condition on counts or ties instead of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The size of their company, in people.
    Size(Span),
    /// The number of their connections.
    Connections(Span),
    /// More connections than most people; the most connected come first.
    WellConnected,
    /// The most connected first; fits everybody whose number is known.
    MostConnected,
    /// The warmest edge first; fits everybody whose edge has a score.
    Warmest,
    /// The organization has asked for an introduction to them.
    Asked,
    /// Members were in contact with them, but not within this period.
    Silent(Silence),
    /// One of these people knows them.
    KnownBy([Option<PersonIx>; KNOWING_MAX]),
}

/// A term with all its synonyms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Its subject.
    pub kind: TermKind,
    /// The answer's name for the term.
    pub term: String,
    /// Synonyms, the nearest to the term first, empty only for a measure: each is one or more folded words without
    /// punctuation. A text fits if it contains all words of one of them.
    pub phrases: Vec<Vec<String>>,
    /// A few of the synonyms in plain words, for engines that compare vectors; the term first.
    pub senses: Vec<String>,
    /// When it must be true.
    pub when: When,
    /// Whether people of this name fit too: the words may be a name.
    pub or_name: bool,
    /// Whether members who know a fitting person fit too: "who of us knows Ann".
    pub or_knowers: bool,
    /// Whether it is a description ("keeps the lights on"): its vector as a whole counts, whatever words texts share
    /// with it.
    pub is_sentence: bool,
    /// The measure; if set, phrases and senses are ignored.
    pub measure: Option<Measure>,
}

/// A query ready for an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Conditions on the people wanted; empty if the query has none.
    pub conditions: Vec<Condition>,
    /// Positions of `conditions` that are alternatives to the one before: "in Oslo or Bergen".
    pub alternatives: Vec<usize>,
    /// Conditions that exclude people.
    pub exclusions: Vec<Condition>,
    /// The networks the query names; empty if it names none.
    pub networks: Vec<NetworkKind>,
    /// The member whose view it asks for.
    pub view: Option<MemberIx>,
    /// The name for that member, from the draft.
    pub view_name: String,
    /// The language, from the draft.
    pub language: Option<&'static str>,
    /// The words without meaning for the search, from the draft.
    pub ignored: Vec<String>,
    /// The corrected words, from the draft.
    pub mended: Vec<(String, String)>,
    /// Whether it contains no letter and no digit, so that it finds nobody in any network.
    pub is_blank: bool,
}
