//! Records of FASTA and FASTQ files in memory: names, sequences, and the qualities of FASTQ.
//!
//! A batch of any engine is one of these. A reader appends to its vectors, so a residue is copied once, from the reader's
//! buffer to where the engine takes it from.

use crate::Sequences;
use crate::sequences::InvalidParts;
use std::ops::Range;

/// Sequences with their names and, when they were read from FASTQ, their qualities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// As many as sequences: the bytes of each name are its residues.
    names: Sequences,
    sequences: Sequences,
    /// As many as residues; none when there are no qualities.
    qualities: Vec<u8>,
}

impl Records {
    /// Makes records of names and sequences, without qualities.
    ///
    /// # Errors
    /// [`InvalidParts::Names`] when there are not as many names as sequences.
    pub fn from_parts(names: Sequences, sequences: Sequences) -> Result<Self, InvalidParts> {
        let fit = names.len() == sequences.len();
        if fit { Ok(Self { names, sequences, qualities: Vec::new() }) } else { Err(InvalidParts::Names) }
    }

    /// The same records with other qualities: a byte of a FASTQ file for each residue.
    ///
    /// # Errors
    /// [`InvalidParts::Qualities`] when there are not as many bytes as residues.
    pub fn with_qualities(self, qualities: Vec<u8>) -> Result<Self, InvalidParts> {
        let fit = qualities.len() == self.sequences.residues.len();
        if fit { Ok(Self { qualities, ..self }) } else { Err(InvalidParts::Qualities) }
    }

    /// The same records without qualities.
    pub fn without_qualities(self) -> Self {
        Self { qualities: Vec::new(), ..self }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of record `k`: the first word of its header line.
    pub fn name(&self, k: usize) -> &[u8] {
        self.names.get(k)
    }

    /// The residues of record `k`.
    pub fn sequence(&self, k: usize) -> &[u8] {
        self.sequences.get(k)
    }

    /// The quality bytes of record `k`, one for each residue; `None` without qualities.
    pub fn quality(&self, k: usize) -> Option<&[u8]> {
        let starts = self.sequences.starts();
        let range = starts[k] as usize..starts[k + 1] as usize;
        self.qualities.get(range).filter(|_| !self.qualities.is_empty())
    }

    /// All names, one after another.
    pub fn names(&self) -> &Sequences {
        &self.names
    }

    /// All sequences.
    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }

    /// The quality bytes of all records; empty without qualities.
    pub fn qualities(&self) -> &[u8] {
        &self.qualities
    }

    /// About how many bytes of memory the records take.
    pub fn bytes(&self) -> usize {
        let [names, residues, qualities] = self.ends();
        names + residues + qualities + 2 * size_of::<u64>() * self.len()
    }

    /// Adds a record without qualities.
    ///
    /// # Panics
    /// When other records have qualities, and this one has residues.
    pub fn push(&mut self, name: impl AsRef<[u8]>, residues: &[u8]) {
        self.push_with_quality(name, residues, &[]);
    }

    /// Adds a record with a quality byte for each residue.
    ///
    /// # Panics
    /// When there are not as many bytes as residues, in this record or in those before.
    pub fn push_with_quality(&mut self, name: impl AsRef<[u8]>, residues: &[u8], quality: &[u8]) {
        self.sequences.push(residues);
        self.qualities.extend_from_slice(quality);
        self.names.push(name.as_ref());
        self.check_qualities();
    }

    /// Adds some records of others, in their order.
    ///
    /// # Panics
    /// When the others have qualities and those before them have not, or the other way round.
    pub fn extend(&mut self, others: &Self, range: Range<usize>) {
        self.names.extend(&others.names, range.clone());
        if !others.qualities.is_empty() {
            let starts = others.sequences.starts();
            self.qualities
                .extend_from_slice(&others.qualities[starts[range.start] as usize..starts[range.end] as usize]);
        }
        self.sequences.extend(&others.sequences, range);
        self.check_qualities();
    }

    /// Adds a record whose name, residues and quality bytes `read` appends to those of the others, without a copy. `read` returns
    /// what else the caller wants; `None` or an error when there is no record.
    ///
    /// # Errors
    /// That of `read`. The records are as before then.
    ///
    /// # Panics
    /// When `read` removes anything, or appends qualities that are not as many as the residues.
    pub fn append<T, E>(&mut self, read: impl FnOnce(Appended) -> Result<Option<T>, E>) -> Result<Option<T>, E> {
        let draft = Draft { before: self.ends(), records: self };
        let Records { names, sequences, qualities } = &mut *draft.records;
        let to = Appended { name: names.residues.owned(), residues: sequences.residues.owned(), quality: qualities };
        let found = read(to)?;
        if found.is_some() {
            draft.keep();
        }
        Ok(found)
    }

    /// Where the names, residues and qualities end.
    fn ends(&self) -> [usize; 3] {
        [self.names.residues.len(), self.sequences.residues.len(), self.qualities.len()]
    }

    /// Makes room for so many residues and qualities more.
    pub fn reserve(&mut self, residues: usize, qualities: usize) {
        self.sequences.residues.owned().reserve(residues);
        self.qualities.reserve(qualities);
    }

    fn check_qualities(&self) {
        let fit = self.qualities.is_empty() || self.qualities.len() == self.sequences.residues.len();
        assert!(fit, "{}", InvalidParts::Qualities);
    }

    /// Removes all records; the memory stays.
    pub fn clear(&mut self) {
        self.names.clear();
        self.sequences.clear();
        self.qualities.clear();
    }

    /// Gives memory back but for about `residues` of them, as many qualities, and as many bytes of names.
    pub fn shrink_to(&mut self, residues: usize) {
        self.names.shrink_to(residues);
        self.sequences.shrink_to(residues);
        self.qualities.shrink_to(residues);
    }
}

/// A record that is being appended, and is no part of the records until it is kept.
struct Draft<'r> {
    records: &'r mut Records,
    before: [usize; 3],
}

impl Draft<'_> {
    fn removes_nothing(&self) -> bool {
        self.before.iter().zip(self.records.ends()).all(|(&before, after)| before <= after)
    }

    fn keep(mut self) {
        assert!(self.removes_nothing(), "a reader appends");
        let qualities = self.records.qualities.len();
        let fit = qualities == 0 || qualities == self.records.sequences.residues.len();
        assert!(fit, "{}", InvalidParts::Qualities);
        self.records.sequences.close();
        self.records.names.close();
        self.before = self.records.ends();
    }
}

impl Drop for Draft<'_> {
    /// Removes what was not kept. Where more was removed than had been appended, nothing of the rest can be trusted.
    fn drop(&mut self) {
        if !self.removes_nothing() {
            self.records.clear();
            return;
        }
        let [names, residues, qualities] = self.before;
        self.records.names.residues.owned().truncate(names);
        self.records.sequences.residues.owned().truncate(residues);
        self.records.qualities.truncate(qualities);
    }
}

/// Where a record is appended: its parts go behind those of the records before it.
#[derive(Debug)]
pub struct Appended<'a> {
    /// The bytes of all names.
    pub name: &'a mut Vec<u8>,
    /// All residues.
    pub residues: &'a mut Vec<u8>,
    /// All quality bytes.
    pub quality: &'a mut Vec<u8>,
}

/// Names and residues.
impl<N: AsRef<[u8]>, R: AsRef<[u8]>> FromIterator<(N, R)> for Records {
    fn from_iter<I: IntoIterator<Item = (N, R)>>(records: I) -> Self {
        let mut all = Self::default();
        records.into_iter().for_each(|(name, residues)| all.push(name, residues.as_ref()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn names_and_qualities_fit_the_sequences() {
        let sequences = Sequences::from_iter(["AC", "G"]);
        assert_eq!(Records::from_parts(Sequences::from_iter(["a"]), sequences.clone()), Err(InvalidParts::Names));
        let records = Records::from_parts(Sequences::from_iter(["a", "b"]), sequences).unwrap();
        assert_eq!(records, Records::from_iter([("a", "AC"), ("b", "G")]));
        assert_eq!(
            (records.quality(0), records.clone().with_qualities(vec![33; 2])),
            (None, Err(InvalidParts::Qualities))
        );
        let mut records = records.with_qualities(b"hij".to_vec()).unwrap();
        records.push("empty", b"");
        assert_eq!((records.quality(1), records.quality(2)), (Some(&b"j"[..]), Some(&b""[..])));
        assert!(catch_unwind(move || records.push("c", b"A")).is_err());
    }

    #[test]
    fn a_record_is_appended_or_not_at_all() {
        let mut records = Records::from_iter([("a", "AC")]);
        let before = records.clone();
        let appended = |name: Result<Option<&'static str>, ()>| {
            move |Appended { name: names, residues, .. }: Appended| {
                residues.extend_from_slice(b"GGT");
                names.extend_from_slice(name.ok().flatten().unwrap_or("x").as_bytes());
                name.map(|name| name.map(|_| 7))
            }
        };
        assert_eq!((records.append(appended(Err(()))), &records), (Err(()), &before));
        assert_eq!((records.append(appended(Ok(None))), &records), (Ok(None), &before));
        assert_eq!(records.append(appended(Ok(Some("b")))), Ok(Some(7)));
        assert_eq!(records, Records::from_iter([("a", "AC"), ("b", "GGT")]));
        let cleared = AssertUnwindSafe(|| {
            records.append(|Appended { residues, .. }| {
                residues.clear();
                Ok::<_, ()>(Some(()))
            })
        });
        assert!(catch_unwind(cleared).is_err());
        assert_eq!(records, Records::default());
    }

    #[test]
    fn some_records_of_others_come_with_their_qualities() {
        let others = Records::from_iter([("a", "AC"), ("b", ""), ("c", "G")]).with_qualities(b"hij".to_vec()).unwrap();
        let mut all = Records::default();
        for range in [2..3, 0..2, 1..1] {
            all.extend(&others, range);
        }
        let expected =
            Records::from_iter([("c", "G"), ("a", "AC"), ("b", "")]).with_qualities(b"jhi".to_vec()).unwrap();
        assert_eq!(all, expected);
        assert!(catch_unwind(move || all.extend(&Records::from_iter([("d", "A")]), 0..1)).is_err());
    }

    #[test]
    fn what_is_cleared_is_empty() {
        let mut records = Records::from_iter([("a", "AC")]).with_qualities(b"hi".to_vec()).unwrap();
        records.clear();
        records.shrink_to(0);
        assert_eq!(records, Records::default());
    }
}
