//! Reading parts as an import does: each for its colleague alone, and all of an organization beside what else is imported.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use kith_import::dates::CalendarDay;
use kith_import::imported::{ImportSettings, Imported, import};
use kith_import::manifest::member_named;
use kith_import::manifest::overrides::Overrides;
use kith_import::plan::{ImportPlan, OpenExport, PlannedFile};
use kith_import::tables::ids::organization_id;

use crate::clock;
use crate::exports::error::ExportsError;
use crate::exports::folder::{ExportDraft, ExportsFolder};
use crate::exports::part::{BroughtFile, Part};
use crate::limits::EXPORT_REPORT_ENTRIES_MAX;

/// Why nothing of an advocate is read.
const STRANDED: &str =
    "its owner is an advocate who helps no member of this import; make their link again for a member";
/// Seconds of a day.
const DAY_SECONDS: u64 = 86_400;

/// A sealed file, opened while it is read: its text is nowhere on the disk.
#[derive(Debug)]
struct SealedExport {
    folder: Arc<ExportsFolder>,
    path: PathBuf,
    place: String,
    bytes: u64,
}

impl OpenExport for SealedExport {
    fn open(&self) -> io::Result<(Box<dyn Read + Send>, u64)> {
        Ok((self.folder.unseal(&self.path, &self.place)?, self.bytes))
    }
}

/// The day of the machine's clock, in UTC.
#[must_use]
pub fn today() -> CalendarDay {
    let seconds = clock::wall_time().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let day = i64::try_from(seconds / DAY_SECONDS).ok().and_then(CalendarDay::from_number);
    day.unwrap_or(CalendarDay { year: 9999, month: 12, day: 31 })
}

/// `file` of `part` as a plan has it, called `name`, for the holder at `holder`; it lies at `draft` if it has no place yet.
fn planned(
    folder: &Arc<ExportsFolder>,
    part: &Part,
    (file, draft): (&BroughtFile, Option<&ExportDraft>),
    (name, holder): (String, Option<usize>),
) -> Result<PlannedFile, ExportsError> {
    let (path, place) = folder.file(part, &file.id)?;
    let path = draft.map_or(path, |draft| draft.file.path().to_owned());
    let (folder, bytes) = (Arc::clone(folder), file.bytes);
    let sealed = SealedExport { folder, path: path.clone(), place, bytes };
    Ok(PlannedFile { opener: Some(Arc::new(sealed)), ..PlannedFile::of(path, name, holder) })
}

/// Adds to `plan` what the colleagues of its organization brought: the files of each and what they leave out, to the holder who is
/// the same person, else to a new one. Returns the files in which the parts lie.
///
/// # Errors
/// Returns an error if a part cannot be opened.
pub fn add_parts(plan: &mut ImportPlan, folder: &Arc<ExportsFolder>) -> Result<Vec<PathBuf>, ExportsError> {
    let parts = folder.parts(&organization_id(plan))?;
    // Members first: advocates help them.
    let (advocates, members): (Vec<_>, Vec<_>) =
        parts.iter().partition(|(part, _)| !part.who.helps.is_empty());
    for (part, _) in members.into_iter().chain(advocates).filter(|(part, _)| !part.files.is_empty()) {
        let is_advocate = !part.who.helps.is_empty();
        let helps: Vec<usize> =
            part.who.helps.iter().filter_map(|member| member_named(plan, member)).collect();
        let is_stranded = is_advocate && helps.is_empty();
        let holder = part.holder(Some(helps).filter(|_| is_advocate));
        let place = (!is_stranded || plan.place_of(&holder).is_some()).then(|| plan.take_in(holder));
        let owner = part.who.emails.first().unwrap_or(&part.who.name);
        for file in &part.files {
            let name = format!("{owner}/{}", file.name);
            let mut file = planned(folder, part, (file, None), (name, place))?;
            file.fault = place.is_none().then(|| STRANDED.to_owned());
            plan.files.push(file);
        }
    }
    Ok(parts.into_iter().map(|(_, path)| path).collect())
}

/// The report of an import of `part` alone, as JSON of a bounded size; with `draft` as if that file were there too, in the place of
/// one of the same name.
///
/// # Errors
/// Returns an error if the draft gives nothing, with the sentence of the import, or the part cannot be read.
pub(crate) fn report(
    folder: &Arc<ExportsFolder>,
    part: &Part,
    draft: Option<(&ExportDraft, &BroughtFile)>,
) -> Result<Vec<u8>, ExportsError> {
    let mut plan = ImportPlan {
        organization: part.organization_name.clone(),
        organization_id: Some(part.organization.clone()),
        derives: true,
        ..ImportPlan::default()
    };
    let holder = plan.take_in(part.holder(Some(Vec::new()).filter(|_| !part.who.helps.is_empty())));
    let is_replaced = |file: &BroughtFile| draft.is_some_and(|(_, new)| new.name == file.name);
    let kept = part.files.iter().filter(|file| !is_replaced(file)).map(|file| (file, None));
    for (file, draft) in kept.chain(draft.map(|(draft, file)| (file, Some(draft)))) {
        plan.files.push(planned(folder, part, (file, draft), (file.name.clone(), Some(holder)))?);
    }
    let last = plan.files.len().checked_sub(1).filter(|_| draft.is_some());
    let settings = ImportSettings {
        today: today(),
        // A part has no tables of last time.
        tables: &folder.file(part, "tables")?.0,
        overrides: Overrides::default(),
        keep: false,
        is_forgotten: None,
    };
    let imported = import(plan, &settings).map_err(|error| ExportsError::NothingRead(error.to_string()))?;
    if let Some(said) = last.and_then(|last| refusal(&imported, last)) {
        return Err(ExportsError::NothingRead(said));
    }
    let mut report = Vec::new();
    let written = imported.write_report_up_to(EXPORT_REPORT_ENTRIES_MAX, &mut report);
    written.map_err(|error| ExportsError::NothingRead(error.to_string()))?;
    Ok(report)
}

/// Why nothing of the planned file at `place` can be read, by name; `None` if something can.
#[must_use]
pub fn refusal(imported: &Imported, place: usize) -> Option<String> {
    let of_file = || imported.files().iter().filter(|file| file.planned == place);
    let said = of_file().filter_map(|file| Some(format!("{}: {}", file.file, file.fault.as_deref()?)));
    let said: Vec<String> = said.take(EXPORT_REPORT_ENTRIES_MAX).collect();
    (!said.is_empty() && of_file().all(|file| file.fault.is_some())).then(|| said.join("\n"))
}
