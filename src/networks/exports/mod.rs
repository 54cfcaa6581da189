//! The exports that colleagues bring by themselves: each over a link of their own, sealed on the disk until the next import
//! takes them up.
//!
//! A [`part`] is what one colleague brings: who they are, their link, what they leave out, their files. [`folder`] keeps the parts
//! of all organizations, [`seal`] makes bytes that the key alone opens, [`link`] says what a link may change, [`read`] reads
//! a part as an import does, and [`service`] is what a server shares of it.

pub mod error;
pub mod folder;
pub mod link;
pub mod part;
pub mod read;
pub mod seal;
pub mod service;
