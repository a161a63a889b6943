//! Names as strings of JSON, which is UTF-8 while a name may be any bytes.
//!
//! A name that is UTF-8 is its own string. A byte that is not becomes a blank, `\x` and two hexadecimal digits: the four bytes
//! `c a f 0xE9` are `caf \xE9`, which JSON writes as `"caf \\xE9"`.
//!
//! Different names are different strings: a name is the first word of its header line and has no blank, so a blank in the string
//! begins such a byte, and nothing else does.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a name, which has no blanks, as a string of JSON.
///
/// # Errors
/// Those of `out`.
pub fn write_name(out: &mut impl Write, name: &[u8]) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &text_of(name))?)
}

/// The string of a name, before JSON escapes it.
pub fn text_of(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(name) {
        return text.into();
    }
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, " \\x{byte:02X}").expect("writing to memory does not fail");
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn text_stays_and_other_bytes_are_escaped() {
        let cases: [(&[u8], &str); 6] = [
            (b"virus_1", r#""virus_1""#),
            ("café".as_bytes(), "\"café\""),
            (b"a\"\\", r#""a\"\\""#),
            (b"caf\xe9", r#""caf \\xE9""#),
            (b"\xff\xfez", r#"" \\xFF \\xFEz""#),
            // The first two bytes of three.
            (b"a\xe2\x82b", r#""a \\xE2 \\x82b""#),
        ];
        for (name, expected) in cases {
            let mut out = Vec::new();
            write_name(&mut out, name).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn different_names_stay_different() {
        let bytes = [b'\\', b'x', b'E', b'9', 0xe9, 0xc3, 0xa9, 0xff];
        let (mut names, mut last) = (HashSet::new(), vec![vec![]]);
        for _ in 0..5 {
            let longer = |name: &Vec<u8>| bytes.map(|byte| [&name[..], &[byte]].concat());
            last = last.iter().flat_map(longer).collect();
            last.iter().for_each(|name| assert!(names.insert(text_of(name).into_owned()), "{name:?}"));
        }
    }
}
