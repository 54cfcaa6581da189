//! Exports whose headers are not known for certain: refused by name, with a mapping for the manifest.

use crate::columns::MappedColumn;
use crate::fault::FileFault;
use crate::names::column_name;

/// An export that is refused.
struct Refused {
    export: &'static str,
    /// All of these columns must be present.
    marks: &'static [&'static str],
    /// Prefixes of possibly useful columns, and their likely meanings.
    columns: &'static [(&'static str, MappedColumn)],
}

const REFUSED: &[Refused] = &[
    Refused {
        export: "LinkedIn connections in French",
        marks: &["prénom", "nom"],
        columns: &[
            ("prénom", MappedColumn::First),
            ("nom", MappedColumn::Last),
            ("url", MappedColumn::Url),
            ("adresse e-mail", MappedColumn::Email),
            ("adresse email", MappedColumn::Email),
            ("e-mail", MappedColumn::Email),
            ("entreprise", MappedColumn::Company),
            ("société", MappedColumn::Company),
            ("poste", MappedColumn::Position),
            ("date de connexion", MappedColumn::Connected),
            ("connexion", MappedColumn::Connected),
            ("connecté", MappedColumn::Connected),
        ],
    },
    Refused {
        export: "a list of Affinity",
        marks: &["affinity row id"],
        columns: &[
            ("name", MappedColumn::Name),
            ("full name", MappedColumn::Name),
            ("first name", MappedColumn::First),
            ("last name", MappedColumn::Last),
            ("primary email", MappedColumn::Email),
            ("email", MappedColumn::Email),
            ("organization name", MappedColumn::Company),
            ("organizations", MappedColumn::Company),
            ("company", MappedColumn::Company),
            ("job title", MappedColumn::Position),
            ("title", MappedColumn::Position),
            ("linkedin", MappedColumn::Url),
            ("owner", MappedColumn::Owner),
        ],
    },
];

/// The fault of the file `file` with the header `cells`; `None` if it is not an export that is refused by name.
pub(crate) fn refused<'a>(cells: impl Iterator<Item = &'a str>, file: &str) -> Option<FileFault> {
    let headers: Vec<(&str, String)> = cells.map(|cell| (cell.trim(), column_name(cell))).collect();
    let has = |mark: &&str| headers.iter().any(|(_, name)| name == mark);
    let known = REFUSED.iter().find(|refused| refused.marks.iter().all(has))?;
    let mut mapping = format!("[[columns]]\nfile = {file:?}");
    let mut named: Vec<MappedColumn> = Vec::new();
    for (header, name) in &headers {
        let column =
            known.columns.iter().find(|(begin, _)| name == begin || name.starts_with(&format!("{begin} ")));
        if let Some((_, column)) = column.filter(|(_, column)| !named.contains(column)) {
            mapping.push_str(&format!("\n{column} = {:?}", header.trim_matches('"')));
            named.push(*column);
        }
    }
    Some(FileFault::UncertainHeader { export: known.export, mapping })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(header: &str) -> Option<String> {
        refused(header.split(','), "c.csv").map(|fault| fault.to_string())
    }

    #[test]
    fn an_export_that_is_not_known_for_certain_is_refused_with_the_mapping_to_write() {
        assert_eq!(
            said("Prénom,Nom,URL,Adresse e-mail,Entreprise,Poste,Connexion").as_deref(),
            Some(
                "LinkedIn connections in French, whose columns are not known for certain; name them in the team file:\n\
                 [[columns]]\nfile = \"c.csv\"\nfirst = \"Prénom\"\nlast = \"Nom\"\nurl = \"URL\"\n\
                 email = \"Adresse e-mail\"\ncompany = \"Entreprise\"\nposition = \"Poste\"\nconnected = \"Connexion\""
            )
        );
        assert_eq!(
            said("Affinity Row ID,Person Id,Name,Primary Email,Organizations").as_deref(),
            Some(
                "a list of Affinity, whose columns are not known for certain; name them in the team file:\n\
                 [[columns]]\nfile = \"c.csv\"\nname = \"Name\"\nemail = \"Primary Email\"\ncompany = \"Organizations\""
            )
        );
        assert_eq!(said("First Name,Last Name,Connected On"), None);
        assert_eq!(said("Nom,Poste"), None);
    }
}
