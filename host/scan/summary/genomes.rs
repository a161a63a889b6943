//! Which genome each signature is of, and which group each genome is in.

use crate::Signature;
use crate::facts::Warnings;
use std::collections::HashMap;
use std::ops::Range;
use warpseq_io::groups::Table;

/// A genome: what the names of signatures say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genome {
    /// The record that its signatures were cut from.
    pub name: Vec<u8>,
    /// Its group, by number.
    pub group: usize,
    /// How many signatures it has.
    pub signatures: u64,
}

/// The genomes of signatures, and their groups, each in the order of their first signatures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Genomes {
    /// The genomes.
    pub all: Vec<Genome>,
    /// The names of the groups.
    pub groups: Vec<Vec<u8>>,
    /// The genome of each signature.
    pub of: Vec<u32>,
}

impl Genomes {
    /// Those of signatures. `table` gives genomes their groups, or others than their names say.
    pub fn of(signatures: &[Signature], table: Option<&Table>) -> Self {
        let mut genomes = Self::default();
        let (mut numbers, mut groups) = (HashMap::new(), HashMap::new());
        for signature in signatures {
            let (named, name) = parts(signature.name());
            let group = table.and_then(|table| table.group(name)).or(named).unwrap_or(name);
            let next = genomes.all.len();
            let number = *numbers.entry((group.to_vec(), name)).or_insert(next);
            if number == next {
                let next = genomes.groups.len();
                let number = *groups.entry(group.to_vec()).or_insert(next);
                if number == next {
                    genomes.groups.push(group.to_vec());
                }
                genomes.all.push(Genome { name: name.to_vec(), group: number, signatures: 0 });
            }
            genomes.all[number].signatures += 1;
            genomes.of.push(number as u32);
        }
        genomes
    }

    /// Warns of groups with too few signatures for a call.
    pub fn warn(&self, warnings: &mut Warnings) {
        if let Some((count, first)) = self.small() {
            let (least, first) = (super::FEWEST_SIGNATURES, String::from_utf8_lossy(first));
            warnings.add(format!(
                "groups with fewer than {least} signatures are at most a trace: {count}, the first is {first}"
            ));
        }
    }

    /// The groups with too few signatures for a call: how many, and the first of them.
    fn small(&self) -> Option<(usize, &[u8])> {
        let mut signatures = vec![0; self.groups.len()];
        self.all.iter().for_each(|genome| signatures[genome.group] += genome.signatures);
        let mut small = signatures.iter().zip(&self.groups).filter(|(count, _)| **count < super::FEWEST_SIGNATURES);
        small.next().map(|(_, first)| (small.count() + 1, first.as_slice()))
    }
}

/// The group, if it is named, and the genome of a signature.
fn parts(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(place) = name.iter().rposition(|&byte| byte == b':').filter(|&at| is_range(&name[at + 1..])) else {
        return (None, name);
    };
    let record = &name[..place];
    match record.iter().position(|&byte| byte == b'|').map(|at| (&record[..at], &record[at + 1..])) {
        Some((group, genome)) if !group.is_empty() && !genome.is_empty() => (Some(group), genome),
        _ if record.is_empty() => (None, name),
        _ => (None, record),
    }
}

/// Where a signature lies in its genome, as its name says: bases from the first on, up to but without the last.
pub fn range(name: &[u8]) -> Option<Range<u64>> {
    let place = name.iter().rposition(|&byte| byte == b':').map(|at| &name[at + 1..]).filter(|text| is_range(text))?;
    let (start, end) = str::from_utf8(place).ok()?.split_once('-')?;
    let range = start.parse().ok()?..end.parse().ok()?;
    (!range.is_empty()).then_some(range)
}

/// Whether these are two whole numbers with a `-` between them.
fn is_range(text: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut ends = text.splitn(2, |&byte| byte == b'-');
    matches!((ends.next(), ends.next()), (Some(start), Some(end)) if is_number(start) && is_number(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_genome_and_group() {
        for (name, group, genome) in [
            ("NC_1.1:0-60", None, "NC_1.1"),
            ("flu|NC_1.1:30-90", Some("flu"), "NC_1.1"),
            ("a|b|c:1-2", Some("a"), "b|c"),
            ("a:b:1-2", None, "a:b"),
            ("|b:1-2", None, "|b"),
            ("a|:1-2", None, "a|"),
            ("a:1-", None, "a:1-"),
            ("a:1-2-3", None, "a:1-2-3"),
            ("a|b", None, "a|b"),
            (":1-2", None, ":1-2"),
        ] {
            assert_eq!(parts(name.as_bytes()), (group.map(str::as_bytes), genome.as_bytes()), "{name}");
        }
    }

    #[test]
    fn groups_and_genomes_are_numbered_by_their_first_signatures() {
        let names = ["x|a:0-9", "b:0-9", "x|c:0-9", "x|a:9-18", "y|a:0-9", "probe"];
        let signatures = names.map(|name| Signature::new(name, b"A".to_vec()));
        let genomes = Genomes::of(&signatures, None);
        assert_eq!(genomes.groups, ["x", "b", "y", "probe"].map(|name| name.as_bytes().to_vec()));
        assert_eq!(genomes.of, [0, 1, 2, 0, 3, 4]);
        let all: Vec<_> = genomes.all.iter().map(|genome| (genome.group, genome.signatures)).collect();
        assert_eq!(all, [(0, 2), (1, 1), (0, 1), (2, 1), (3, 1)]);
        assert_eq!(genomes.small(), Some((3, &b"b"[..])));
    }
}
