//! How well a network search finds the people meant: queries with human judgements, and measures.
//!
//! `judged/queries.ndjson` holds queries as people type them, over three networks: two made-up ones, which stay as they
//! were when they were judged (`fixtures/judged`), and one of real people, which is read from the folders `crunchbase`
//! and `congress` below `KITH_REAL_NETWORKS` and skipped if that is not set. The people that a query means were judged
//! from the data alone, by a person who read all distinct positions, industries and places of the network, before there
//! was an engine. The judgements follow these rules:
//!
//! - Sense decides, in any language: `Verkställande direktör` is a CEO, and `Kaufmännische Leitung` looks after the
//!   money. A query for a function means its leaders and its staff; one for a title means that title at any level that
//!   the query does not exclude.
//! - A person is in a place if they live there or their company has its headquarters there. "Not in" a place is
//!   neither.
//! - The industry is the one that the company states. A company that states none is in the one its name indicates.
//! - A person worked for a company in the past if an edge of theirs says that the two who know each other met there,
//!   unless they work for it now.
//! - A query that names a network ("coders my advocates know") means people of that network alone.
//!
//! `judged/queries` holds a second set in more classes and five languages, likewise; its README says how its rows
//! differ.
//!
//! `unseen.ndjson` contains queries with their conditions, but not the people they mean. Three writers who had seen
//! neither lexicons nor parser wrote them: 220 and 200 that were read since (`tune`), and 150 that were only counted.
//!
//! The judgements are never changed to suit an engine: a wrong one is shown from the data. Work on an engine reads the
//! half `tune`; the half `held_out` shows whether the work helped.
//!
//! `set` reads the lines, `case` reads the networks and finds the people that a rule means, `checks` checks the set,
//! `metrics` and `table` measure and show, `fields` measures a parser, `parser` the built-in one, `misread` counts its
//! misread queries, `phrases` measures descriptions of a role, an industry or a place, `search` asks the endpoint,
//! `bare` compares searches with the bare model, `names` searches everybody by name, and `shown` compares the reported
//! understanding of a search with the tables.

mod set;
mod case;
mod checks;
mod metrics;
mod table;
mod fields;
mod parser;
mod misread;
mod phrases;
mod search;
mod bare;
mod names;
mod shown;
