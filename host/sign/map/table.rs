//! A map as tab-separated text: a line per record that is on it, in the records' order.

use super::Map;
use super::groups::Groups;
use std::io::{self, Write};

/// Writes the header line and the records. `names` are those of the records of the map; a record without a group is in `NA`.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut impl Write, map: &Map, names: &[&[u8]], groups: Option<&Groups>) -> io::Result<()> {
    out.write_all(if groups.is_some() { b"sequence\tx\ty\tgroup\n" } else { b"sequence\tx\ty\n" })?;
    for (record, ([x, y], name)) in map.points.iter().zip(names).enumerate() {
        out.write_all(name)?;
        write!(out, "\t{}\t{}", decimal(*x), decimal(*y))?;
        if let Some(groups) = groups {
            out.write_all(b"\t")?;
            out.write_all(groups.of[record].map_or(b"NA", |group| &groups.names[group]))?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// With 6 decimals, and no sign before a zero.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:.6}");
    if text == "-0.000000" { text[1..].to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_record() {
        let map = Map { points: vec![[0.5, -0.25], [-1e-9, 2.0]], shares: [0.75, 0.25] };
        let names: [&[u8]; 2] = [b"a", b"b"];
        let text = |groups: Option<&Groups>| {
            let mut out = Vec::new();
            write(&mut out, &map, &names, groups).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(None), "sequence\tx\ty\na\t0.500000\t-0.250000\nb\t0.000000\t2.000000\n");
        let groups = Groups::new([Some(&b"g"[..]), None].into_iter());
        assert_eq!(
            text(Some(&groups)),
            "sequence\tx\ty\tgroup\na\t0.500000\t-0.250000\tg\nb\t0.000000\t2.000000\tNA\n"
        );
    }
}
