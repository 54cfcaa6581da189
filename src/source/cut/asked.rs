//! The organizations that are asked for, and what belongs to one of them.

use std::collections::HashMap;

use crate::source::cut::error::CutError;
use crate::source::cut::lake::Lake;
use crate::source::cut::marks::Mask;
use crate::source::cut::sieve::LakeOrganizations;
use crate::source::cut::written::line;
use crate::source::error::{Reason, TableFault};
use crate::source::fields::NamedCell;
use crate::source::folder::find_organization;
use crate::source::tables::organization::OrganizationRow;

/// The organizations that are asked for, in their order.
pub(crate) struct AskedOrganizations {
    pub(crate) organizations: Vec<AskedOrganization>,
    /// Whether the lake is that of one organization alone, so that rows need not name it.
    is_sole: bool,
}

pub(crate) struct AskedOrganization {
    pub(crate) id: String,
    /// Its own row.
    pub(crate) line: String,
    /// Its own company.
    pub(crate) company: Option<String>,
}

impl AskedOrganizations {
    /// Finds the organizations `ids` in `lake`.
    ///
    /// # Errors
    /// Returns an error if one is not there, is named twice, or cannot be the name of a folder.
    pub(crate) fn find(ids: &[String], lake: &mut Lake<'_>) -> Result<Self, CutError> {
        for (place, id) in ids.iter().enumerate() {
            if ids[..place].contains(id) {
                return Err(CutError::OrganizationTwice(id.clone()));
            }
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
            if !id.bytes().all(is_plain) || !id.starts_with("org_") {
                return Err(CutError::NoFolderName(id.clone()));
            }
        }
        let mut found: HashMap<String, AskedOrganization> = HashMap::new();
        let sole = find_organization(&lake.folder).map_err(CutError::Table)?;
        if let Some(file) = &sole {
            let (row, _) = OrganizationRow::read(file, lake.reading).map_err(CutError::Table)?;
            let (id, company) = (row.id.clone(), row.company.clone());
            found.insert(id.clone(), AskedOrganization { id, company, line: row.line() });
        }
        lake.pass::<3, LakeOrganizations, _>(
            |row| {
                let [id, _, company] = row;
                let id = id.own_id("org_")?;
                if !ids.contains(&id) {
                    return Ok(None);
                }
                let company = company.optional_id("company_")?;
                Ok(Some(AskedOrganization { id, company, line: line(row)? }))
            },
            |organization| {
                found.insert(organization.id.clone(), organization);
                Ok(())
            },
        )?;
        let organizations = ids.iter().map(|id| found.remove(id).ok_or_else(|| id.clone()));
        let organizations = organizations.collect::<Result<_, _>>().map_err(CutError::NoOrganization)?;
        Ok(Self { organizations, is_sole: sole.is_some() })
    }

    /// The organization `id`, if it is asked for.
    fn mask_of(&self, id: &str) -> Mask {
        self.organizations.iter().position(|asked| asked.id == id).map_or(0, |place| 1 << place)
    }

    /// The organization that the row with the field `org` belongs to, if it is asked for.
    pub(crate) fn owner(&self, org: NamedCell<'_>) -> Result<Mask, TableFault> {
        match org.optional_id("org_")? {
            Some(id) => Ok(self.mask_of(&id)),
            None if self.is_sole => Ok(1),
            None => Err(TableFault::of(org.name, Reason::NoValue)),
        }
    }

    /// The organizations that may see the row with the field `visible_to`.
    pub(crate) fn viewers(&self, visible_to: NamedCell<'_>) -> Result<Mask, TableFault> {
        Ok(match visible_to.optional_id("org_")? {
            Some(id) => self.mask_of(&id),
            None => Mask::MAX,
        })
    }
}
