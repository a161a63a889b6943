//! Signs the windows of a sequence, counting each k-mer once for the two windows that may have it ([`super::halves`]).

use super::halves::Halves;
use super::lanes::{Task, Vector};
use super::sums::{Layout, Sums, Totals};
use super::vectors::Vectors;
use super::work::Stretch;
use std::ops::Range;

/// Windows of a sequence to sign.
pub struct Windows<'a, 'b, W> {
    pub halves: Halves,
    pub vectors: &'a mut W,
    pub sums: &'a mut [Sums; 2],
    pub stretch: Stretch<'b>,
}

impl<W: Vectors> Task for Windows<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, proof: V) {
        let Self { halves, vectors, sums: [last, sums], stretch } = self;
        let Stretch { sequence, windows, bytes, present, .. } = stretch;
        let starts = halves.starts(sequence);
        let mut signatures = bytes.chunks_exact_mut(bytes.len() / present.len()).zip(present);
        vectors.begin();
        for half in windows.start..=windows.end {
            let (shared, others) = halves.of(half, starts);
            sums.clear();
            sums.count(proof, vectors, sequence, shared);
            if half > windows.start {
                last.add(proof, sums);
                let (signature, present) = signatures.next().expect("a signature for each window");
                *present = last.sign(proof, signature).into();
            }
            if half < windows.end {
                sums.count(proof, vectors, sequence, others);
                std::mem::swap(last, sums);
            }
        }
    }
}

/// A piece of a sequence to sum up.
pub struct Piece<'a, W> {
    pub layout: Layout,
    pub vectors: &'a mut W,
    pub sequence: &'a [u8],
    pub starts: Range<usize>,
}

impl<W: Vectors> Task for Piece<'_, W> {
    type Output = Totals;

    #[inline(always)]
    fn run<V: Vector>(self, proof: V) -> Totals {
        let mut sums = Sums::new(self.layout);
        self.vectors.begin();
        sums.count(proof, self.vectors, self.sequence, self.starts);
        sums.totals()
    }
}
