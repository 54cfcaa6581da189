//! One module for each question the API answers, over one index, without IO.
//!
//! Questions come in valid and answers leave as numbers into the index; texts are looked up by who
//! writes the answer out.

pub mod card;
pub mod company_search;
pub mod connections;
pub mod handle;
pub mod intro;
pub mod name_match;
pub mod opportunities;
pub mod page;
pub mod paths;
pub mod people_network;
pub mod people_search;
pub mod person;
pub mod second_degree;
pub mod signals;
pub mod substring;
pub mod target;
