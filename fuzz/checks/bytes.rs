//! Choices that an input's first bytes make.

/// The size of a reader's buffer that a byte stands for: 3 to 400 bytes.
pub fn buffer_bytes(byte: u8) -> usize {
    3 + usize::from(byte) * 397 / 255
}

/// Takes the first byte; 0 when there is none.
pub fn take(input: &mut &[u8]) -> u8 {
    let Some((&first, rest)) = input.split_first() else { return 0 };
    *input = rest;
    first
}

/// A place from 0 up to, not including, `end`, which is above 0, from two bytes.
pub fn place(input: &mut &[u8], end: usize) -> usize {
    let [low, high] = [take(input), take(input)];
    usize::from(u16::from_le_bytes([low, high])) % end
}
