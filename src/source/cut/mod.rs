//! Source tables of many organizations, a lake, to source tables of one: what is within its reach.
//!
//! Members and accepted advocates are the *seeds*; *near* are the seeds and everyone a seed has an edge to. An
//! organization gets every edge that starts near, the people at their ends and those its own rows name, and their
//! companies. Only edges that it may see count. No answer reads another edge but for counting (`docs/lake.md`).
//!
//! The tables are read one after the other, the edges twice; ids within reach are held, rows never (`marks`). A row is
//! written as it was read (`written`), and the folder of an organization takes its name when it is whole (`folders`).

pub mod error;
pub mod report;

mod asked;
mod edges;
mod folders;
mod lake;
mod marks;
mod own_rows;
mod sieve;
mod tables;
mod written;

use std::path::Path;

use crate::limits::CUT_ORGANIZATIONS_MAX;
use crate::source::cut::asked::AskedOrganizations;
use crate::source::cut::edges::{connections, evidence, near};
use crate::source::cut::error::CutError;
use crate::source::cut::folders::Folders;
use crate::source::cut::lake::Lake;
use crate::source::cut::own_rows::own_rows;
use crate::source::cut::report::Cut;
use crate::source::cut::tables::{companies, people};
use crate::source::progress::Progress;

/// Writes the source tables of the organizations `ids` into folders of `out` named as they are, out of the tables in
/// `lake`.
///
/// # Errors
/// Returns an error if a row of the lake has a fault, an organization is not in it, or a file cannot be written. The
/// folders are as before then.
pub fn cut(lake: &Path, ids: &[String], out: &Path, progress: &dyn Progress) -> Result<Cut, CutError> {
    if ids.len() > CUT_ORGANIZATIONS_MAX {
        return Err(CutError::TooMany(ids.len()));
    }
    let mut lake = Lake::open(lake, progress)?;
    let asked = AskedOrganizations::find(ids, &mut lake)?;
    let mut folders = Folders::new(out, &asked)?;
    let own = own_rows(&mut lake, &asked, &mut folders)?;
    let near = near(&mut lake, &asked, own.seeds)?;
    let mut evidence = evidence(&mut lake, &asked, &near, own.implied)?;
    let mut reach = own.named;
    reach.add_all(&near)?;
    connections(&mut lake, &asked, &near, &mut evidence, &mut reach, &mut folders)?;
    let employers = people(&mut lake, &asked, &reach, &mut folders)?;
    companies(&mut lake, &employers, &mut folders)?;
    tables::evidence(&mut lake, &asked, &evidence, &mut folders)?;
    Ok(Cut { organizations: folders.put_in_place()?, warnings: lake.warnings })
}
