//! Finding the header of an export, and what separates its cells.

use crate::import::fault::FileFault;
use crate::import::layout::Layout;
use crate::import::records::{Records, after_line_end};
use crate::limits::{ECHO_CHARS_MAX, IMPORT_PREAMBLE_LINES_MAX};

/// What may separate cells.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The layout of the export that `text` is, and the records below its header.
///
/// # Errors
/// Returns a fault if the text is empty, or if no header of a known export stands in its first lines.
pub(crate) fn sniff(text: &str) -> Result<(Layout, Records<'_>), FileFault> {
    let (mut rest, mut first) = (text, None);
    for line in 1..=IMPORT_PREAMBLE_LINES_MAX + 1 {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let whole = &rest[..end];
        if first.is_none() && !whole.trim().is_empty() {
            first = Some(whole);
        }
        if let Some(found) = SEPARATORS.into_iter().find_map(|separator| header_at(rest, line, separator)) {
            return Ok(found);
        }
        let Some((behind, _)) = after_line_end(&rest[end..]) else { break };
        rest = behind;
    }
    first.map_or(Err(FileFault::Empty), |first| Err(FileFault::UnknownHeader(echo(first))))
}

/// The layout whose header `text` begins with, in line `line`, and the records behind it.
fn header_at(text: &str, line: u64, separator: char) -> Option<(Layout, Records<'_>)> {
    let mut records = Records::new(text, line, separator);
    let header = records.next().ok()??;
    // A record further down is looked at in its turn.
    let layout = Layout::of(header.cells.iter().map(AsRef::as_ref)).filter(|_| header.line == line)?;
    Some((layout, records))
}

/// The beginning of `line` for a message.
fn echo(line: &str) -> String {
    let plain: String = line.chars().filter(|c| !c.is_control()).take(ECHO_CHARS_MAX).collect();
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::layout::ExportFormat::{self, *};

    /// What `text` is, the separator being found by what the next record is.
    fn told(text: &str) -> Option<(ExportFormat, u64, usize)> {
        let (layout, mut records) = sniff(text).ok()?;
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
                    assert_eq!(told(&text), Some((format, line, cells)), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_header_below_the_bound_or_of_another_kind_is_refused_with_the_first_line() {
        let linkedin = "First Name,Last Name,Connected On\nA,B,\n";
        let below = |lines: u64| format!("{}{linkedin}", "Note\n".repeat(lines as usize));
        // The control: as far down as it may be.
        assert_eq!(told(&below(IMPORT_PREAMBLE_LINES_MAX)).map(|found| found.0), Some(LinkedInConnections));
        let fault = |text: &str| sniff(text).err();
        let unknown = |first: &str| Some(FileFault::UnknownHeader(first.to_owned()));
        assert_eq!(fault(&below(IMPORT_PREAMBLE_LINES_MAX + 1)), unknown("Note"));
        let french = "Prénom,Nom,URL,Adresse e-mail,Entreprise,Poste,Connexion";
        assert_eq!(fault(french), unknown(french));
        assert_eq!(fault("\n \n"), Some(FileFault::Empty));
        assert_eq!(fault(""), Some(FileFault::Empty));
        assert_eq!(fault(&"x".repeat(1000)), unknown(&"x".repeat(ECHO_CHARS_MAX)));
    }
}
