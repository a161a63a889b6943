//! A tree as Newick: one line, lengths with six decimals, and names in quotes where Newick needs them.

use super::{Branch, Tree};
use crate::map::table::decimal;

/// What Newick gives a meaning, besides blanks.
const SPECIAL: &[u8] = b"()[]{}':;,=\"";

/// What is still to be written.
enum Part {
    Text(&'static str),
    Branch(Branch),
    Length(f64),
}

/// The tree of records with these names, with the end of the line; an empty tree is `;`.
pub fn newick(tree: &Tree, names: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    match tree.joins.last() {
        None => names.iter().for_each(|name| put_name(&mut text, name)),
        Some(last) => put_join(&mut text, last, tree, names),
    }
    text.extend_from_slice(b";\n");
    text
}

/// Writes a join with all that hangs on it. A tree may be as deep as it has records, so what is left to write waits in a list.
fn put_join(text: &mut Vec<u8>, join: &[Branch], tree: &Tree, names: &[&[u8]]) {
    let mut waiting = opened(join);
    while let Some(part) = waiting.pop() {
        match part {
            Part::Text(part) => text.extend_from_slice(part.as_bytes()),
            Part::Branch((node, length)) => {
                waiting.push(Part::Length(length));
                match node.checked_sub(names.len()) {
                    None => put_name(text, names[node]),
                    Some(join) => waiting.extend(opened(&tree.joins[join])),
                }
            }
            Part::Length(length) => text.extend(format!(":{}", decimal(length)).bytes()),
        }
    }
}

/// The parts of a join, the first one last.
fn opened(join: &[Branch]) -> Vec<Part> {
    let mut parts = vec![Part::Text(")")];
    for (k, &branch) in join.iter().enumerate().rev() {
        parts.push(Part::Branch(branch));
        parts.push(Part::Text(if k == 0 { "(" } else { "," }));
    }
    parts
}

/// Writes a name, in single quotes if a reader of Newick could take it for something else.
fn put_name(text: &mut Vec<u8>, name: &[u8]) {
    let is_plain = |byte: &u8| !SPECIAL.contains(byte) && !byte.is_ascii_whitespace();
    if !name.is_empty() && name.iter().all(is_plain) {
        return text.extend_from_slice(name);
    }
    text.push(b'\'');
    for &byte in name {
        text.extend(std::iter::repeat_n(byte, if byte == b'\'' { 2 } else { 1 }));
    }
    text.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(joins: &[&[Branch]], names: &[&str]) -> String {
        let tree = Tree { joins: joins.iter().map(|join| join.to_vec()).collect() };
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        String::from_utf8(newick(&tree, &names)).unwrap()
    }

    #[test]
    fn trees_by_hand() {
        assert_eq!(written(&[], &[]), ";\n");
        assert_eq!(written(&[], &["a"]), "a;\n");
        assert_eq!(written(&[&[(0, 0.25), (1, -1e-9)]], &["a", "b"]), "(a:0.250000,b:0.000000);\n");
        let joins: [&[Branch]; 3] = [&[(1, 1.0), (3, 2.0)], &[(4, -0.5), (5, 3.0)], &[(0, 4.0), (2, 5.0), (6, 6.0)]];
        assert_eq!(
            written(&joins, &["a", "b", "c", "d", "e"]),
            "(a:4.000000,c:5.000000,(e:-0.500000,(b:1.000000,d:2.000000):3.000000):6.000000);\n"
        );
    }

    #[test]
    fn names_that_mean_something_are_quoted() {
        let plain = ["NC_045512.2", "a|b/c-d", "é", "#1"];
        assert!(plain.iter().all(|name| written(&[], &[name]) == format!("{name};\n")));
        for name in ["a b", "a(b", "a)", "[a", "a]", "a:b", "a;", "a,b", "a\tb", "", "{x", "x=y", "\"x"] {
            assert_eq!(written(&[], &[name]), format!("'{name}';\n"));
        }
        assert_eq!(written(&[], &["5'-end'"]), "'5''-end''';\n");
    }
}
