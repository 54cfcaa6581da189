//! Finds the header of an export, and the separator of its cells.

use crate::columns::ColumnMapping;
use crate::fault::FileFault;
use crate::layout::Layout;
use crate::limits::IMPORT_PREAMBLE_LINES_MAX;
use crate::recognized::recognize;
use crate::records::{ExportRecord, Records, after_line_end};
use crate::refused::refused;
use kith::limits::ECHO_CHARS_MAX;

/// The separators of cells.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The layout of the export in `text`, from the file `file`, and the records below its header. With `columns`, the
/// header is the line that has them.
///
/// # Errors
/// Returns a fault if the text is empty, or if its first lines have no header of a known export, or none with the
/// columns of the manifest.
pub(crate) fn sniff<'a>(
    text: &'a str,
    file: &str,
    columns: Option<&ColumnMapping>,
) -> Result<(Layout, Records<'a>), FileFault> {
    let (mut rest, mut search) = (text, HeaderSearch::new(file, columns));
    for line in 1..=IMPORT_PREAMBLE_LINES_MAX + 1 {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        search.begin(&rest[..end]);
        for separator in SEPARATORS {
            let mut records = Records::new(rest, line, separator);
            let Ok(Some(header)) = records.next() else { continue };
            // A record further down is tried in its turn.
            if header.line == line
                && let Some(layout) = search.look(&header)
            {
                return Ok((layout, records));
            }
        }
        let Some((behind, _)) = after_line_end(&rest[end..]) else { break };
        rest = behind;
    }
    Err(search.fault())
}

/// A search for the header, one record after the other.
pub(crate) struct HeaderSearch<'a> {
    file: &'a str,
    columns: Option<&'a ColumnMapping>,
    /// The first non-empty line.
    first: Option<(String, bool)>,
    /// The record with the most of the columns, one column it lacks, and how many it lacks.
    nearest: Option<(String, String, usize)>,
    refused: Option<FileFault>,
}

impl<'a> HeaderSearch<'a> {
    pub(crate) fn new(file: &'a str, columns: Option<&'a ColumnMapping>) -> Self {
        Self { file, columns, first: None, nearest: None, refused: None }
    }

    /// Records the beginning of the text.
    pub(crate) fn begin(&mut self, line: &str) {
        if self.first.is_none() && !line.trim().is_empty() {
            self.first = Some((echo(line), is_header(line)));
        }
    }

    /// The layout below `record`; `None` if that is not a header.
    pub(crate) fn look(&mut self, record: &ExportRecord<'_>) -> Option<Layout> {
        let cells = || record.cells.iter().map(AsRef::as_ref);
        let Some(columns) = self.columns else {
            let known = Layout::of(cells());
            if known.is_none() && self.refused.is_none() {
                self.refused = refused(cells(), self.file);
            }
            // An archive contains many kinds of tables; skip those that are not exports.
            let may_guess = self.refused.is_none() && !self.file.contains("!/");
            return known.or_else(|| may_guess.then(|| recognize(cells())).flatten());
        };
        match Layout::mapped(cells(), columns) {
            Ok(layout) => Some(layout),
            Err(missing) => {
                let is_nearer = self.nearest.as_ref().is_none_or(|(_, _, most)| missing.len() < *most);
                if let Some(column) = missing.first().filter(|_| is_nearer) {
                    self.nearest = Some((column.clone(), echo(&record.cells.join(",")), missing.len()));
                }
                None
            }
        }
    }

    /// The reason why no tried record is a header.
    pub(crate) fn fault(self) -> FileFault {
        let Some((first, is_header)) = self.first else { return FileFault::Empty };
        match (self.refused, self.nearest) {
            (Some(refused), _) => refused,
            (None, Some((column, header, _))) => FileFault::ColumnMissing { column, header },
            (None, None) if is_header => FileFault::UnknownHeader(first),
            (None, None) => FileFault::NoHeader,
        }
    }
}

/// Whether `line` may be a table's header, so that a message may quote it: several cells that are words. Any file can
/// be named, and the first line of a file that is not an export must not be revealed.
fn is_header(line: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || " _-()/'\"#.".contains(character);
    let mut cells = line.split(SEPARATORS);
    line.contains(SEPARATORS) && cells.all(|cell| cell.chars().all(is_word))
}

/// The start of `line` for a message.
fn echo(line: &str) -> String {
    let plain: String = line.chars().filter(|c| !c.is_control()).take(ECHO_CHARS_MAX).collect();
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::ExportFormat::{self, *};

    /// The format of `text`; the separator is found from the next record.
    fn said(text: &str) -> Option<(ExportFormat, u64, usize)> {
        let (layout, mut records) = sniff(text, "c.csv", None).ok()?;
        let record = records.next().ok()??;
        Some((layout.format, record.line, record.cells.len()))
    }

    #[test]
    fn an_export_is_known_by_its_columns_whatever_separates_them_and_stands_above() {
        let linkedin = "First Name,Last Name,URL,Email Address,Company,Position,Connected On";
        let google = "First Name,Middle Name,Last Name,File As,Organization Name,Organization Title,Labels,E-mail 1 - Value";
        let older = "Name,Given Name,Additional Name,Family Name,Yomi Name,Group Membership,E-mail 1 - Value";
        let outlook =
            "First Name,Middle Name,Last Name,Title,Suffix,Web Page,E-mail Address,E-mail 2 Address,Company";
        let hubspot = "Record ID,First Name,Last Name,Email,Contact owner,Associated Company";
        let salesforce =
            "\"Id\",\"IsDeleted\",\"MasterRecordId\",\"AccountId\",\"LastName\",\"FirstName\",\"Email\"";
        let report = "First Name,Last Name,Email,Phone,Account Name";
        let german = "Vorname,Nachname,URL,E-Mail-Adresse,Unternehmen,Position,Verbunden am";
        for (header, format) in [
            (linkedin, LinkedInConnections),
            (german, LinkedInConnections),
            (google, GoogleContacts),
            (older, GoogleContactsBefore),
            (outlook, Outlook),
            (hubspot, HubSpot),
            (salesforce, Salesforce),
            (report, SalesforceReport),
        ] {
            for separator in SEPARATORS {
                let header = header.replace(',', &separator.to_string()).to_uppercase();
                let cells = header.split(separator).count();
                let row = separator.to_string().repeat(cells - 1);
                for (above, line) in [("", 2), ("Notes:\n\"a, \"\"b\"\" c\"\n\n", 5), ("sep=;\r\n", 3)] {
                    let text = format!("{above}{header}\r\n{row}\r\n");
                    assert_eq!(said(&text), Some((format, line, cells)), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_header_below_the_bound_or_of_another_kind_is_refused_with_the_first_line() {
        let linkedin = "First Name,Last Name,Connected On\nA,B,\n";
        let below = |lines: u64| format!("{}{linkedin}", "Note\n".repeat(lines as usize));
        // The control: as far down as allowed.
        assert_eq!(said(&below(IMPORT_PREAMBLE_LINES_MAX)).map(|found| found.0), Some(LinkedInConnections));
        let fault = |text: &str| sniff(text, "c.csv", None).err();
        let unknown = |first: &str| Some(FileFault::UnknownHeader(first.to_owned()));
        let not_quoted = Some(FileFault::NoHeader);
        assert_eq!(fault(&below(IMPORT_PREAMBLE_LINES_MAX + 1)), not_quoted);
        for secret in
            ["root:$y$j9T$SECRET:19000:0:99999:7:::", "root:x:0:0:Root,,,:/root:/bin/sh", "TOKEN=a,b"]
        {
            assert_eq!(fault(secret), not_quoted, "{secret}");
        }
        let names = "Label,Number";
        assert_eq!(fault(names), unknown(names));
        assert_eq!(fault("Label;Number;7"), unknown("Label;Number;7"));
        assert_eq!(fault("\n \n"), Some(FileFault::Empty));
        assert_eq!(fault(""), Some(FileFault::Empty));
        assert_eq!(fault(&"x,".repeat(500)), unknown(&"x,".repeat(ECHO_CHARS_MAX / 2)));
    }
}
