//! The files of LinkedIn's export that hold no contacts: its settings, skills, searches and the like.

use std::collections::BTreeSet;

use crate::files::is_expected;
use crate::outcome::ImportedFile;

/// The format that the report gives for such a file.
pub const WITHOUT_CONTACTS: &str = "LinkedIn, no contacts";
/// The beginning of the formats of LinkedIn's files.
const LINKEDIN: &str = "LinkedIn ";
/// Their names, in lower case, separated by a comma.
const NAMES: &str = "account status history.csv, ad_targeting.csv, ads clicked.csv, causes you care about.csv, certifications.csv, \
     coach_messages.csv, comments.csv, company follows.csv, courses.csv, endorsement_given_info.csv, \
     endorsement_received_info.csv, events.csv, guide_messages.csv, hashtag_follows.csv, honors.csv, \
     inferences_about_you.csv, instantreposts.csv, interests.csv, job applicant saved answers.csv, job \
     applications.csv, job seeker preferences.csv, lan ads engagement.csv, languages.csv, learning.csv, \
     learning_coach_messages.csv, learning_role_play_messages.csv, logins.csv, member_follows.csv, \
     organizations.csv, patents.csv, phonenumbers.csv, private_identity_asset.csv, profile summary.csv, \
     projects.csv, publications.csv, reactions.csv, receipts.csv, receipts_v2.csv, registration.csv, \
     rich_media.csv, saved jobs.csv, saved_items.csv, saveditems.csv, savedjobalerts.csv, search queries.csv, \
     searchqueries.csv, security challenges.csv, shares.csv, skills.csv, test_scores.csv, verifications.csv, \
     volunteering.csv, votes.csv, whatsapp phone numbers.csv";
/// The name that LinkedIn gives the folder of an export has this in it, in lower case.
const FOLDER: &str = "linkedindataexport";

impl ImportedFile {
    /// Whether it is a file of LinkedIn's export that holds no contacts.
    #[must_use]
    pub fn is_without_contacts(&self) -> bool {
        self.format == WITHOUT_CONTACTS
    }

    /// Its name, without folders and archives.
    #[must_use]
    pub fn base(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The folder or archive in which it lies, at its end a separator.
    fn folder(&self) -> &str {
        &self.stored[..self.stored.rfind(['/', '\\']).map_or(0, |end| end + 1)]
    }
}

/// Names as such the files without a known header that lie in an export of LinkedIn. They are known by their names: what stands
/// in them says nothing of the program that wrote it.
pub(crate) fn name_side_files(outcomes: &mut [ImportedFile]) {
    let of_linkedin = outcomes.iter().filter(|file| file.format.starts_with(LINKEDIN));
    let folders: BTreeSet<String> = of_linkedin.map(|file| file.folder().to_owned()).collect();
    for file in outcomes.iter_mut().filter(|file| file.is_unknown) {
        let is_beside = folders.iter().any(|folder| file.folder().starts_with(folder.as_str()));
        let (base, folder) = (file.base().to_lowercase(), file.folder().to_lowercase());
        let is_known = || NAMES.split(", ").any(|name| name == base);
        let is_within = || folder.contains(FOLDER) || folder.contains("!/");
        if is_beside && base.ends_with(".csv") && !is_expected(&base) && (is_known() || is_within()) {
            file.format = WITHOUT_CONTACTS.to_owned();
            file.fault = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_linkedins_export_is_known_beside_one_that_is_read_and_nowhere_else() {
        for (file, is_side) in [
            ("a/Skills.csv", true),
            ("a/Jobs/Saved Jobs.csv", true),
            ("a/Some New Thing.csv", false),
            ("a/connections.csv", false),
            ("a/Skills.pdf", false),
            ("b/Skills.csv", false),
            ("in.zip!/Some New Thing.csv", true),
            ("Complete_LinkedInDataExport_1/Some New Thing.csv", true),
        ] {
            let of = |file: &str| ImportedFile {
                file: file.to_owned(),
                stored: file.to_owned(),
                ..ImportedFile::default()
            };
            let known = |file: &str| ImportedFile { format: "LinkedIn profile".to_owned(), ..of(file) };
            let unknown = ImportedFile { is_unknown: true, fault: Some("no header".to_owned()), ..of(file) };
            let beside =
                ["a/Profile.csv", "in.zip!/Profile.csv", "Complete_LinkedInDataExport_1/Profile.csv"];
            let mut all: Vec<ImportedFile> = beside.into_iter().map(known).chain([unknown]).collect();
            name_side_files(&mut all);
            let last = all.last().unwrap();
            assert_eq!((last.is_without_contacts(), last.fault.is_none()), (is_side, is_side), "{file}");
        }
    }
}
