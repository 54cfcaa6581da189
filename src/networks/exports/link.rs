//! A colleague's link: it holds until it ends, is replaced or revoked, or they leave, and changes their own part alone.
//!
//! The code is in the link alone: its first digits say which part, and what is kept of it is a hash.

use std::fs;

use crate::auth::link::{hash, new_code};
use crate::exports::error::ExportsError;
use crate::exports::folder::{ExportsFolder, ID_DIGITS};
use crate::exports::part::{BroughtFile, Colleague, Part, Rules};
use crate::limits::EXPORT_PARTS_MAX;

impl ExportsFolder {
    /// Makes the link of `who`, in the place of the one before: the id of their part, and the code. `organization` is its id and
    /// its name. The link ends at `ends_at`, in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns an error if there are too many colleagues, or it cannot be written.
    pub fn make_link(
        &self,
        organization: (&str, &str),
        who: &Colleague,
        ends_at: i64,
    ) -> Result<(String, String), ExportsError> {
        self.change(organization.0, || {
            let parts = self.parts(organization.0)?;
            let known = parts.iter().find(|(part, _)| part.who.is(who)).map(|(part, _)| part.clone());
            let mut part = match known {
                Some(part) => part,
                None if parts.len() >= EXPORT_PARTS_MAX => {
                    let said = format!("{EXPORT_PARTS_MAX} colleagues have a part already, and no more can");
                    return Err(ExportsError::Bound(said));
                }
                None => Part {
                    id: self.new_part_id(organization.0)?,
                    organization: organization.0.to_owned(),
                    organization_name: String::new(),
                    who: who.clone(),
                    link: None,
                    leave_out: Rules::default(),
                    files: Vec::new(),
                },
            };
            organization.1.clone_into(&mut part.organization_name);
            let mut who = who.clone();
            let before = part.who.emails.iter().filter(|email| !who.emails.contains(email)).cloned();
            let before: Vec<String> = before.collect();
            who.emails.extend(before);
            who.handle = who.handle.take().or(part.who.handle.take());
            part.who = who;
            let code = format!("{}{}", part.id, new_code().map_err(ExportsError::Random)?);
            part.link = Some((hash(&code), ends_at));
            self.save(&part)?;
            Ok((part.id, code))
        })
    }

    /// Ends the link of the part `id` of `organization`; its files stay. With `with_files` nothing of the part stays.
    ///
    /// # Errors
    /// Returns an error if there is no such part, or it cannot be written.
    pub fn revoke(&self, organization: &str, id: &str, with_files: bool) -> Result<(), ExportsError> {
        self.change(organization, || {
            let part = self.part(id)?.filter(|part| part.organization == organization);
            let mut part = part.ok_or(ExportsError::Missing("this part"))?;
            if with_files {
                return self.remove(&part);
            }
            part.link = None;
            self.save(&part)
        })
    }

    /// The part to which the link with `code` leads at `now`, in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns an error if the link is void, or the part cannot be opened.
    pub fn linked(&self, code: &str, now: i64) -> Result<Part, ExportsError> {
        let part = code.get(..ID_DIGITS).map(|id| self.part(id)).transpose()?.flatten();
        let is_good =
            |part: &Part| part.link.is_some_and(|(kept, ends_at)| kept == hash(code) && ends_at > now);
        part.filter(is_good).ok_or(ExportsError::VoidLink)
    }

    /// Changes the part to which the link with `code` leads, while no other changes what its organization has there.
    ///
    /// # Errors
    /// Returns the errors of `change` and of [`Self::linked`]; one if it cannot be written.
    pub(crate) fn change_linked(
        &self,
        code: &str,
        now: i64,
        change: impl FnOnce(&mut Part) -> Result<(), ExportsError>,
    ) -> Result<Part, ExportsError> {
        let organization = self.linked(code, now)?.organization;
        self.change(&organization, || {
            let mut part = self.linked(code, now)?;
            change(&mut part)?;
            self.save(&part)?;
            Ok(part)
        })
    }

    /// Removes the file `id` from the part to which the link with `code` leads.
    ///
    /// # Errors
    /// Returns an error if the link is void or the part cannot be written, and one if there is no such file.
    pub fn remove_file(&self, code: &str, id: &str, now: i64) -> Result<Part, ExportsError> {
        let mut gone = None;
        let part = self.change_linked(code, now, |part| {
            let place = part.files.iter().position(|file| file.id == id);
            gone = Some(part.files.remove(place.ok_or(ExportsError::Missing("this file"))?));
            Ok(())
        })?;
        gone.map_or(Ok(()), |file| self.remove_bytes(&part, &file))?;
        Ok(part)
    }

    /// Removes everything of the part to which the link with `code` leads, the link too. Returns what it was.
    ///
    /// # Errors
    /// Returns an error if the link is void, or something stays.
    pub fn leave(&self, code: &str, now: i64) -> Result<Part, ExportsError> {
        let organization = self.linked(code, now)?.organization;
        self.change(&organization, || {
            let part = self.linked(code, now)?;
            self.remove(&part).map(|()| part)
        })
    }

    /// Removes the bytes of `file` of `part`.
    ///
    /// # Errors
    /// Returns an error if they stay.
    pub(crate) fn remove_bytes(&self, part: &Part, file: &BroughtFile) -> Result<(), ExportsError> {
        let (path, _) = self.file(part, &file.id)?;
        fs::remove_file(&path).map_err(ExportsError::unwritten(&path))
    }
}
