//! Which bytes are legal symbols (33..=126, printable ASCII without the space), and names for the others.

/// The position of the first byte outside 33..=126.
///
/// A pass without branches settles the usual case. The wrapping difference `b - 33` is at most 93 for legal bytes only, and its
/// maximum over a block takes one vector instruction for 16 bytes or more. Only a block with an illegal byte is searched.
pub(super) fn first_illegal(line: &[u8]) -> Option<usize> {
    const BLOCK: usize = 4096;
    let bad = line.chunks(BLOCK).position(|block| largest(block) > 126 - 33)?;
    let start = bad * BLOCK;
    line[start..].iter().position(|b| !b.is_ascii_graphic()).map(|at| start + at)
}

/// How many bytes from the first on are legal symbols and LF, rounded down to whole blocks.
pub(super) fn legal_lines(text: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let is_bad = |byte: u8| byte.wrapping_sub(33) > 126 - 33 && byte != b'\n';
    let bad = text.chunks(BLOCK).position(|block| block.iter().fold(false, |any, &byte| any | is_bad(byte)));
    bad.map_or(text.len(), |block| block * BLOCK)
}

/// The position of the first control byte, tabs apart.
pub(super) fn first_control(line: &[u8]) -> Option<usize> {
    let is_control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
    // Without a branch for each byte, which settles the usual case.
    let any = line.iter().fold(false, |any, &byte| any | is_control(byte));
    if any { line.iter().position(|&byte| is_control(byte)) } else { None }
}

fn largest(block: &[u8]) -> u8 {
    block.iter().fold(0, |largest, b| largest.max(b.wrapping_sub(33)))
}

/// A byte in words: "a tab", "`x`", "byte 0x80".
pub(super) fn name_of(byte: u8) -> String {
    match byte {
        0 => "a NUL byte".into(),
        b'\t' => "a tab".into(),
        b'\n' => "an empty line".into(),
        b'\r' => "a carriage return".into(),
        b' ' => "a space".into(),
        0x7f => "a DEL byte".into(),
        byte if byte.is_ascii_graphic() => format!("`{}`", byte as char),
        byte => format!("byte {byte:#04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_legal_up_to_the_block_of_another_byte() {
        for at in [0, 1, 4095, 4096, 9000] {
            let mut text = b"ACGT\n".repeat(2000);
            assert_eq!(legal_lines(&text), text.len());
            for byte in 0..=255 {
                text[at] = byte;
                let legal = (33..=126).contains(&byte) || byte == b'\n';
                assert_eq!(legal_lines(&text), if legal { text.len() } else { at / 4096 * 4096 }, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn every_byte_is_judged_at_every_place() {
        for length in [1, 15, 16, 17, 100, 4095, 4096, 4097, 9000] {
            let mut line = vec![b'A'; length];
            assert_eq!(first_illegal(&line), None);
            for at in [0, length / 2, length - 1] {
                for byte in 0..=255u8 {
                    line[at] = byte;
                    let legal = (33..=126).contains(&byte);
                    assert_eq!(first_illegal(&line), (!legal).then_some(at), "byte {byte} at {at} of {length}");
                }
                line[at] = b'~';
            }
        }
    }
}
