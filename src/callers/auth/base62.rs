//! Base-62 numbers of fixed width: only letters and digits, so that one double click selects a whole credential and
//! neither shells nor URLs change it.

/// The digits in order of their value, which is also their byte order.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Writes the big-endian number `bytes` with exactly `width` digits, padded with zeros.
///
/// Different numbers give different texts if `width` digits can hold them: 6 for 32 bits, 22 for 128, 43 for 256.
pub(crate) fn encode(bytes: &[u8], width: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits: Vec<char> = (0..width).map(|_| char::from(DIGITS[divide(&mut number)])).collect();
    debug_assert!(number.iter().all(|&byte| byte == 0), "the width holds the number");
    digits.reverse();
    digits.into_iter().collect()
}

/// Parses at most ten digits; `None` for any other text.
pub(crate) fn decode(digits: &str) -> Option<u64> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'Z' => Some(digit - b'A' + 10),
        b'a'..=b'z' => Some(digit - b'a' + 36),
        _ => None,
    };
    // Ten digits are below 2^60.
    let digits = Some(digits.as_bytes()).filter(|digits| digits.len() <= 10)?;
    digits.iter().try_fold(0, |number, &digit| Some(number * 62 + u64::from(value(digit)?)))
}

/// Divides `number` by 62 in place; returns the remainder.
fn divide(number: &mut [u8]) -> usize {
    let mut remainder = 0_usize;
    for byte in number {
        let dividend = remainder << 8 | usize::from(*byte);
        // The previous remainder was below 62, so the quotient is below 256.
        *byte = (dividend / DIGITS.len()) as u8;
        remainder = dividend % DIGITS.len();
    }
    remainder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_big_end_first_with_zeros_in_front() {
        for (number, text) in [
            (0_u32, "000000"),
            (9, "000009"),
            (10, "00000A"),
            (61, "00000z"),
            (62, "000010"),
            (u32::MAX, "4gfFC3"),
        ] {
            assert_eq!(encode(&number.to_be_bytes(), 6), text, "{number}");
            assert_eq!(decode(text), Some(u64::from(number)), "{text}");
        }
        for text in ["00-000", "00000é", "00000 ", "00000000000"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode("zzzzzz"), Some(62_u64.pow(6) - 1));
    }

    #[test]
    fn the_widths_in_use_hold_the_greatest_number() {
        assert_eq!(encode(&[0xff; 16], 22), "7n42DGM5Tflk9n8mt7Fhc7");
        assert_eq!(encode(&[0xff; 32], 43), "yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1");
    }
}
