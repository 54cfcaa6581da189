//! The plan of folders of colleagues, where no manifest says whose each is: the profile in a folder says it, or its name.

use std::path::{Path, PathBuf};

use crate::export::ExportFormat;
use crate::files::{is_mail_archive, read_file};
use crate::identity::name::PersonName;
use crate::limits::IMPORT_FILE_BYTES_MAX;
use crate::manifest::fault::{ManifestError, ManifestFault};
use crate::manifest::owned::{Owned, is_one_person};
use crate::manifest::paths::{FoundFile, add_files, expand, from_common_folder};
use crate::plan::{ImportPlan, PlannedHolder, ReadAs};
use kith::model::dataset::Role;
use kith::model::text::fold;
use kith::regular_file;

/// The most words of a name.
const NAME_WORDS_MAX: usize = 4;
/// Words that folders are called by and people are not, folded.
const NO_NAMES: &str = "takeout mail mails email emails linkedin linkedindataexport export exports exporte contact contacts kontakte \
     address addresses adressen book download downloads data daten complete basic google outlook icloud apple gmail \
     hubspot salesforce affinity attio pipedrive crm backup backups archive archives archiv old alt new neu stuff \
     misc other others temp tmp test tests file files dateien document documents dokumente picture pictures photo \
     photos fotos project projects projekt projekte calendar kalender team shared company people invoices \
     rechnungen";

/// One folder, archive or file of the command line, or directly below its one folder.
struct Group {
    name: String,
    is_folder: bool,
    files: Vec<FoundFile>,
    owned: Owned,
}

/// Whose a group is.
struct Member {
    name: String,
    emails: Vec<String>,
    /// How that is known.
    by: &'static str,
}

/// The plan of the files of colleagues, each in a folder of its own or in an archive; of one person, if no more are to be seen.
/// `organization` is its name, if one is given.
///
/// # Errors
/// Returns an error if a file or folder could be anybody's.
pub fn plan_of_colleagues(
    organization: Option<&str>,
    given: &[PathBuf],
) -> Result<ImportPlan, ManifestError> {
    if organization.is_some_and(|name| name.trim().is_empty()) {
        return Err(without_name());
    }
    let groups = groups(given);
    let mut owners: Vec<String> = Vec::new();
    for (name, _) in groups.iter().flat_map(|group| &group.owned.profiles) {
        if !owners.iter().any(|owner| is_one_person(owner, name)) {
            owners.push(name.clone());
        }
    }
    let [first, others @ ..] = owners.as_slice() else {
        let file = given.first().map_or_else(String::new, |file| file.display().to_string());
        return Err(ManifestError { file, fault: ManifestFault::NoOwner });
    };
    let is_layout = !others.is_empty() || groups.iter().any(|group| group.is_called_as_owner());
    let is_other = |group: &Group| {
        group.is_folder
            && group.owned.profiles.is_empty()
            && name_of_folder(&group.base(), is_layout).is_some()
    };
    if others.is_empty() && !(groups.iter().any(is_other)) {
        let network = format!("{first}'s network");
        return of_one((organization.unwrap_or(&network), first), given, groups);
    }
    let folder = folder_name(given);
    let organization = organization.map(str::to_owned).or(folder).ok_or_else(without_name)?;
    of_team(&organization, groups, &owners, is_layout)
}

fn without_name() -> ManifestError {
    ManifestError {
        file: "the command line".to_owned(),
        fault: ManifestFault::MissingKey("--org".to_owned()),
    }
}

/// The plan of `groups`, all of one person called `name`.
fn of_one(
    (organization, name): (&str, &str),
    given: &[PathBuf],
    groups: Vec<Group>,
) -> Result<ImportPlan, ManifestError> {
    let mut plan = ImportPlan::named(organization);
    let emails = groups.iter().flat_map(|group| &group.owned.emails).cloned().collect();
    plan.take_in(PlannedHolder::member(name.to_owned(), emails, Role::Admin));
    plan.keep_emails_once();
    let place = given.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
    plan.read_as.push(ReadAs { place, name: Some(name.to_owned()), by: "by the Profile.csv among them" });
    for group in groups {
        add_group(&mut plan, group, Some(0))?;
    }
    from_common_folder(&mut plan.files);
    Ok(plan)
}

/// The plan of `groups`, each of a colleague, or an export of the organization's CRM.
fn of_team(
    organization: &str,
    groups: Vec<Group>,
    owners: &[String],
    is_layout: bool,
) -> Result<ImportPlan, ManifestError> {
    let mut plan = ImportPlan::named(organization);
    for group in groups {
        let fault = |fault| ManifestError { file: group.name.clone(), fault };
        let Some(Member { name, emails, by }) = group.member(owners, is_layout).map_err(fault)? else {
            plan.read_as.push(ReadAs { place: group.name.clone(), name: None, by: "" });
            add_group(&mut plan, group, None)?;
            continue;
        };
        let known = plan.holders.iter().position(|holder| is_one_person(&holder.name, &name));
        let place = known.unwrap_or(plan.holders.len());
        match plan.holders.get_mut(place) {
            Some(holder) => holder.emails.extend(emails),
            None => plan.holders.push(PlannedHolder::member(name, emails, Role::Member)),
        }
        let name = Some(plan.holders[place].name.clone());
        plan.read_as.push(ReadAs { place: group.name.clone(), name, by });
        add_group(&mut plan, group, Some(place))?;
    }
    plan.keep_emails_once();
    from_common_folder(&mut plan.files);
    Ok(plan)
}

fn add_group(plan: &mut ImportPlan, group: Group, holder: Option<usize>) -> Result<(), ManifestError> {
    let Group { name, files, .. } = group;
    add_files(plan, files, holder).map_err(|fault| ManifestError { file: name, fault })
}

/// The groups of the files `given`: below one folder each entry, else each file or folder that is named.
fn groups(given: &[PathBuf]) -> Vec<Group> {
    let found = |path: &PathBuf| expand(Path::new(""), &path.to_string_lossy(), path);
    let group = |name: String, is_folder: bool, files: Vec<FoundFile>| {
        let owned = Owned::of(&files);
        Group { name, is_folder, files, owned }
    };
    let [folder] = given else {
        let each = given.iter().map(|path| group(path.display().to_string(), path.is_dir(), found(path)));
        return each.collect();
    };
    if !folder.is_dir() {
        return vec![group(folder.display().to_string(), false, found(folder))];
    }
    let base = folder.to_string_lossy();
    let base = format!("{}/", base.trim_end_matches('/'));
    let mut groups: Vec<(String, bool, Vec<FoundFile>)> = Vec::new();
    for file in found(folder) {
        let inside = file.name.strip_prefix(&base).unwrap_or(&file.name);
        let (entry, is_folder) = inside.split_once('/').map_or((inside, false), |(entry, _)| (entry, true));
        let name = format!("{base}{entry}");
        match groups.last_mut().filter(|(known, _, _)| *known == name) {
            Some((_, _, files)) => files.push(file),
            None => groups.push((name, is_folder, vec![file])),
        }
    }
    groups.into_iter().map(|(name, is_folder, files)| group(name, is_folder, files)).collect()
}

impl Group {
    /// Its name without the folders above it.
    fn base(&self) -> String {
        self.name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }

    fn is_called_as_owner(&self) -> bool {
        let called = name_of_folder(&self.base(), true);
        called.is_some_and(|called| self.owned.profiles.iter().any(|(name, _)| is_one_person(name, &called)))
    }

    /// Whose it is; `None` if it is the organization's.
    ///
    /// # Errors
    /// Returns a fault if it holds the exports of two people, or could be anybody's.
    fn member(&self, owners: &[String], is_layout: bool) -> Result<Option<Member>, ManifestFault> {
        let mut profiles = self.owned.profiles.iter().map(|(name, _)| name);
        let emails = self.owned.emails.clone();
        if let Some(name) = profiles.next() {
            return match profiles.find(|other| !is_one_person(name, other)) {
                Some(other) => Err(ManifestFault::TwoOwners([name.clone(), other.clone()])),
                None => Ok(Some(Member { name: name.clone(), emails, by: "by its Profile.csv" })),
            };
        }
        if self.is_folder {
            let name = name_of_folder(&self.base(), is_layout).ok_or(ManifestFault::OwnerUnknown)?;
            let alike: Vec<&String> = owners.iter().filter(|owner| is_one_person(owner, &name)).collect();
            return match alike.as_slice() {
                [] => Ok(Some(Member { name, emails, by: "by the folder's name" })),
                [owner] => Ok(Some(Member { name: (*owner).clone(), emails, by: "by the folder's name" })),
                [one, other, ..] => Err(ManifestFault::TwoCalledSo([(*one).clone(), (*other).clone()])),
            };
        }
        if self.files.iter().any(is_personal) { Err(ManifestFault::Beside) } else { Ok(None) }
    }
}

/// Whether the file is the export of a person, and not of the organization's CRM.
fn is_personal(file: &FoundFile) -> bool {
    let Ok(read) = regular_file::read(&file.path, IMPORT_FILE_BYTES_MAX) else { return false };
    if is_mail_archive(&read.bytes) {
        return true;
    }
    let is_of_person = |format: ExportFormat| match format {
        ExportFormat::HubSpot | ExportFormat::Salesforce | ExportFormat::SalesforceReport => false,
        ExportFormat::RecognizedTable(columns) => !columns.has_owner(),
        _ => true,
    };
    let counts = read_file(&file.name, &read.bytes, None, &mut |_, _, _| {});
    counts.iter().filter_map(|entry| entry.count.format).any(is_of_person)
}

/// The person whose name a folder has. A single word is a name only if the other folders are those of colleagues.
fn name_of_folder(base: &str, is_layout: bool) -> Option<String> {
    let spaced = base.replace(['_', '.'], " ");
    let words: Vec<&str> = spaced.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_no_name = |word: String| NO_NAMES.split(' ').any(|known| known == word);
    let is_word = |word: &&str| {
        let is_letter = |one: char| one.is_alphabetic() || "-'’".contains(one);
        word.chars().all(is_letter) && word.chars().any(char::is_alphabetic) && !is_no_name(fold(word))
    };
    let is_name = (1..=NAME_WORDS_MAX).contains(&words.len()) && words.iter().all(is_word);
    let begins_large = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    if !is_name || (!is_layout && (words.len() == 1 || !words.iter().all(begins_large))) {
        return None;
    }
    let parsed = PersonName::parse(&spaced);
    if parsed.given.is_empty() {
        return None;
    }
    // `Natarajan, Priya` has the family name first.
    let ordered = match spaced.split_once(',') {
        Some((family, given)) => format!("{} {}", given.trim(), family.trim()),
        None => words.join(" "),
    };
    let large = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    Some(ordered.split(' ').map(large).collect::<Vec<String>>().join(" "))
}

/// The name of the folder that is given, or that holds all that is.
fn folder_name(given: &[PathBuf]) -> Option<String> {
    let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let folder = match given {
        [folder] => whole(folder),
        [first, others @ ..] => {
            let parent = whole(first).parent()?.to_owned();
            others.iter().all(|other| whole(other).parent() == Some(&parent)).then_some(parent)?
        }
        [] => return None,
    };
    Some(folder.file_name()?.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_person_by_its_name_or_is_not() {
        for (base, name, is_sure) in [
            ("Priya Natarajan", Some("Priya Natarajan"), true),
            ("Natarajan, Priya", Some("Priya Natarajan"), true),
            ("priya", Some("Priya"), false),
            ("jonas_weber", Some("Jonas Weber"), false),
            ("Anne-Marie O'Neill", Some("Anne-Marie O'Neill"), true),
            ("Takeout", None, false),
            ("Complete_LinkedInDataExport_11-14-2026", None, false),
            ("Q3 2026", None, false),
            ("Old stuff", None, false),
        ] {
            assert_eq!(name_of_folder(base, true).as_deref(), name, "{base}");
            assert_eq!(name_of_folder(base, false).is_some(), is_sure, "{base} alone");
        }
    }
}
