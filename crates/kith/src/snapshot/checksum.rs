//! BLAKE3 with a context per use, so that no checksum can stand in for another.

use blake3::Hasher;

/// 32 bytes of BLAKE3.
pub(crate) type Checksum = [u8; 32];

/// A hasher for a section of `kind`, which it binds in, so that equal bytes in other sections have other checksums.
pub(crate) fn section_hasher(kind: u32) -> Hasher {
    Hasher::new_keyed(&blake3::derive_key("kith snapshot section v1", &kind.to_le_bytes()))
}

/// The checksum of the header bytes before it.
pub(crate) fn of_header(bytes: &[u8]) -> Checksum {
    *blake3::hash(bytes).as_bytes()
}

/// The identity of a snapshot with the section table `table`, which holds the checksums of all content.
pub(crate) fn identity(table: &[u8]) -> Checksum {
    blake3::derive_key("kith snapshot identity v1", table)
}
