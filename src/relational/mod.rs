//! The relational store beside a snapshot: the same people as SQL tables, bound to it by its identity.
