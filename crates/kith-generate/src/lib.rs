//! Realistic networks of any size from a seed, written as source tables.
//!
//! The same [`plan::Plan`] gives the same bytes on every machine: each table has its own stream of random numbers, and
//! all arithmetic is on whole numbers. Rows are written as they are made; memory holds a dozen bytes per person and a
//! name per company. All people and companies are invented.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod demo;
pub mod folder;
pub mod plan;
pub mod write;

mod companies;
mod company_table;
mod connections;
mod dice;
mod ghosts;
mod histories;
mod ids;
mod intros;
mod name_words;
mod names;
mod output;
mod people;
mod places;
mod positions;
mod role_tables;
mod roles;
mod times;
mod world;
