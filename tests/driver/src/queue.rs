//! Streams, and what they were given and have not done.
//!
//! A stream does its work when somebody waits for it, up to what is waited for and no further. A mark is where an event was
//! recorded; a stream that waits for another's mark lets that one get just so far.

use crate::kernels::Entry;
use cuda_std::Shape;
use cuda_std::emulator::Emulator;
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// The code of a kernel that reached where it must not.
const ILLEGAL_ADDRESS: u32 = 700;

/// What a stream is given. Host memory is by address: whoever queues a copy keeps it until somebody has waited.
pub enum Work {
    CopyIn {
        from: usize,
        to: u64,
        bytes: usize,
    },
    CopyOut {
        from: u64,
        to: usize,
        bytes: usize,
    },
    Fill {
        to: u64,
        byte: u8,
        bytes: usize,
    },
    Launch {
        kernel: &'static Entry,
        shape: Shape,
        argument: Vec<u8>,
    },
    /// Ends with this code.
    Fail(u32),
    Mark(u64),
    Await(u64),
}

impl Work {
    /// Whether it copies from or to the host memory at `address`.
    fn touches(&self, address: usize, len: usize) -> bool {
        let (Self::CopyIn { from: at, bytes, .. } | Self::CopyOut { to: at, bytes, .. }) = *self else { return false };
        at < address + len && address < at + bytes
    }
}

/// A point in a stream.
struct Mark {
    stream: usize,
    passed: Option<Instant>,
}

/// All streams of the device. Numbers of streams and marks count from 1 and are never used again.
#[derive(Default)]
pub struct Queues {
    streams: HashMap<usize, VecDeque<Work>>,
    marks: HashMap<u64, Mark>,
    count: usize,
    /// Copies to the host that were done, and which of them is to bring a wrong bit.
    copies: u64,
    corrupt: Option<u64>,
}

impl Queues {
    /// No streams; the copy to the host of that number, counted from 1, will bring a wrong bit.
    pub fn corrupting(corrupt: Option<u64>) -> Self {
        Self { corrupt, ..Self::default() }
    }

    pub fn create(&mut self) -> usize {
        self.count += 1;
        self.streams.insert(self.count, VecDeque::new());
        self.count
    }

    /// Whether there is such a stream; one that was destroyed still does its work, but takes no more.
    pub fn holds(&self, stream: usize) -> bool {
        self.streams.contains_key(&stream)
    }

    pub fn give(&mut self, stream: usize, work: Work) {
        self.streams.entry(stream).or_default().push_back(work);
    }

    /// A new mark behind the work of `stream`.
    pub fn mark(&mut self, stream: usize) -> u64 {
        let mark = self.marks.len() as u64 + 1;
        self.marks.insert(mark, Mark { stream, passed: None });
        self.give(stream, Work::Mark(mark));
        mark
    }

    /// When a mark was passed.
    pub fn passed(&self, mark: u64) -> Option<Instant> {
        self.marks.get(&mark)?.passed
    }

    /// Whether work that is not done copies from or to the host memory at `address`.
    pub fn touch(&self, address: usize, len: usize) -> bool {
        self.streams.values().flatten().any(|work| work.touches(address, len))
    }

    /// Forgets all work, as a lost context does.
    pub fn forget(&mut self) {
        self.streams.values_mut().for_each(VecDeque::clear);
    }

    /// Does all work of all streams; the code of a failure.
    pub fn finish_all(&mut self, emulator: &Emulator) -> Result<(), u32> {
        let mut streams: Vec<usize> = self.streams.keys().copied().collect();
        streams.sort_unstable();
        streams.into_iter().try_for_each(|stream| self.finish(emulator, stream))
    }

    /// Does all work of a stream.
    pub fn finish(&mut self, emulator: &Emulator, stream: usize) -> Result<(), u32> {
        self.run(emulator, stream, None)
    }

    /// Does a mark's stream's work up to that mark.
    pub fn reach(&mut self, emulator: &Emulator, mark: u64) -> Result<(), u32> {
        match self.marks.get(&mark) {
            Some(&Mark { stream, passed: None }) => self.run(emulator, stream, Some(mark)),
            _ => Ok(()),
        }
    }

    fn run(&mut self, emulator: &Emulator, stream: usize, until: Option<u64>) -> Result<(), u32> {
        while let Some(work) = self.streams.get_mut(&stream).and_then(VecDeque::pop_front) {
            match work {
                Work::Await(mark) => self.reach(emulator, mark)?,
                Work::Mark(mark) => {
                    let passed = self.marks.get_mut(&mark).map(|mark| &mut mark.passed);
                    *passed.expect("a mark is known before it is queued") = Some(Instant::now());
                    if until == Some(mark) {
                        return Ok(());
                    }
                }
                Work::Fail(code) => return Err(code),
                work => self.compute(emulator, work)?,
            }
        }
        Ok(())
    }

    fn compute(&mut self, emulator: &Emulator, work: Work) -> Result<(), u32> {
        let outcome = match work {
            Work::CopyIn { from, to, bytes } => {
                // SAFETY: whoever queued the copy keeps the host bytes readable until a wait, and this is before it ends.
                emulator.copy_in(unsafe { std::slice::from_raw_parts(from as *const u8, bytes) }, to)
            }
            Work::CopyOut { from, to, bytes } => {
                self.copies += 1;
                // SAFETY: whoever queued the copy keeps the host bytes writable, and leaves them alone, until a wait, and this is before it
                // ends.
                let to = unsafe { std::slice::from_raw_parts_mut(to as *mut u8, bytes) };
                let copied = emulator.copy_out(from, to);
                if self.corrupt == Some(self.copies) {
                    to[0] ^= 1;
                }
                copied
            }
            Work::Fill { to, byte, bytes } => emulator.fill(to, byte, bytes),
            Work::Launch { kernel, shape, argument } => (kernel.run)(emulator, shape, &argument),
            Work::Fail(_) | Work::Mark(_) | Work::Await(_) => Ok(()),
        };
        outcome.map_err(|fault| {
            eprintln!("faulty driver: {fault}");
            ILLEGAL_ADDRESS
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Work = Work::Fill { to: 0, byte: 0, bytes: 0 };

    #[test]
    fn nothing_is_done_before_it_is_waited_for_and_nothing_more_than_that() {
        let (emulator, mut queues) = (Emulator::new(), Queues::default());
        let at = emulator.allocate(1);
        let [a, b] = [queues.create(), queues.create()];
        let (mut from, mut to) = ([7u8], [0u8]);
        queues.give(a, Work::CopyIn { from: from.as_ptr() as usize, to: at, bytes: 1 });
        let sent = queues.mark(a);
        queues.give(a, Work::Fail(999));
        queues.give(b, Work::Await(sent));
        queues.give(b, Work::CopyOut { from: at, to: to.as_mut_ptr() as usize, bytes: 1 });
        assert!(queues.touch(from.as_ptr() as usize, 1) && queues.passed(sent).is_none());
        from[0] = 8;
        assert_eq!(queues.finish(&emulator, b), Ok(()));
        assert!(queues.passed(sent).is_some() && !queues.touch(from.as_ptr() as usize, 1));
        assert_eq!(to, [8], "the copy took what was there when somebody waited");
        assert_eq!(queues.finish_all(&emulator), Err(999));
    }

    #[test]
    fn a_lost_context_forgets_its_work() {
        let (emulator, mut queues) = (Emulator::new(), Queues::default());
        let stream = queues.create();
        queues.give(stream, BYTE);
        queues.give(stream, Work::Fail(700));
        queues.forget();
        assert_eq!(queues.finish(&emulator, stream), Ok(()));
    }
}
