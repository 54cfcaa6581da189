//! Phone numbers for comparison.

use crate::limits::IMPORT_ADDRESSES_MAX;

/// The last digits of a number, equal with a country code, a zero, or neither.
const DIGITS: usize = 8;

/// Adds the last eight digits of each number in `text` to `phones`. A shorter number is an extension, which says
/// nothing outside its building.
pub(crate) fn phones_in(text: &str, phones: &mut Vec<u32>) {
    for number in text.split([';', ',']).flat_map(|part| part.split(":::")) {
        let digits: Vec<u32> = number.chars().filter_map(|character| character.to_digit(10)).collect();
        let Some(first) = digits.len().checked_sub(DIGITS) else { continue };
        let last = digits[first..].iter().fold(0, |number, digit| number * 10 + digit);
        if phones.len() < IMPORT_ADDRESSES_MAX && !phones.contains(&last) {
            phones.push(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_in_each_way_to_write_it() {
        for (text, expected) in [
            ("+48 632 350-1644", &[23_501_644][..]),
            ("0048 632 3501644", &[23_501_644]),
            ("0632 / 3501644", &[23_501_644]),
            ("tel:+48-632-350-1644", &[23_501_644]),
            ("+48 632 350 1644 ::: +48 632 350 1644", &[23_501_644]),
            ("+1 (555) 283-8509; 0632 3501644", &[52_838_509, 23_501_644]),
            ("+49 30 00 00 00 01", &[1]),
            ("extension 4711", &[]),
            ("", &[]),
        ] {
            let mut phones = Vec::new();
            phones_in(text, &mut phones);
            assert_eq!(phones, expected, "{text}");
        }
    }
}
