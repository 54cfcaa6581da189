//! Builds names from their parts.

/// `text` without control characters, trimmed, with runs of spaces collapsed.
pub(crate) fn tidy(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// A column's name for comparisons: lower case, one space between words, no quotes around it.
pub(crate) fn column_name(cell: &str) -> String {
    cell.trim().trim_matches('"').split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The name with the parts `given` and `family`, in its usual order: the family name first and without a space if both
/// are in Chinese, Japanese or Korean characters.
pub(crate) fn full_name(given: &str, family: &str) -> String {
    if !given.is_empty() && !family.is_empty() && is_east_asian(given) && is_east_asian(family) {
        return format!("{family}{given}");
    }
    tidy(&format!("{given} {family}"))
}

fn is_east_asian(text: &str) -> bool {
    text.chars().all(|c| {
        matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}' | '々')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_as_its_people_write_it() {
        for (given, family, name) in [
            ("Ann", "Ås", "Ann Ås"),
            ("Ann", "", "Ann"),
            ("", "Ås", "Ås"),
            ("  Ann  Marie ", "von\u{a0}Ås", "Ann Marie von Ås"),
            ("太郎", "山田", "山田太郎"),
            ("철수", "김", "김철수"),
            ("Taro", "山田", "Taro 山田"),
            ("", "", ""),
        ] {
            assert_eq!(full_name(given, family), name);
        }
    }
}
