//! Groups that are parts of names.

use std::str::FromStr;

/// A part of a name: the names are split at each `delimiter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// What separates the parts of a name.
    pub delimiter: u8,
    /// Counted from 1, or back from -1, the last one.
    pub number: isize,
}

impl Field {
    /// The part; `None` where there is none, or an empty one.
    pub fn of(self, name: &[u8]) -> Option<&[u8]> {
        let parts: Vec<&[u8]> = name.split(|&byte| byte == self.delimiter).collect();
        let place = match self.number {
            number if number > 0 => number as usize - 1,
            number => parts.len().checked_sub(number.unsigned_abs())?,
        };
        parts.get(place).copied().filter(|part| !part.is_empty())
    }
}

/// From `_:2` or `|:-1`.
impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let parts = match text.as_bytes() {
            &[delimiter, b':', ..] if delimiter.is_ascii_graphic() => {
                text[2..].parse().ok().map(|number| (delimiter, number))
            }
            _ => None,
        };
        match parts {
            Some((delimiter, number)) if number != 0 => Ok(Self { delimiter, number }),
            _ => Err("expected a character, a colon and the number of a part, such as _:2 or '|:-1' (the last)".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_names() {
        let part = |field: &str, name: &'static str| {
            let part = field.parse::<Field>().unwrap().of(name.as_bytes());
            part.map(|part| std::str::from_utf8(part).unwrap())
        };
        assert_eq!(part("_:2", "OR258483_DENV1"), Some("DENV1"));
        assert_eq!(part("_:-1", "OR258483_DENV1"), Some("DENV1"));
        assert_eq!(part("/:1", "A/Utah/82/2024"), Some("A"));
        assert_eq!(part("|:3", "sp|P12345|CATA_HUMAN"), Some("CATA_HUMAN"));
        assert_eq!(part("_:3", "OR258483_DENV1"), None);
        assert_eq!(part("_:-3", "OR258483_DENV1"), None);
        assert_eq!(part("_:2", "x_"), None);
        assert_eq!(part("::2", "a:b"), Some("b"));
        for text in ["", "_", "_2", "_:", "_:0", "__:2", "é:1"] {
            assert!(text.parse::<Field>().unwrap_err().contains("_:2"), "{text}");
        }
    }
}
