//! Cuts a batch into tasks: consecutive windows, of one sequence or of many, and the places of their signatures.

use crate::{Records, Signatures, Window};
use std::ops::Range;

/// Residues of a task, unless a batch is small for the number of cores.
const MOST: u64 = 1 << 16;
/// The fewest residues of a task.
const LEAST: u64 = 1 << 12;
/// The fewest windows of a task within a long sequence, because each task counts one half more than it has windows.
const WINDOWS: u64 = 16;

/// The fixed cost of a sequence, in residues.
const OVERHEAD: u64 = 64;

/// A task.
pub struct Task<'a> {
    /// The sequence and the window of it to begin with.
    first: (usize, u64),
    bytes: &'a mut [u8],
    /// As many as there are windows.
    present: &'a mut [u8],
}

/// Windows of one sequence, and where their signatures go.
pub struct Stretch<'a> {
    /// Where the sequence begins, among all residues.
    pub at: usize,
    pub sequence: &'a [u8],
    pub windows: Range<u64>,
    pub bytes: &'a mut [u8],
    pub present: &'a mut [u8],
}

/// Cuts a batch, of which `signatures` has room for all windows.
pub fn cut<'a>(batch: &Records, window: Window, signatures: &'a mut Signatures) -> Vec<Task<'a>> {
    let share = batch.sequences().residues().len() as u64 / (2 * rayon::current_num_threads() as u64);
    let residues = share.clamp(LEAST, MOST);
    let width = signatures.bytes.len() / signatures.present.len().max(1);
    let (mut bytes, mut present) = (&mut signatures.bytes[..], &mut signatures.present[..]);
    let mut take = |count: usize| {
        (bytes.split_off_mut(..count * width).expect("room"), present.split_off_mut(..count).expect("room"))
    };
    let mut tasks = Vec::new();
    for (first, windows) in runs(batch, window, residues) {
        let (bytes, present) = take(windows as usize);
        tasks.push(Task { first, bytes, present });
    }
    tasks
}

/// Where each task begins, and how many windows it has.
fn runs(batch: &Records, window: Window, residues: u64) -> Vec<((usize, u64), u64)> {
    let step = match window {
        Window::Length(w) => u64::from(w / 2),
        Window::Whole => residues,
    };
    let most = (residues / step).max(WINDOWS);
    let mut runs: Vec<((usize, u64), u64)> = Vec::new();
    let mut room = 0;
    for (sequence, length) in batch.sequences().lengths().enumerate() {
        let windows = window.count(length);
        let mut first = 0;
        while first < windows {
            if room == 0 {
                runs.push(((sequence, first), 0));
                room = residues;
            }
            let count = most.min(windows - first);
            runs.last_mut().expect("just pushed").1 += count;
            first += count;
            room = room.saturating_sub(if count == windows { length + OVERHEAD } else { residues });
        }
    }
    runs
}

impl<'a> Task<'a> {
    /// The task's windows by their sequences.
    pub fn stretches(self, batch: &'a Records, window: Window) -> impl Iterator<Item = Stretch<'a>> {
        let Self { first: (first_sequence, first_window), mut bytes, mut present } = self;
        let width = bytes.len() / present.len().max(1);
        (first_sequence..).map_while(move |k| {
            if present.is_empty() {
                return None;
            }
            let sequence = batch.sequence(k);
            let first = if k == first_sequence { first_window } else { 0 };
            let count = (window.count(sequence.len() as u64) - first).min(present.len() as u64);
            Some(Stretch {
                at: batch.sequences().starts()[k] as usize,
                sequence,
                windows: first..first + count,
                bytes: bytes.split_off_mut(..count as usize * width).expect("room"),
                present: present.split_off_mut(..count as usize).expect("room"),
            })
        })
    }
}
