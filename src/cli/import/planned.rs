//! The plan of an import, from its arguments, a team file and the parts of colleagues.

use std::path::{Path, PathBuf};

use kith_import::arrivals::is_unfinished;
use kith_import::import_error::ImportError;
use kith_import::manifest::colleagues::plan_of_colleagues;
use kith_import::manifest::{plan_of_files, read_manifest};
use kith_import::plan::{ImportPlan, PlannedHolder};
use kith_import::tables::earlier::organization_of;

use crate::cli::import::brought::BroughtArgs;
use crate::cli::import::watch::is_within;
use crate::cli::import::{ImportCommand, ImportUsageError, MANIFEST};

impl ImportCommand {
    /// Plans the import.
    ///
    /// # Errors
    /// Returns an error if the arguments do not say it, or the manifest is wrong.
    pub(in crate::cli) fn plan(&self) -> Result<ImportPlan, ImportUsageError> {
        self.plan_with_parts().map(|(plan, _)| plan)
    }

    /// Plans the import; returns the plan, and the files with the parts of colleagues.
    pub(super) fn plan_with_parts(&self) -> Result<(ImportPlan, Vec<PathBuf>), ImportUsageError> {
        let plan = match (&self.org, &self.me, self.files.as_slice()) {
            (Some(organization), None, []) if self.brought.exports.is_some() => {
                Ok(BroughtArgs::plan_alone(organization))
            }
            (Some(_), _, []) => return Err(ImportUsageError::Arguments("name the files to import")),
            (Some(organization), Some(me), files) => plan_of_files(organization, me, &self.email, files),
            (Some(organization), None, files) => plan_of_colleagues(Some(organization), files),
            (None, _, files) if self.by_owner => plan_of_colleagues(None, files),
            (_, _, [folder]) if folder.is_dir() => match folder.join(MANIFEST) {
                manifest if manifest.is_file() => read_manifest(&manifest),
                _ => plan_of_colleagues(None, &self.files),
            },
            (_, _, [manifest]) => read_manifest(manifest),
            (_, _, []) => {
                return Err(ImportUsageError::Arguments("name a team file, or --org, --me and files"));
            }
            (_, _, _) => {
                return Err(ImportUsageError::Arguments(
                    "name one team file, or one folder with a folder for each colleague; files are imported without one by --org NAME \
                     --me NAME",
                ));
            }
        };
        let mut plan = plan.map_err(ImportUsageError::Manifest)?;
        plan.derives &= !self.no_derive;
        if let Some(folder) = self.watch.folder() {
            plan.files.retain(|file| !is_unfinished(&file.path));
            if self.files.first().is_some_and(|manifest| is_within(manifest, folder)) && self.org.is_none() {
                self.keep_within(&mut plan, folder)?;
            }
        }
        let parts = self.brought.add_to(&mut plan).map_err(ImportUsageError::Exports)?;
        if !plan.holders.iter().any(PlannedHolder::is_member) {
            return Err(ImportUsageError::Arguments(
                "no member brought a file yet; kith exports list says who has a link",
            ));
        }
        Ok((plan, parts))
    }

    /// Keeps `plan`, whose manifest lies in the watched `folder`, to files in it and to one organization: a program
    /// that may put exports there may write the manifest too.
    fn keep_within(&self, plan: &mut ImportPlan, folder: &Path) -> Result<(), ImportUsageError> {
        if let Some(file) = plan.files.iter().find(|file| !is_within(&file.path, folder)) {
            return Err(ImportUsageError::Outside(file.name.clone()));
        }
        let of_tables =
            organization_of(&self.tables).map_err(ImportError::Earlier).map_err(ImportUsageError::Plan)?;
        let Some(organization) = self.watch.organization().map(str::to_owned).or(of_tables) else {
            return Err(ImportUsageError::Arguments(
                "name the organization by --organization org_…: the team file lies in the folder that is watched",
            ));
        };
        match plan.organization_id.get_or_insert_with(|| organization.clone()) {
            own if *own == organization => Ok(()),
            other => Err(ImportUsageError::OtherOrganization { organization, other: other.clone() }),
        }
    }
}
