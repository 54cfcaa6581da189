//! Finds bytes of a JSON string that need an escape, eight at a time.

/// Whether a byte needs an escape in a string.
pub(super) fn needs_escape(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Whether one of `bytes` needs an escape. Checks eight at a time, rereading the last eight of a text: most texts are
/// short.
pub(super) fn any_needs_escape(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<8>();
    if chunks.iter().any(|&chunk| any_of_eight_needs_escape(chunk)) {
        return true;
    }
    match bytes.last_chunk::<8>() {
        Some(&last) if !rest.is_empty() => any_of_eight_needs_escape(last),
        _ => rest.iter().any(|&byte| needs_escape(byte)),
    }
}

/// Like [`needs_escape`], for eight bytes at once: one byte is below another if subtracting borrows from its highest
/// bit, which was not set.
fn any_of_eight_needs_escape(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let word = u64::from_le_bytes(bytes);
    let below = |word: u64, least: u8| word.wrapping_sub(ONES * u64::from(least)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_that_needs_an_escape_is_seen_in_any_place_of_any_text() {
        for length in 0..=33 {
            for filler in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
                assert!(!any_needs_escape(&vec![filler; length]), "{filler} {length}");
                for place in 0..length {
                    for byte in 0..=u8::MAX {
                        let mut bytes = vec![filler; length];
                        bytes[place] = byte;
                        assert_eq!(any_needs_escape(&bytes), needs_escape(byte), "{bytes:?}");
                    }
                }
            }
        }
    }
}
