//! Opens a database file. Everything is checked here, so that nothing needs to be checked later: the file is complete and unaltered,
//! of this version, and consistent.

use super::layout::Layout;
use super::{FORMAT, HEADER, Kind, LETTERS, TRAILER};
use rayon::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warpseq_io::contents::Contents;
use warpseq_io::error::{FileError, Result};
use warpseq_io::format::{u32_at, u64_at, u64s};
use warpseq_seq::{Records, Sequences, Shared};

/// Numbers that a thread looks at together.
const GRAIN: usize = 1 << 14;

/// A database file that is complete and consistent.
#[derive(Clone, Debug)]
pub struct Stored {
    path: PathBuf,
    bytes: Arc<Contents>,
    layout: Layout,
    kind: Kind,
    checksum: u64,
    with_residues: u64,
}

impl Stored {
    /// Opens a database file: mapped, or read when it is a pipe, compressed, or standard input (`-`). All of it is read once, for
    /// the checksum.
    ///
    /// # Errors
    /// [`FileError::File`] when it cannot be read; [`FileError::Unusable`] when it is no database file, of another version,
    /// truncated, altered, or makes no sense.
    pub fn open(path: &Path) -> Result<Self> {
        let (contents, path) = Contents::of(path, &FORMAT)?;
        let unusable = |message| FileError::Unusable { path: path.clone(), message };
        let (trailer, checksum) = FORMAT.check(&contents).map_err(unusable)?;
        let layout = Layout::decode(trailer);
        let kind = Kind::ALL.get(u64_at(trailer, TRAILER - 32) as usize).copied();
        let kind = kind.ok_or_else(|| unusable("its trailer has no kind of sequences of this version".into()))?;
        let with_residues = check(&layout, &contents).map_err(unusable)?;
        let bytes = Arc::new(contents.with_checksum(checksum));
        Ok(Self { path, bytes, layout, kind, checksum, with_residues })
    }

    /// The file's name, as errors give it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the sequences are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many sequences there are.
    pub fn len(&self) -> usize {
        self.layout.sequences as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many sequences have residues.
    pub fn with_residues(&self) -> u64 {
        self.with_residues
    }

    /// How many residues all sequences have.
    pub fn residues(&self) -> u64 {
        self.layout.residues
    }

    /// Bytes of the file, decompressed.
    pub fn bytes(&self) -> u64 {
        self.layout.total
    }

    /// The checksum of the file, as stored and as computed.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// How often each byte occurs among the residues.
    pub fn letters(&self) -> [u64; LETTERS] {
        let section = &self.bytes[self.layout.letter_bytes()];
        std::array::from_fn(|byte| u64_at(section, 8 * byte))
    }

    /// The residues of sequence `k`.
    ///
    /// # Panics
    /// When there is none.
    pub fn length(&self, k: usize) -> u64 {
        let section = &self.bytes[self.layout.start_bytes()];
        u64_at(section, 8 * (k + 1)) - u64_at(section, 8 * k)
    }

    /// Some of the records. Their residues and names stay in the file.
    ///
    /// # Panics
    /// When they are not there.
    pub fn records(&self, range: Range<usize>) -> Records {
        let Layout { residues, .. } = self.layout;
        let all = |range| Shared::new(self.bytes.clone(), range);
        let some = |letters: Shared, section: Range<usize>| {
            let section = &self.bytes[section][8 * range.start..8 * (range.end + 1)];
            let first = u64_at(section, 0);
            let starts: Vec<u64> = u64s(section).map(|start| start - first).collect();
            let last = first + starts.last().expect("there is one more than sequences");
            Sequences::from_shared(letters.part(first as usize..last as usize), starts).expect("they were checked")
        };
        let names = some(all(self.layout.name_bytes(&self.bytes)), self.layout.name_offset_bytes());
        let sequences = some(all(HEADER..HEADER + residues as usize), self.layout.start_bytes());
        Records::from_parts(names, sequences).expect("there are as many names as sequences")
    }

    /// The end of the records from `first` on that weigh up to `limit` together, one at least if any is left: a residue weighs
    /// `residue` and a record `record`.
    pub fn end_of(&self, first: usize, limit: usize, [residue, record]: [usize; 2]) -> usize {
        let section = &self.bytes[self.layout.start_bytes()];
        let start = |k: usize| u64_at(section, 8 * k);
        let weight = |end: usize| {
            let residues = (start(end) - start(first)) as usize;
            residues.saturating_mul(residue).saturating_add((end - first).saturating_mul(record))
        };
        let (mut low, mut high) = (first, self.len());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if weight(middle) <= limit { low = middle } else { high = middle - 1 }
        }
        low.max(first + 1).min(self.len())
    }

    /// Refuses a file that was changed since it was opened. To be asked when all has been read.
    ///
    /// # Errors
    /// [`FileError::Unusable`].
    pub fn require_unchanged(&self) -> Result<()> {
        self.bytes.require_unchanged()
    }
}

/// Sections that lie where they must and agree; how many sequences have residues.
fn check(layout: &Layout, bytes: &[u8]) -> std::result::Result<u64, String> {
    if u32_at(bytes, 12) != HEADER as u32 || bytes[16..HEADER].iter().any(|&byte| byte != 0) {
        return Err("its header is not that of this version".into());
    }
    check_layout(layout, bytes)?;
    let starts = &bytes[layout.start_bytes()];
    for (section, what) in [(starts, "starts"), (&bytes[layout.name_offset_bytes()], "name offsets")] {
        if u64_at(section, 0) != 0 || !rises(section) {
            return Err(format!("its {what} are not in order"));
        }
    }
    let (last, residues) = (u64_at(starts, starts.len() - 8), layout.residues);
    let counted = u64s(&bytes[layout.letter_bytes()]).fold(0, u64::saturating_add);
    if last != residues || counted != residues {
        return Err(format!("expected {residues} residues, found {last} in its sequences and {counted} counted"));
    }
    check_padding(layout, bytes)?;
    let is_some = |&k: &usize| u64_at(starts, 8 * k) < u64_at(starts, 8 * (k + 1));
    Ok((0..layout.sequences as usize).into_par_iter().with_min_len(GRAIN).filter(is_some).count() as u64)
}

/// Sections that lie where they must, as long as their counts say. The bytes of the names are known from their offsets, which are
/// inside once all that comes before the names is where it must be.
fn check_layout(layout: &Layout, bytes: &[u8]) -> std::result::Result<(), String> {
    let sized = |names| Layout::new([layout.sequences, layout.residues, names]);
    let without_names = sized(0).filter(|least| least.total <= layout.total);
    let names = without_names.map(|least| u64_at(bytes, least.name_offset_bytes().end - 8));
    match names.and_then(sized) {
        Some(expected) if expected == *layout => Ok(()),
        _ => Err("its sections are not where they should be".into()),
    }
}

fn rises(section: &[u8]) -> bool {
    let number = |k: usize| u64_at(section, 8 * k);
    (1..section.len() / 8).into_par_iter().with_min_len(GRAIN).all(|k| number(k - 1) <= number(k))
}

/// The bytes between sections are zeros.
fn check_padding(layout: &Layout, bytes: &[u8]) -> std::result::Result<(), String> {
    let residues = layout.residue_bytes().end..layout.starts as usize;
    let names = layout.name_bytes(bytes).end..layout.letters as usize;
    for mut padding in [residues, names] {
        if let Some(at) = padding.find(|&at| bytes[at] != 0) {
            return Err(format!("it has a byte {:#04x} in the padding, at byte {at}", bytes[at]));
        }
    }
    Ok(())
}
