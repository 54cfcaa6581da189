//! The engines, by their names in the API, and why one may be unable to answer.

use crate::model::named::named;

/// A way to find the people who fit a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// By the vectors of texts.
    Vector,
    /// By their words.
    Keyword,
    /// By SQL over the relational store.
    Relational,
}

named! {
    /// All engines, in the order in which automatic mode tries them.
    Engine as mode, backend {
        Vector = "vector", "graph-vector";
        Keyword = "graph", "graph-keyword";
        Relational = "relational", "relational";
    }
}

/// The engines in service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    in_service: [bool; 3],
}

impl Engines {
    /// Every engine.
    pub const ALL: Self = Self { in_service: [true; 3] };

    /// Whether `engine` is in service.
    #[must_use]
    pub fn has(self, engine: Engine) -> bool {
        self.in_service[engine as usize]
    }
}

impl FromIterator<Engine> for Engines {
    fn from_iter<T: IntoIterator<Item = Engine>>(engines: T) -> Self {
        let mut in_service = [false; 3];
        engines.into_iter().for_each(|engine| in_service[engine as usize] = true);
        Self { in_service }
    }
}

/// The engine to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The first engine that can answer.
    Auto,
    /// Only this engine.
    Pinned(Engine),
}

impl Mode {
    /// All modes; the first is the default.
    pub const ALL: [Self; 4] = [
        Self::Auto,
        Self::Pinned(Engine::Vector),
        Self::Pinned(Engine::Keyword),
        Self::Pinned(Engine::Relational),
    ];

    /// The mode's name in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Pinned(engine) => engine.mode(),
        }
    }
}

/// Why an engine cannot answer; callers may see each sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineUnavailable {
    /// The configuration disables it.
    NotInService,
    /// The snapshot's vectors come from another model than the program's.
    OtherModel,
    /// No matching relational store is beside the snapshot.
    NoStore,
    /// The relational store did not answer, or not in time.
    StoreFailed,
}

impl EngineUnavailable {
    /// The reason's name in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotInService => "not_in_service",
            Self::OtherModel => "other_model",
            Self::NoStore => "no_store",
            Self::StoreFailed => "store_failed",
        }
    }

    /// The reason as a sentence for callers.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NotInService => "this engine is not in service here",
            Self::OtherModel => "the network's vectors belong to another version of the model",
            Self::NoStore => "the network has no relational store",
            Self::StoreFailed => "the relational store did not answer",
        }
    }
}
