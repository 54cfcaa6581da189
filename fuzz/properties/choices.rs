//! Reads the fuzzer's bytes as choices. They never run out, so any bytes are a valid input.

/// Bytes for choices; zeros after the last.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// The choices that `bytes` make.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether only zeros are left.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// A number below `end`, from one byte, or from two if needed; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let chosen = match end {
            0 | 1 => return 0,
            2..=256 => usize::from(self.byte()),
            _ => usize::from(u16::from_le_bytes([self.byte(), self.byte()])),
        };
        chosen % end
    }

    /// A number from the next eight bytes.
    pub fn number(&mut self) -> u64 {
        std::iter::repeat_with(|| self.byte()).take(8).fold(0, |number, byte| number << 8 | u64::from(byte))
    }

    /// The next `count` bytes, fewer at the end.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The remaining bytes.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }
}
