//! Reads cards (vCard 2.1, 3.0 and 4.0) as contacts.

use calcard::vcard::{VCard, VCardProperty, VCardValue};
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use crate::addresses::addresses_in;
use crate::blocks::{TextBlock, blocks};
use crate::contact::{Contact, ContactNames};
use crate::export::ExportFormat;
use crate::fault::SkipReason;
use crate::limits::IMPORT_ADDRESSES_MAX;
use crate::names::{full_name, tidy};
use crate::phones::phones_in;
use crate::profile::handle_in;
use crate::read::{FileRow, RowTally};
use kith::model::text::fold;

/// The properties that are used.
const USED: [&str; 15] = [
    "VERSION",
    "N",
    "FN",
    "ORG",
    "TITLE",
    "EMAIL",
    "TEL",
    "ADR",
    "URL",
    "CATEGORIES",
    "KIND",
    "SOCIALPROFILE",
    "X-SOCIALPROFILE",
    "X-ADDRESSBOOKSERVER-KIND",
    "X-ABSHOWAS",
];

/// Reads the cards in `text`.
pub(crate) fn read_cards(text: &str, tally: &mut RowTally<'_>) {
    tally.is(ExportFormat::Cards);
    blocks(
        text,
        "VCARD",
        |name| USED.contains(&name),
        |_, _| {},
        |block| {
            tally.row(block.line, contact_of(&block).map(FileRow::Contact));
        },
    );
}

/// The contact of a card.
fn contact_of(block: &TextBlock) -> Result<Contact, SkipReason> {
    block.check()?;
    let lines: String = block.text.lines().map(|line| with_parameters(line) + "\r\n").collect();
    let Ok(card) = VCard::parse(format!("BEGIN:VCARD\r\n{lines}END:VCARD\r\n")) else {
        return Err(SkipReason::NameAndAddressMissing);
    };
    let read = Card::of(&card);
    if read.is_no_person || read.is_company() {
        return Err(SkipReason::NotAPerson);
    }
    read.contact().kept()
}

/// `line` with the parameters that old programs omit: the encoding's name, and its character set if that is UTF-8.
fn with_parameters(line: &str) -> String {
    let Some((head, value)) = line.split_once(':') else { return line.to_owned() };
    let upper = head.to_ascii_uppercase();
    if !upper.contains("QUOTED-PRINTABLE") {
        return line.to_owned();
    }
    let bare = upper.find(";QUOTED-PRINTABLE");
    let mut head = match bare {
        Some(at) => format!("{};ENCODING={}", &head[..at], &head[at + 1..]),
        None => head.to_owned(),
    };
    let is_utf_8 =
        || quoted_printable_decode(value.as_bytes()).is_some_and(|bytes| std::str::from_utf8(&bytes).is_ok());
    if !upper.contains("CHARSET=") && is_utf_8() {
        head.push_str(";CHARSET=UTF-8");
    }
    format!("{head}:{value}")
}

/// The content of a card.
#[derive(Default)]
struct Card {
    full: String,
    given: String,
    middle: String,
    family: String,
    company: String,
    position: String,
    city: String,
    country: String,
    handles: Vec<String>,
    emails: Vec<String>,
    phones: Vec<u32>,
    labels: Vec<String>,
    /// Whether it is declared as a group, a company or a place.
    is_no_person: bool,
    /// Whether Apple shows it by its company, as it does for people too.
    is_shown_as_company: bool,
}

impl Card {
    fn of(card: &VCard) -> Self {
        let mut read = Self::default();
        for entry in &card.entries {
            let part = |place: usize| entry.values.get(place).map(joined).unwrap_or_default();
            match &entry.name {
                VCardProperty::Fn => set(&mut read.full, part(0)),
                VCardProperty::N => {
                    set(&mut read.family, part(0));
                    set(&mut read.given, part(1));
                    set(&mut read.middle, part(2));
                }
                VCardProperty::Org => set(&mut read.company, part(0)),
                VCardProperty::Title => set(&mut read.position, part(0)),
                VCardProperty::Adr => {
                    set(&mut read.city, part(3));
                    set(&mut read.country, part(6));
                }
                VCardProperty::Tel => phones_in(&part(0), &mut read.phones),
                VCardProperty::Email => addresses_in(&part(0), &mut read.emails),
                VCardProperty::Categories => {
                    let labels = entry.values.iter().map(joined).filter(|label| !label.is_empty());
                    read.labels.extend(labels);
                }
                VCardProperty::Url | VCardProperty::Socialprofile => read.add_handle(&part(0)),
                VCardProperty::Kind => read.is_no_person |= is_no_person(&part(0)),
                VCardProperty::Other(name) => match name.to_ascii_uppercase().as_str() {
                    "X-SOCIALPROFILE" => read.add_handle(&part(0)),
                    "X-ADDRESSBOOKSERVER-KIND" => read.is_no_person |= is_no_person(&part(0)),
                    "X-ABSHOWAS" => read.is_shown_as_company |= part(0).eq_ignore_ascii_case("company"),
                    _ => {}
                },
                _ => {}
            }
        }
        read
    }

    fn add_handle(&mut self, url: &str) {
        let is_new =
            |handle: &String| self.handles.len() <= IMPORT_ADDRESSES_MAX && !self.handles.contains(handle);
        if let Some(handle) = handle_in(url).filter(is_new) {
            self.handles.push(handle);
        }
    }

    /// Whether the card is a company's: its only name is the company's.
    fn is_company(&self) -> bool {
        let is_same = !self.company.is_empty() && fold(&self.full) == fold(&self.company);
        self.given.is_empty() && self.family.is_empty() && (self.is_shown_as_company || is_same)
    }

    fn contact(self) -> Contact {
        let from_parts = full_name(&tidy(&format!("{} {}", self.given, self.middle)), &self.family);
        // Programs without a name show the address in its place.
        let is_address = self.emails.iter().any(|email| *email == self.full.to_lowercase());
        let full = if self.full.is_empty() || is_address { from_parts } else { self.full };
        let is_number = is_number(&full);
        let names = ContactNames { full, given: self.given, family: self.family };
        Contact {
            names: if is_number { ContactNames::default() } else { names },
            handles: self.handles,
            emails: self.emails,
            phones: self.phones,
            company: self.company,
            position: self.position,
            city: self.city,
            country: self.country,
            labels: self.labels,
            ..Contact::default()
        }
    }
}

/// Sets `text` if it is empty: the first of several values counts.
fn set(text: &mut String, value: String) {
    if text.is_empty() {
        *text = value;
    }
}

/// The text of a value, tidied; several parts are joined by a space.
fn joined(value: &VCardValue) -> String {
    match value {
        VCardValue::Component(parts) => tidy(&parts.join(" ")),
        VCardValue::Binary(data) => tidy(&String::from_utf8_lossy(&data.data)),
        other => tidy(other.as_text().unwrap_or("")),
    }
}

/// Whether `name` is a telephone number.
fn is_number(name: &str) -> bool {
    name.chars().any(char::is_numeric)
        && name.chars().all(|c| c.is_numeric() || c.is_whitespace() || "+-()/.#*".contains(c))
}

fn is_no_person(kind: &str) -> bool {
    ["group", "org", "organization", "location", "application", "device", "thing"]
        .contains(&kind.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_without_a_name_of_a_person_is_nobody() {
        let card = |text: &str| {
            let text = text.replace('|', "\r\n") + "\r\n";
            contact_of(&TextBlock { text, is_complete: true, ..TextBlock::default() })
                .map(|read| read.names.full)
        };
        for (text, expected) in [
            ("FN:Hafen Apotheke|N:;;;;|ORG:Hafen Apotheke", Err(SkipReason::NotAPerson)),
            ("FN:Hafen Apotheke|ORG:HAFEN APOTHEKE;Filiale Nord", Err(SkipReason::NotAPerson)),
            ("FN:Hafen|ORG:Hafen Druck|X-ABShowAs:COMPANY", Err(SkipReason::NotAPerson)),
            ("FN:Hafen|KIND:org", Err(SkipReason::NotAPerson)),
            ("FN:+46 70 123 45 67|TEL:+46701234567", Err(SkipReason::NameAndAddressMissing)),
            ("FN:(030) 1234-567", Err(SkipReason::NameAndAddressMissing)),
            ("N:0701234567;;;;", Err(SkipReason::NameAndAddressMissing)),
            ("FN:*100#", Err(SkipReason::NameAndAddressMissing)),
            ("FN:+46 70 1|EMAIL:ek@a.example", Ok("")),
            ("FN:Karin Vogt|N:Vogt;Karin;;;|ORG:Karin Vogt", Ok("Karin Vogt")),
            ("FN:Karin Vogt|ORG:Vogt Maschinenbau", Ok("Karin Vogt")),
            ("FN:Karin Vogt|N:Vogt;Karin;;;|ORG:Vogt|X-ABShowAs:COMPANY", Ok("Karin Vogt")),
            ("FN:Louis 14", Ok("Louis 14")),
        ] {
            assert_eq!(card(text), expected.map(str::to_owned), "{text}");
        }
    }
}
