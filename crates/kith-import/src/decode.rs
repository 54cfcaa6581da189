//! Decodes bytes to text: UTF-8, UTF-16 and Windows-1252, the encodings of exports and spreadsheets.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Bytes inspected to recognize UTF-16 without a byte order mark.
const LOOK_BYTES: usize = 512;

/// Decodes `bytes`, dropping a byte order mark.
///
/// A mark decides. Without one, valid UTF-8, possibly truncated, is UTF-8; bytes with every other one zero are
/// UTF-16; all others are Windows-1252. Invalid characters become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    encoding_of(bytes).decode_without_bom_handling(bytes).0
}

/// Whether `bytes` are already text, so that decoding takes no memory.
pub(crate) fn is_utf_8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    let look = &bytes[..bytes.len().min(LOOK_BYTES)];
    let zeros = |at: usize| look.iter().skip(at).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    // Most characters of a header are ASCII: in UTF-16, a zero and the character.
    if odd * 2 > look.len() / 2 && even == 0 {
        return UTF_16LE;
    }
    if even * 2 > look.len() / 2 && odd == 0 {
        return UTF_16BE;
    }
    match std::str::from_utf8(bytes) {
        Err(fault) if fault.error_len().is_some() => WINDOWS_1252,
        _ => UTF_8,
    }
}

/// `text`, undoing a program's mistake of reading UTF-8 as Windows-1252: `GeneviÃ¨ve` becomes `Geneviève`.
pub(crate) fn repaired(text: String) -> String {
    let (bytes, _, has_others) = WINDOWS_1252.encode(&text);
    if text.is_ascii() || has_others {
        return text;
    }
    str::from_utf8(&bytes).map_or_else(|_| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_read_in_another_encoding_is_repaired_and_no_other() {
        for (text, name) in [
            ("GeneviÃ¨ve d'Aubigny", "Geneviève d'Aubigny"),
            ("JosÃ© NÃºÃ±ez", "José Núñez"),
            ("Åsa Öberg", "Åsa Öberg"),
            ("JOÃO", "JOÃO"),
            ("Łukasz Ås", "Łukasz Ås"),
            ("Ann Lee", "Ann Lee"),
        ] {
            assert_eq!(repaired(text.to_owned()), name);
        }
    }

    #[test]
    fn text_is_read_in_the_encoding_it_was_written_in() {
        let text = "First Name,Müller\u{20ac}\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let western = b"First Name,M\xfcller\x80\n".to_vec();
        for (what, bytes) in [
            ("UTF-8", text.as_bytes().to_vec()),
            ("UTF-8 with a mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
            ("UTF-16LE with a mark", [b"\xff\xfe", little.as_slice()].concat()),
            ("UTF-16BE with a mark", [b"\xfe\xff", big.as_slice()].concat()),
            ("UTF-16LE", little),
            ("UTF-16BE", big),
            ("Windows-1252", western),
        ] {
            assert_eq!(decode(&bytes), text, "{what}");
        }
    }

    #[test]
    fn a_cut_character_does_not_make_another_encoding_of_the_file() {
        assert_eq!(decode("Zoë".as_bytes().split_last().map_or(&[][..], |(_, cut)| cut)), "Zo\u{fffd}");
        assert_eq!(decode(b"Zo\xeb,"), "Zoë,");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xff\xfeA"), "\u{fffd}");
    }
}
