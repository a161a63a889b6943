//! Text, numbers and names as HTML.

use warpseq_io::json::text_of;

/// Text that stays text, between tags and in quoted attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A name from a file.
pub fn name(name: &[u8]) -> String {
    escaped(&text_of(name))
}

/// A name from a file in at most so many letters, the last of which is then an ellipsis.
pub fn short(name: &[u8], letters: usize) -> String {
    let text = text_of(name);
    match text.chars().nth(letters) {
        None => escaped(&text),
        Some(_) => escaped(&(text.chars().take(letters - 1).collect::<String>() + "…")),
    }
}

/// A whole number with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share in percent, with one decimal; a share above 0 is not shown as 0.
pub fn percent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.0005 => "&lt;0.1&nbsp;%".to_owned(),
        share => format!("{:.1}&nbsp;%", 100.0 * share),
    }
}

/// `1 sample`, `2 samples`.
pub fn counted(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        assert_eq!(name(b"<script>'&\""), "&lt;script&gt;&#39;&amp;&quot;");
        assert_eq!(name(b"a\xff"), "a \\xFF");
        assert_eq!((short(b"abcd", 4), short(b"a<cde", 4)), ("abcd".into(), "a&lt;c…".into()));
    }

    #[test]
    fn numbers_are_readable() {
        let known = [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")];
        known.iter().for_each(|&(number, text)| assert_eq!(count(number), text));
        let known = [(0.0, "0.0"), (0.0001, "&lt;0.1"), (0.0005, "0.1"), (0.12345, "12.3"), (1.0, "100.0")];
        known.iter().for_each(|&(share, text)| assert_eq!(percent(share), format!("{text}&nbsp;%")));
        assert_eq!(
            (counted(1, "pair", "pairs"), counted(1200, "pair", "pairs")),
            ("1 pair".into(), "1,200 pairs".into())
        );
    }
}
