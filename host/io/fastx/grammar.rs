//! One record after another: what FASTA and FASTQ have in common, and what a caller demands besides.

use super::blocks::Plan;
use super::lines::Lines;
use super::location::{Location, Wrapping};
use super::rope::Rope;
use super::{Demands, Kind, Place, Qualities, Record, Refusal, fasta, fastq, foreign, printable};
use crate::error::{FileError, Result};
use std::borrow::Cow;
use std::sync::Arc;
use warpseq_seq::Sequences;
use warpseq_seq::records::Appended;

/// Reads the records of one kind from lines.
pub(super) struct Grammar {
    pub(super) lines: Lines,
    /// `None` where nothing more is to be read.
    kind: Option<Kind>,
    draft: Draft,
    /// The last record's qualities where nobody wants them; kept to reuse the memory.
    unwanted: Vec<u8>,
}

/// The parts of the record being read that the caller does not keep. It is kept between records to reuse its memory.
#[derive(Default)]
pub(super) struct Draft {
    /// The header line with its first byte.
    pub(super) title: Vec<u8>,
    pub(super) header_line: u64,
    pub(super) sequence: Wrapping,
    pub(super) quality: Wrapping,
    /// Symbols of its sequence or quality, whichever is being read.
    pub(super) rope: Rope,
}

impl Draft {
    fn clear(&mut self) {
        self.title.clear();
        self.sequence.clear();
        self.quality.clear();
    }

    /// The first word of the header line.
    fn name(&self) -> &[u8] {
        let title = &self.title[1..];
        &title[..end_of_name(title)]
    }
}

/// Where the first word of a header line ends.
pub(super) fn end_of_name(title: &[u8]) -> usize {
    title.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(title.len())
}

impl Grammar {
    /// Reads from an input, of whose first byte it is told what it holds.
    ///
    /// # Errors
    /// [`FileError::Input`] if it starts like neither FASTA nor FASTQ; those of reading.
    pub(super) fn new(mut lines: Lines) -> Result<Self> {
        let kind = kind_of(&mut lines)?;
        Ok(Self { lines, kind, draft: Draft::default(), unwanted: Vec::new() })
    }

    /// Reads from a block of an input.
    pub(super) fn of_block(text: Vec<u8>, kind: Kind) -> Self {
        let (draft, unwanted) = Default::default();
        Self { lines: Lines::of_block(text), kind: Some(kind), draft, unwanted }
    }

    /// Has other threads read ahead. Of the text nothing has been taken so far.
    pub(super) fn read_ahead(&mut self, plan: Plan) {
        self.draft.rope = Rope::new(Arc::clone(&plan.spent));
        self.lines.read_ahead(plan);
    }

    /// Begins anew at a place of the block.
    pub(super) fn begin_at(&mut self, kind: Kind, start: usize) {
        self.kind = Some(kind);
        self.lines.begin_at(start);
    }

    /// Whether the text goes on.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn has_more(&mut self) -> Result<bool> {
        if self.kind.is_none() {
            return Ok(false);
        }
        let next = self.lines.peek().inspect_err(|_| self.kind = None)?;
        Ok(next.is_some())
    }

    pub(super) fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Appends the symbols of the next record. False at the end.
    ///
    /// # Errors
    /// Those of the format and of reading, after which there is nothing more. Both vectors are as before then.
    pub(super) fn read(&mut self, sequence: &mut Vec<u8>, quality: &mut Vec<u8>) -> Result<bool> {
        let (bases, qualities) = (sequence.len(), quality.len());
        self.draft.clear();
        let found = match self.kind {
            None => Ok(false),
            Some(Kind::Fasta) => fasta::read(&mut self.lines, &mut self.draft, sequence),
            Some(Kind::Fastq) => fastq::read(&mut self.lines, &mut self.draft, sequence, quality),
        };
        found.map_err(|error| {
            self.kind = None;
            self.draft.rope.clear();
            sequence.truncate(bases);
            quality.truncate(qualities);
            self.or_sam(error)
        })
    }

    /// Appends the next record, if it is as the caller demands, and returns what the check counted of it. `None` at the end.
    ///
    /// # Errors
    /// As [`Grammar::read`], and the caller's refusal. What was appended then has to be removed.
    pub(super) fn read_checked(&mut self, to: Appended, demands: &Demands) -> Result<Option<u64>> {
        let mut unwanted = std::mem::take(&mut self.unwanted);
        let quality = match demands.qualities {
            Qualities::Keep => to.quality,
            Qualities::Drop => &mut unwanted,
        };
        let before = (to.residues.len(), quality.len());
        let counted = match self.read(to.residues, quality)? {
            false => None,
            true => {
                let name = self.draft.name();
                let record = Record { name, residues: &to.residues[before.0..], quality: &quality[before.1..] };
                let counted = demands.check.as_ref().map_or(Ok(0), |check| check(record));
                to.name.extend_from_slice(name);
                let counted = counted.map_err(|refusal| self.refused(refusal))?;
                if demands.four_lines {
                    self.require_four_lines()?;
                }
                Some(counted)
            }
        };
        unwanted.clear();
        self.unwanted = unwanted;
        Ok(counted)
    }

    /// Refuses a record that was read if it does not have the lines of its kind at the beginning of the file.
    fn require_four_lines(&mut self) -> Result<()> {
        let lines = self.lines.line() + 1 - self.draft.header_line;
        // A quality of no symbols may be left out at the end of a file.
        if self.kind != Some(Kind::Fastq) || lines == 4 || lines == 3 && self.lines.peek()?.is_none() {
            return Ok(());
        }
        let message = format!(
            "this record has {lines} lines and the first one four, so the records of a shard cannot be found: give every record four \
             lines, as `seqkit seq -w 0` does, or leave out --shard"
        );
        Err(self.refused(Refusal { place: Place::Header, message }))
    }

    /// Before a record is read: notes its text if that is demanded.
    pub(super) fn begin(&mut self, demands: &Demands) {
        if demands.texts {
            self.lines.note();
        }
    }

    /// Behind a record that was read: adds its text to `texts` if that is demanded.
    pub(super) fn end(&mut self, demands: &Demands, texts: &mut Sequences) {
        if demands.texts {
            let kind = self.kind;
            texts.push(&whole(self.lines.take_notes(), kind));
        }
    }

    /// The header line of the record that was read last, without its first byte.
    pub(super) fn title(&self) -> &[u8] {
        &self.draft.title[1..]
    }

    /// Where the record that was read last is.
    pub(super) fn location(&mut self) -> Location {
        let Draft { header_line, sequence, quality, .. } = &mut self.draft;
        Location::new(self.lines.record(), *header_line, sequence, quality)
    }

    /// The error for a record that the caller refuses.
    fn refused(&mut self, Refusal { place, message }: Refusal) -> FileError {
        self.kind = None;
        let location = self.location();
        let line = match place {
            Place::Header => location.line,
            Place::Residue(at) => location.line_of_base(at as u64),
            Place::Quality(at) => location.line_of_quality(at as u64),
        };
        self.lines.fault_at(line, message)
    }

    /// Says of a first record that broke the format if it begins like SAM.
    fn or_sam(&self, mut error: FileError) -> FileError {
        let Draft { title, header_line, .. } = &self.draft;
        if let (FileError::Input { record: 1, message, .. }, [_, title @ ..]) = (&mut error, &title[..])
            && *header_line == 1
            && foreign::is_sam_header(title)
        {
            message.push_str(foreign::SAM_ADVICE);
        }
        error
    }
}

/// The text of a record, with the end of its last line. Empty lines behind a record of FASTA are not part of it; in FASTQ, one may
/// be the quality of a sequence without bases.
fn whole(text: &[u8], kind: Option<Kind>) -> Cow<'_, [u8]> {
    let end = match kind {
        Some(Kind::Fastq) => text.len(),
        _ => {
            let last = text.iter().rposition(|&byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
            let line_end = memchr::memchr(b'\n', &text[last..]).map_or(text.len() - last, |at| at + 1);
            last + line_end
        }
    };
    let text = &text[..end];
    if text.ends_with(b"\n") { text.into() } else { [text, b"\n"].concat().into() }
}

fn kind_of(lines: &mut Lines) -> Result<Option<Kind>> {
    const FIRST_LINE: u64 = 1;
    match lines.peek()? {
        Some(b'>') => Ok(Some(Kind::Fasta)),
        Some(b'@') => Ok(Some(Kind::Fastq)),
        Some(b'\n' | b'\r') if lines.only_empty_lines_left()? => Ok(None),
        None => Ok(None),
        Some(first) => {
            let found = match foreign::told_by(&lines.take_start(foreign::TELLING)) {
                Some((what, advice)) => format!("{what}: {advice}"),
                None => printable::name_of(first),
            };
            let message = format!("expected `>` (FASTA) or `@` (FASTQ) at the start of the file, found {found}");
            Err(lines.fault_at(FIRST_LINE, message))
        }
    }
}

/// Starts a record: reads its header line, whose first byte has been checked, into `draft`.
pub(super) fn read_header(lines: &mut Lines, draft: &mut Draft) -> Result<()> {
    lines.next_record();
    lines.append_legal(&mut draft.title, "header line", printable::first_control)?;
    draft.header_line = lines.line();
    if matches!(draft.title.get(1), None | Some(b' ' | b'\t')) {
        return Err(lines.fault("the header line has no name: expected a word right after its first character".into()));
    }
    Ok(())
}
