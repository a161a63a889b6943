//! Reading counts, and adding up those of parts of a sample.

use super::{Count, HEADER, Sample, Totals};
use crate::Signature;
use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::path::Path;
use warpseq_io::error::Result;
use warpseq_io::lines::{Fault, Lines};
use warpseq_io::text::Text;

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// Counts of files, added up.
pub struct Counts {
    signatures: HashMap<Vec<u8>, u32>,
    /// Whether other signatures are none.
    all_known: bool,
    /// In the order in which they were first seen.
    samples: Vec<Sums>,
    numbers: HashMap<Vec<u8>, usize>,
}

#[derive(Default)]
struct Sums {
    label: Vec<u8>,
    totals: Totals,
    counts: BTreeMap<u32, Count>,
}

impl Counts {
    /// No counts yet, of these signatures.
    pub fn new(signatures: &[Signature]) -> Self {
        let signatures = signatures.iter().zip(0..);
        let signatures = signatures.map(|(signature, number)| (signature.name().to_vec(), number)).collect();
        Self { signatures, all_known: true, samples: Vec::new(), numbers: HashMap::new() }
    }

    /// No counts yet, of any signatures.
    pub fn of_any() -> Self {
        Self { all_known: false, ..Self::new(&[]) }
    }

    /// Adds those of a file, plain or compressed; `-` is standard input.
    ///
    /// # Errors
    /// [`FileError::File`](warpseq_io::error::FileError::File); [`FileError::Input`](warpseq_io::error::FileError::Input) for what are
    /// no counts, and for a signature that is none of these.
    pub fn add(&mut self, path: &Path) -> Result<()> {
        let text = Text::open(path, BLOCK, 1)?;
        let path = text.label().to_path_buf();
        self.add_text(text.serial(), &path)
    }

    /// Adds those of a text; `path` is its name in errors.
    ///
    /// # Errors
    /// As [`Counts::add`].
    pub fn add_text(&mut self, text: impl BufRead, path: &Path) -> Result<()> {
        self.parse(text).map_err(|fault| fault.of_file(path.to_path_buf(), |line| line))
    }

    fn parse(&mut self, source: impl BufRead) -> std::result::Result<(), Fault> {
        let mut lines = Lines::new(source);
        if !lines.read()? || lines.line() != HEADER.trim_end().as_bytes() {
            return Err(lines.fault(format!("expected the header of a counts file, {}", HEADER.trim_end())));
        }
        let mut sample = None;
        while lines.read()? {
            let added = match totals_of(lines.line()) {
                Some(totals) => totals.map(|(label, totals)| sample = Some(self.begin(label, totals))),
                None => self.add_row(lines.line(), sample),
            };
            added.map_err(|message| lines.fault(message))?;
        }
        Ok(())
    }

    /// The number of a sample, with more totals.
    fn begin(&mut self, label: &[u8], totals: Totals) -> usize {
        let next = self.samples.len();
        let number = *self.numbers.entry(label.to_vec()).or_insert(next);
        if number == next {
            self.samples.push(Sums { label: label.to_vec(), ..Sums::default() });
        }
        self.samples[number].totals += totals;
        number
    }

    fn add_row(&mut self, line: &[u8], sample: Option<usize>) -> std::result::Result<(), String> {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
        let [label, name, numbers @ ..] = &fields[..] else { return Err("expected 5 fields".into()) };
        let [sequences, pairs, mismatches] =
            numbers.iter().map(|field| number(field)).collect::<std::result::Result<Vec<_>, _>>()?[..]
        else {
            return Err(format!("expected 5 fields, found {}", fields.len()));
        };
        let shown = String::from_utf8_lossy;
        let sample = sample.map(|number| &mut self.samples[number]).filter(|sample| sample.label == *label);
        let sample =
            sample.ok_or_else(|| format!("expected `#sample={}` and its totals before its rows", shown(label)))?;
        let next = self.signatures.len() as u32;
        let signature = match self.signatures.get(*name) {
            Some(&signature) => signature,
            None if self.all_known => {
                return Err(format!("{} is none of the signatures: give those of the scan as -s FILE", shown(name)));
            }
            None => *self.signatures.entry(name.to_vec()).or_insert(next),
        };
        let count = sample.counts.entry(signature).or_insert(Count { signature, ..Count::default() });
        count.sequences += sequences;
        count.pairs += pairs;
        count.mismatches += mismatches;
        Ok(())
    }

    /// The names of the signatures, in their order or, of any, that in which they were first seen.
    pub fn names(&self) -> Vec<Vec<u8>> {
        let mut names: Vec<_> = self.signatures.iter().map(|(name, &number)| (number, name.clone())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// The samples, in the order in which they were first seen.
    pub fn into_samples(self) -> Vec<Sample> {
        let sample = |Sums { label, totals, counts }| Sample { label, totals, counts: counts.into_values().collect() };
        self.samples.into_iter().map(sample).collect()
    }
}

/// The sample and the totals of a line that has them; `None` for a row.
fn totals_of(line: &[u8]) -> Option<std::result::Result<(&[u8], Totals), String>> {
    let fields: Vec<&[u8]> = line.strip_prefix(b"#sample=")?.split(|&byte| byte == b'\t').collect();
    // A row whose sample begins like that has five fields.
    let [label, sequences, pairs, bases] = fields[..] else { return None };
    let named = |field: &[u8], name: &str| match field.strip_prefix(name.as_bytes()) {
        Some(value) => number(value),
        None => Err(format!("expected {name}NUMBER, found {}", String::from_utf8_lossy(field))),
    };
    let totals = || {
        let [sequences, pairs, bases] =
            [named(sequences, "sequences=")?, named(pairs, "pairs=")?, named(bases, "bases=")?];
        Ok((label, Totals { sequences, pairs, bases }))
    };
    Some(totals())
}

/// A number below 2^56, so that the sums of 256 files are numbers, too.
fn number(field: &[u8]) -> std::result::Result<u64, String> {
    let number = str::from_utf8(field).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = number.and_then(|text| text.parse::<u64>().ok()).filter(|number| number >> 56 == 0);
    number.ok_or_else(|| format!("expected a whole number, found {}", String::from_utf8_lossy(field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signatures() -> Vec<Signature> {
        ["a", "b", "c"].map(|name| Signature::new(name, b"A".to_vec())).into()
    }

    fn sample(label: &str, totals: [u64; 3], counts: &[[u64; 4]]) -> Sample {
        let [sequences, pairs, bases] = totals;
        let count = |&[signature, sequences, pairs, mismatches]: &[u64; 4]| Count {
            signature: signature as u32,
            sequences,
            pairs,
            mismatches,
        };
        let totals = Totals { sequences, pairs, bases };
        Sample { label: label.into(), totals, counts: counts.iter().map(count).collect() }
    }

    fn text(samples: &[Sample]) -> Vec<u8> {
        let mut text = HEADER.as_bytes().to_vec();
        samples.iter().for_each(|sample| sample.write(|k| [b"a", b"b", b"c"][k], &mut text));
        text
    }

    #[test]
    fn what_is_written_is_read_and_adds_up() {
        let signatures = signatures();
        let x = sample("x y", [1, 2, 3], &[[0, 1, 0, 5], [2, 0, 2, 0]]);
        let odd = sample("#sample=o", [9, 0, 9], &[[1, 4, 0, 0]]);
        let mut counts = Counts::new(&signatures);
        counts.parse(&text(&[x.clone(), odd.clone()])[..]).unwrap();
        counts.parse(&text(&[sample("x y", [10, 0, 1], &[[1, 1, 1, 1], [2, 1, 0, 7]])])[..]).unwrap();
        let sum = sample("x y", [11, 2, 4], &[[0, 1, 0, 5], [1, 1, 1, 1], [2, 1, 2, 7]]);
        assert_eq!(counts.into_samples(), [sum, odd]);
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        let rows = text(&[sample("x", [1, 2, 3], &[])]);
        for (more, line, words) in [
            ("x\ta\t1\t2\n", 3, "expected 5 fields, found 4"),
            ("x\n", 3, "expected 5 fields"),
            ("x\ta\t1\t2\t-3\n", 3, "expected a whole number, found -3"),
            ("x\td\t1\t2\t3\n", 3, "d is none of the signatures"),
            ("x\ta\t1\t2\t3\ny\ta\t1\t2\t3\n", 4, "expected `#sample=y` and its totals"),
            ("#sample=y\tsequences=1\tpairs=2\tbase=3\n", 3, "expected bases=NUMBER, found base=3"),
        ] {
            let signatures = signatures();
            let all = [&rows[..], more.as_bytes()].concat();
            match Counts::new(&signatures).parse(&all[..]) {
                Err(Fault::Line(found, message)) => assert!(found == line && message.contains(words), "{message}"),
                _ => panic!("{more}"),
            }
        }
        let signatures = signatures();
        assert!(matches!(Counts::new(&signatures).parse(&b"sample\tgroup\n"[..]), Err(Fault::Line(1, _))));
    }
}
