//! The exports that colleagues brought over links, as a part of an import.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kith_import::plan::ImportPlan;

use crate::exports::error::ExportsError;
use crate::exports::folder::ExportsFolder;
use crate::exports::read::add_parts;

/// The folder of what colleagues brought, and its key.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BroughtArgs {
    /// The folder of the exports that colleagues brought over their links; with --org and nothing else, they are the team
    #[arg(long, value_name = "DIR", requires = "exports_key")]
    pub(crate) exports: Option<PathBuf>,
    /// The file of the key to that folder
    #[arg(long, value_name = "FILE", requires = "exports")]
    pub(crate) exports_key: Option<PathBuf>,
}

impl BroughtArgs {
    /// Adds what the colleagues of its organization brought to `plan`. Returns the files in which their parts lie.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be opened.
    pub(super) fn add_to(&self, plan: &mut ImportPlan) -> Result<Vec<PathBuf>, ExportsError> {
        let Some((folder, key)) = self.exports.as_deref().zip(self.exports_key.as_deref()) else {
            return Ok(Vec::new());
        };
        let folder = Arc::new(ExportsFolder::open(folder, key)?);
        add_parts(plan, &folder)
    }

    /// The plan of an import into `organization` of nothing but what colleagues brought.
    pub(super) fn plan_alone(organization: &str) -> ImportPlan {
        ImportPlan::named(organization)
    }
}
