//! Where lines come from: blocks of text one after another, or blocks whose records have been read ahead on other threads.
//!
//! # Reading ahead
//!
//! ```text
//! block 1                   block 2                   block 3
//! >a ... >b ... >c ......|..... >d ... >e ... >f ..|...
//! [ body 1     ]               [ body 2      ]
//!                [ in order    ]               [ in order ...
//! ```
//!
//! A thread that fills a block looks for the first place in it where a record begins, and reads from there the records that are
//! whole: the *body*. One thread goes through the text in order, as if it were one, and where it stands exactly at the start of a
//! body when a record should begin, it takes that over and goes on behind it. So it does with lines of sequence of a record that is
//! not whole (`stretch`). Where records of FASTQ are so long that few are whole, several blocks become one.
//!
//! # Why the records are those of the serial reader
//!
//! The thread that goes through the text is a serial reader. What a body replaces is what that reader would have read: from the
//! same place, in the same state, with the same code, and a record belongs to the body only if it ended without a look behind the
//! block. Where the guess of a start was wrong (a line of quality may begin with `@`), the reader never stands there, and reads the
//! block itself. A body ends before the first record that is refused, so all errors are the reader's own.

use super::grammar::Grammar;
use super::plain::{self, Plain};
use super::rope::Spent;
use super::stretch::{self, Stretch};
use super::{Demands, Kind, Qualities};
use crate::error::FileError;
use crate::pool::Pool;
use crate::profile::{self, Phase};
use crate::text::{Damage, Text};
use memchr::memmem;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use warpseq_seq::{Records, Sequences};

/// Some text of an input.
pub(super) struct Piece {
    pub(super) text: Vec<u8>,
    /// Records of it that have been read.
    pub(super) body: Option<Body>,
    /// Lines of it that have been read.
    pub(super) stretches: Vec<Stretch>,
    /// What comes behind the text instead of more.
    pub(super) damage: Option<Damage>,
}

/// Records that begin at `head` of a block and end at `end`.
pub(super) struct Body {
    pub(super) head: usize,
    pub(super) end: usize,
    /// Lines from `head` to `end`.
    pub(super) lines: u64,
    pub(super) records: Records,
    /// What the check counted of them.
    pub(super) counted: u64,
    /// Where it is demanded, the line of each record's header, counted from `head`.
    pub(super) headers: Vec<u64>,
    /// Where it is demanded, the text of each record.
    pub(super) texts: Sequences,
    /// Where it is demanded, the place of each record, in the block.
    pub(super) places: Vec<u64>,
}

/// Where text comes from.
pub(super) enum Feed {
    /// Nowhere: there is one block.
    Nowhere,
    /// The thread that reads it makes it.
    Text(Text),
    /// Other threads make it.
    Ahead(Box<Ahead>),
}

impl Feed {
    /// The next text, and `spent` to put it into; `None` at the end.
    pub(super) fn next(&mut self, mut spent: Vec<u8>) -> Option<Piece> {
        match self {
            Self::Nowhere => None,
            Self::Ahead(ahead) => ahead.next(spent),
            Self::Text(text) => {
                let block = text.next()?;
                spent.clear();
                let damage = block.fill(&mut spent).err();
                Some(Piece { text: spent, body: None, stretches: Vec::new(), damage })
            }
        }
    }
}

/// Memory of batches that is used again, for as many blocks as there may be.
#[derive(Clone, Default)]
pub struct Spare(Arc<Pool<Records>>);

impl Spare {
    /// Memory that was given back, or none.
    pub fn take(&self) -> Records {
        self.0.take()
    }

    /// Takes the memory of `records`, but what is beyond the needs of a block of `bytes`.
    pub fn give_back(&self, mut records: Records, bytes: usize) {
        records.clear();
        records.shrink_to(bytes + bytes / 4);
        self.0.give_back(records);
    }
}

/// How blocks are read ahead.
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) demands: Demands,
    /// The most blocks at a time.
    pub(super) most: usize,
    pub(super) spare: Spare,
    /// Memory of texts that have been read.
    pub(super) spent: Spent,
}

/// The most blocks of FASTQ that make a piece, where records are so long that few are within one block.
const TOGETHER: usize = 4;
/// The fewest pieces that blocks read ahead are to make.
const PIECES: usize = 4;

/// Blocks whose records are read ahead.
pub(super) struct Ahead {
    text: Text,
    plan: Plan,
    /// Blocks that make a piece.
    together: usize,
    /// Pieces in order that threads are at work on.
    queue: VecDeque<Coming>,
}

impl Ahead {
    /// Reads blocks of `text` ahead. `first`, with what comes behind it, is the text before.
    pub(super) fn new(text: Text, first: (Vec<u8>, Option<Damage>), plan: Plan) -> Self {
        let mut ahead = Self { text, plan, together: 1, queue: VecDeque::new() };
        let (text, damage) = first;
        ahead.spawn(true, move |into| {
            *into = text;
            damage
        });
        ahead
    }

    /// Has a thread make a text and read its records. The first one begins with a record.
    fn spawn(&mut self, first: bool, make: impl FnOnce(&mut Vec<u8>) -> Option<Damage> + Send + 'static) {
        let (sender, receiver) = sync_channel(1);
        self.queue.push_back(Coming { receiver, come: None });
        let Plan { kind, demands, spare, spent, .. } = &self.plan;
        let (kind, demands, spare, spent) = (*kind, demands.clone(), spare.clone(), Arc::clone(spent));
        rayon::spawn(move || {
            let piece = catch_unwind(AssertUnwindSafe(|| {
                let mut text = spent.take();
                text.clear();
                let damage = make(&mut text);
                let _parsed = profile::enter(Phase::Parse);
                let (text, body) = body(text, first, kind, &demands, &spare);
                let records = body.as_ref().map(|body| body.head);
                let stretches = match kind {
                    Kind::Fasta => stretch::of_block(&text, first, records, || spent.take()),
                    Kind::Fastq => Vec::new(),
                };
                Piece { text, body, stretches, damage }
            }));
            // Nobody waits when the reader has ended early.
            let _ = sender.send(piece);
        });
    }

    /// Waits for the input only for the next piece, and only if it `may_wait`. Where this thread makes the text, it makes one, and more as
    /// long as the next piece is not there: so it goes ahead of the others, and nobody waits for it to be as far ahead as it may be.
    fn spawn_more(&mut self, may_wait: bool) {
        while (self.queue.is_empty() || (self.queue.len() + 1) * self.together <= self.plan.most)
            && (may_wait && self.queue.is_empty() || self.text.is_ready())
            && let Some(block) = self.text.next()
        {
            let mut blocks = vec![block];
            while blocks.len() < self.together
                && self.text.is_ready()
                && let Some(block) = self.text.next()
            {
                blocks.push(block);
            }
            self.spawn(false, move |into| blocks.into_iter().find_map(|block| block.fill(into).err()));
            if self.text.makes() && self.queue.front_mut().is_some_and(Coming::is_here) {
                break;
            }
        }
    }

    /// Has pieces of more blocks where less than half of one is whole records, and of fewer where nearly all is.
    fn adapt(&mut self, piece: &Piece) {
        let (whole, all) = (piece.body.as_ref().map_or(0, |body| body.end - body.head), piece.text.len());
        if whole < all / 2 {
            self.together = (2 * self.together).min(TOGETHER).min(self.plan.most / PIECES).max(1);
        } else if whole > all / 8 * 7 {
            self.together = self.together.div_ceil(2);
        }
    }

    fn next(&mut self, spent: Vec<u8>) -> Option<Piece> {
        if spent.capacity() > 0 {
            self.plan.spent.give_back(spent);
        }
        self.spawn_more(true);
        let piece = self.queue.pop_front()?.wait();
        if let Ok(piece) = &piece
            && self.plan.kind == Kind::Fastq
        {
            self.adapt(piece);
        }
        // Before the piece is read, so that no thread waits for that.
        self.spawn_more(false);
        Some(piece.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

/// A piece that a thread is at work on.
struct Coming {
    receiver: Receiver<std::thread::Result<Piece>>,
    come: Option<std::thread::Result<Piece>>,
}

impl Coming {
    fn is_here(&mut self) -> bool {
        self.come = self.come.take().or_else(|| self.receiver.try_recv().ok());
        self.come.is_some()
    }

    fn wait(self) -> std::thread::Result<Piece> {
        self.come.unwrap_or_else(|| wait(&self.receiver))
    }
}

/// Waits for a piece. A thread of a pool that nobody else makes pieces in works on them itself.
fn wait(piece: &Receiver<std::thread::Result<Piece>>) -> std::thread::Result<Piece> {
    /// Longer than making a piece mostly takes.
    const PATIENCE: Duration = Duration::from_millis(20);
    let lost = "the thread sends a piece, or what it panicked with";
    if rayon::current_thread_index().is_none() {
        return piece.recv().expect(lost);
    }
    let mut pause = if rayon::current_num_threads() > 1 { PATIENCE } else { Duration::ZERO };
    loop {
        match piece.recv_timeout(pause) {
            Ok(piece) => return piece,
            Err(RecvTimeoutError::Disconnected) => panic!("{lost}"),
            Err(RecvTimeoutError::Timeout) => {
                let worked = rayon::yield_now() == Some(rayon::Yield::Executed);
                pause = if worked { Duration::ZERO } else { PATIENCE };
            }
        }
    }
}

/// The records of a block that are whole, from the first start of one on; and the block.
fn body(text: Vec<u8>, first: bool, kind: Kind, demands: &Demands, spare: &Spare) -> (Vec<u8>, Option<Body>) {
    let (bytes, mut records) = (text.len(), spare.take());
    // With room for the records behind the body, which come to it in order.
    let residues = text.len() / if kind == Kind::Fastq { 2 } else { 1 } + text.len() / 8;
    let has_qualities = kind == Kind::Fastq && demands.qualities == Qualities::Keep;
    records.reserve(residues, if has_qualities { residues } else { 0 });
    let start = memmem::Finder::new(if kind == Kind::Fasta { b"\n>" } else { b"\n@" });
    let mut body = Body {
        head: 0,
        end: 0,
        lines: 0,
        records,
        counted: 0,
        headers: Vec::new(),
        texts: Sequences::default(),
        places: Vec::new(),
    };
    let mut grammar = Grammar::of_block(text, kind);
    let mut head = first.then_some(0).or_else(|| next_start(&start, grammar.lines.block(), 0));
    while let Some(at) = head {
        read_whole(&mut grammar, kind, at, demands, &mut body);
        // A first record that is refused may be none: quality may look like a header line.
        let done = !body.records.is_empty() || grammar.lines.has_ended();
        head = if done { None } else { next_start(&start, grammar.lines.block(), at) };
    }
    let body = if body.records.is_empty() {
        // Of a record that is longer than blocks. The thread that reads in order has use for the memory.
        spare.give_back(body.records, bytes);
        None
    } else {
        Some(body)
    };
    (grammar.lines.into_block(), body)
}

/// The first place from `from` on where a line begins like a header line, that of the block's first line apart.
fn next_start(start: &memmem::Finder, text: &[u8], from: usize) -> Option<usize> {
    start.find(&text[from..]).map(|at| from + at + 1)
}

/// Reads records from `head` on while they are whole.
fn read_whole(grammar: &mut Grammar, kind: Kind, head: usize, demands: &Demands, body: &mut Body) {
    grammar.begin_at(kind, head);
    (body.head, body.end) = (head, head);
    loop {
        let (header, start) = (grammar.lines.line() + 1, grammar.lines.place());
        let plain = plain::read(grammar.lines.block(), start, kind, demands, &mut body.records);
        let counted = match plain {
            Some(Plain { next, lines, counted }) => {
                grammar.lines.skip(next, lines);
                if demands.texts {
                    body.texts.push(&grammar.lines.block()[start..next]);
                }
                counted
            }
            None => {
                grammar.begin(demands);
                let read = body.records.append(|to| {
                    let counted = grammar.read_checked(to, demands)?;
                    Ok::<_, FileError>(counted.filter(|_| !grammar.lines.has_ended()))
                });
                let Ok(Some(counted)) = read else { return };
                grammar.end(demands, &mut body.texts);
                counted
            }
        };
        body.counted += counted;
        body.headers.extend(demands.lines.then_some(header));
        body.places.extend(demands.places.then_some(start as u64));
        (body.end, body.lines) = (grammar.lines.place(), grammar.lines.line());
    }
}
