//! Tables of unknown exports, read by the names of their columns.

use crate::export::{ExportColumn, ExportFormat};
use crate::known_exports::{ColumnNames, column_called};
use crate::layout::Layout;
use crate::names::column_name;

/// The names of each column in English, German, French, Spanish, Dutch, Italian and Portuguese.
const CALLED: ColumnNames = &[
    (
        ExportColumn::Name,
        "name, full name, fullname, contact name, display name, person, contact, vollständiger name, nom complet, \
         nombre completo, nombre y apellidos, naam, volledige naam, nome completo",
    ),
    (
        ExportColumn::Given,
        "first name, firstname, given name, forename, vorname, prénom, prenom, nombre, voornaam, nome",
    ),
    (ExportColumn::Middle, "middle name, weitere vornamen, tussenvoegsel, segundo nombre"),
    (
        ExportColumn::Family,
        "last name, lastname, family name, surname, nachname, familienname, nom, nom de famille, apellido, \
         apellidos, achternaam, cognome, sobrenome",
    ),
    (
        ExportColumn::Email,
        "email, e-mail, mail, emails, email address, e-mail address, email addresses, primary email, work email, \
         business email, email - work, email - home, e-mail-adresse, adresse e-mail, adresse email, courriel, \
         adresse de messagerie, correo, correo electrónico, e-mailadres, indirizzo e-mail",
    ),
    (
        ExportColumn::Phone,
        "phone, phone number, phone numbers, mobile, mobile phone, work phone, phone - work, phone - mobile, \
         telefon, telefonnummer, mobiltelefon, handy, téléphone, portable, teléfono, móvil, telefoon, telefono, \
         cellulare, telefone",
    ),
    (
        ExportColumn::Company,
        "company, company name, organization, organisation, organization name, organisation name, employer, firm, \
         account, account name, firma, unternehmen, société, entreprise, empresa, compañía, organización, bedrijf, \
         organisatie, azienda, società",
    ),
    (
        ExportColumn::Position,
        "title, job title, position, role, job, headline, funktion, berufsbezeichnung, poste, fonction, cargo, \
         puesto, functie, ruolo, qualifica",
    ),
    (
        ExportColumn::Url,
        "linkedin, linkedin url, linkedin profile, linkedin link, profile, profile url, profil, perfil",
    ),
    (ExportColumn::City, "city, town, ort, stadt, wohnort, ville, ciudad, plaats, woonplaats, città, cidade"),
    (ExportColumn::Country, "country, country/region, land, pays, país, paese"),
    (ExportColumn::Owner, "owner, contact owner, record owner, relationship owner"),
    (
        ExportColumn::StartedOn,
        "started on, start date, started, job start date, employed since, eintritt, eintrittsdatum",
    ),
    (
        ExportColumn::FinishedOn,
        "finished on, end date, ended on, job end date, employed until, austritt, austrittsdatum",
    ),
    (ExportColumn::School, "school, university, education, alma mater, college, schule, universität"),
    (ExportColumn::Label, "tags, labels, categories, kategorien, étiquettes, etiquetas"),
];

/// Given names and family names in languages in which the word alone means the whole name.
const WHOLE_IF_ALONE: [&str; 3] = ["nom", "nombre", "nome"];

/// The layout below the header `cells`, if they have a name and something that identifies the person: an address, a
/// profile or a company.
pub(crate) fn recognize<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Layout> {
    let names: Vec<String> = cells.map(column_name).collect();
    let mut places: Vec<(usize, ExportColumn)> = Vec::new();
    for (place, name) in names.iter().enumerate() {
        // Pipedrive and others prefix each column with the type of the row.
        let name = name.strip_prefix("person - ").or_else(|| name.strip_prefix("contact - ")).unwrap_or(name);
        let column = column_called(name, CALLED);
        let is_second = |column| places.iter().any(|(_, found)| *found == column);
        let may_repeat = |column: &ExportColumn| matches!(column, ExportColumn::Email | ExportColumn::Phone);
        if let Some(column) = column.filter(|column| may_repeat(column) || !is_second(*column)) {
            places.push((place, column));
        }
    }
    let has = |column| places.iter().any(|(_, found)| *found == column);
    let is_half = has(ExportColumn::Given) != has(ExportColumn::Family);
    if is_half && !has(ExportColumn::Name) {
        for (place, column) in &mut places {
            if WHOLE_IF_ALONE.contains(&names[*place].as_str()) {
                *column = ExportColumn::Name;
            }
        }
    }
    let has = |column| places.iter().any(|(_, found)| *found == column);
    let is_named = has(ExportColumn::Name) || (has(ExportColumn::Given) && has(ExportColumn::Family));
    let is_somebody = has(ExportColumn::Email) || has(ExportColumn::Url) || has(ExportColumn::Company);
    let format = ExportFormat::RecognizedTable(places.iter().map(|(_, column)| *column).collect());
    (is_named && is_somebody).then_some(Layout { format, places })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(header: &str) -> Option<String> {
        recognize(header.split(',')).map(|layout| layout.format.to_string())
    }

    #[test]
    fn a_table_of_people_is_read_by_what_its_columns_are_called() {
        for (header, columns) in [
            ("Name,Company,Email", "name, email, company"),
            ("First Name,Last Name,E-mail 1,Email,LinkedIn URL", "first name, last name, email, profile"),
            (
                "Person - Name,Person - Organization,Person - Email - Work,Person - Owner",
                "name, email, company, owner",
            ),
            ("Vorname;Nachname;Firma;Funktion", "first name, last name, company, position"),
            ("Prénom,Nom de famille,Société", "first name, last name, company"),
            ("Nom,Entreprise,Courriel", "name, email, company"),
            ("Nombre,Apellidos,Empresa,Cargo", "first name, last name, company, position"),
            ("Naam,Bedrijf,Functie,E-mailadres", "name, email, company, position"),
            ("Record,Name,Email addresses,Company,Job title", "name, email, company, position"),
            ("Nome,Azienda", "name, company"),
        ] {
            let found = said(&header.replace(';', ","));
            assert_eq!(found, Some(format!("table, read by its columns: {columns}")), "{header}");
        }
    }

    #[test]
    fn what_does_not_say_who_a_row_is_about_is_not_read() {
        for header in [
            "Name,Date,Amount",
            "Email,Date",
            "Deal Name,Company,Owner",
            "First Name,Company",
            "Company name,Company owner,City",
            "From,To,Weight",
            "Endorsement Date,Skill Name,Endorsee First Name,Endorsee Last Name",
        ] {
            assert_eq!(said(header), None, "{header}");
        }
    }
}
