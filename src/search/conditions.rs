//! What a search asks for: the one closed shape that both parsers make and all engines answer.
//!
//! A parser, the built-in one or a language model, writes a [`Draft`]: plain words, sorted by what
//! they say. `search::resolve` turns a draft into a [`Query`]: the same, with every other way to say
//! it. Nothing outside these types gets from a query's text to an engine.

use crate::model::ix::{MemberIx, PersonIx};
use crate::model::named::named;

/// The most terms a draft may hold.
pub const TERMS_MAX: usize = 12;
/// The most people whose contacts a query may ask for by name.
pub const KNOWING_MAX: usize = 4;
/// The longest text of a term, in characters.
pub const TERM_CHARS_MAX: usize = 80;

/// What a term says about a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// What they do, with its seniority if the query has one: "head of finance", "recruiter".
    Role,
    /// How senior they are, whatever they do: "executive".
    Seniority,
    /// The company they work for, or worked for.
    Company,
    /// The industry of their company.
    Industry,
    /// The city, country or region that they, or their company, are in.
    Place,
    /// What they are called.
    Name,
    /// How many people their company has.
    Size,
    /// What ties there are: how many people know them, how warm the nearest edge is, whether the organization has
    /// asked for an introduction.
    Connections,
    /// Who is said to know them: "CFOs that Ann knows". No parser drafts it as a term.
    Relation,
    /// For how long nobody of the pool's members was in contact with them.
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

    /// Whether it goes by what is counted or known of a tie, and not by words of texts.
    #[must_use]
    pub const fn is_measured(self) -> bool {
        matches!(self, Self::Size | Self::Connections | Self::Relation | Self::Silence)
    }
}

/// One thing a query says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is about.
    pub kind: TermKind,
    /// Its words as the query has them, 1 to [`TERM_CHARS_MAX`] characters.
    pub text: String,
    /// Whether the people wanted are those it does *not* fit.
    pub negated: bool,
    /// Whether it was so in the past: "used to work at".
    pub past: bool,
}

/// When something has to have been so for a condition to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// It is so.
    Now,
    /// It was so and is so no more: "used to work at".
    Once,
    /// It is or was so: of those who are not wanted, "never worked at".
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
    /// What it says, in its order; at most [`TERMS_MAX`].
    pub terms: Vec<Term>,
    /// The networks it names; empty if it names none.
    pub networks: Vec<NetworkKind>,
    /// The member through whose eyes it asks to look: "who does Aoife know".
    pub view: Option<MemberIx>,
    /// What it calls that member.
    pub view_name: String,
    /// Others whose contacts it asks for, at most [`KNOWING_MAX`] together, and what it calls them: "friends of Max". Of
    /// several lists a person of each knows those wanted: "whom both Max and Ida know".
    pub known_by: Vec<(Vec<PersonIx>, String)>,
    /// Those of `terms`, by their places, that stand in a list with the one before: "CEO or founder", "Oslo, Bergen".
    pub listed: Vec<usize>,
    /// Whether operators say what is listed, whatever its kinds: "CEO OR banking".
    pub is_stated: bool,
    /// Whether it asks which members know the people it names: "who of us knows Ann".
    pub asks_who_knows: bool,
    /// Words that say nothing about the people wanted, and names in a place where no member's can be read, in the
    /// order of the query, each once.
    pub ignored: Vec<String>,
    /// Words that were mended: as the query has them, and as they were read.
    pub mended: Vec<(String, String)>,
    /// The code of the language it was read as; `None` if it was not recognized.
    pub language: Option<&'static str>,
}

/// From how many to how many, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The least.
    pub least: u64,
    /// The most; [`Span::ENDLESS`] if there is no most.
    pub most: u64,
}

impl Span {
    /// Stands for no most.
    pub const ENDLESS: u64 = u64::MAX;

    /// Whether `count` is within.
    #[must_use]
    pub fn holds(self, count: u64) -> bool {
        self.least <= count && count <= self.most
    }
}

/// A span without contact, up to the newest evidence of members' edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Silence {
    /// So many days or more.
    Days(u32),
    /// All days after this year.
    Since(u16),
}

/// What is counted or weighed if words do not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// So many people work at their company.
    Size(Span),
    /// They have so many connections.
    Connections(Span),
    /// They have more connections than most; those with the most come first.
    WellConnected,
    /// Those with the most connections come first; it fits everybody of whom the number is known.
    MostConnected,
    /// Those whose edge is warmest come first; it fits everybody whose edge has a score.
    Warmest,
    /// The organization has asked for an introduction to them.
    Asked,
    /// Members were in contact with them, and not within this span.
    Silent(Silence),
    /// One of these people knows them.
    KnownBy([Option<PersonIx>; KNOWING_MAX]),
}

/// A term with every way to say it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// What it is about.
    pub kind: TermKind,
    /// How the answer names what was searched for.
    pub term: String,
    /// Ways to say it, the nearest to the term first, empty only for a measure: each is one or more folded words
    /// without punctuation. A text fits if it holds all words of one of them.
    pub phrases: Vec<Vec<String>>,
    /// A few of these ways in plain words, for engines that compare sense; the term first.
    pub senses: Vec<String>,
    /// When it has to have been so.
    pub when: When,
    /// Whether people who are called so fit too: the words may be a name.
    pub or_name: bool,
    /// Whether members who know those it fits, fit too: "who of us knows Ann".
    pub or_knowers: bool,
    /// Whether it is talk ("keeps the lights on"): its sense as a whole counts, whatever words of it texts have.
    pub is_sentence: bool,
    /// What is counted; if it is there, phrases and senses are not looked at.
    pub measure: Option<Measure>,
}

/// A query ready for an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What the people wanted fit; empty if the query says nothing about them.
    pub conditions: Vec<Condition>,
    /// Those of `conditions`, by their places, that are alternatives to the one before: "in Oslo or Bergen".
    pub alternatives: Vec<usize>,
    /// What they do not fit.
    pub exclusions: Vec<Condition>,
    /// The networks the query names; empty if it names none.
    pub networks: Vec<NetworkKind>,
    /// The member through whose eyes it asks to look.
    pub view: Option<MemberIx>,
    /// As in the draft: what it calls that member.
    pub view_name: String,
    /// As in the draft: the language.
    pub language: Option<&'static str>,
    /// As in the draft: words that say nothing about the people wanted.
    pub ignored: Vec<String>,
    /// As in the draft: words that were mended.
    pub mended: Vec<(String, String)>,
    /// Whether it finds nobody whatever the network: there is no letter and no digit in it.
    pub is_blank: bool,
}
