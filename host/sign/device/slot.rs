//! A slot: device memory, pinned memory and a stream, which one slice at a time uses.
//!
//! ```text
//! residues, places (host) --copy--> device --sign_*--> signatures, present, odd --copy--> pinned or the caller's memory
//! ```

use super::slice::{Cut, Slice};
use super::stage;
use super::tables::{Tables, Way};
use crate::device::launch::{self, Vectors};
use crate::{Alphabet, Parameters, Window};
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::pinned::copy;
use warpseq_device::scope::Scope;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_device::timings::Recorder;
use warpseq_gpu::abi::{DecideArgs, HalvesArgs, PieceRules, PiecesArgs, SignPackArgs};
use warpseq_gpu::tuning::{ALPHABET_DNA, ALPHABET_PROTEIN, ALPHABET_RAW, HALVES_STEP, HALVES_THREADS};

/// Zeros after the last residue: kernels read past it.
const SLACK: usize = 128;
/// Groups of lanes per multiprocessor: several times as many as it runs at a time, so that all end together.
const WARPS: u32 = 80;

pub struct Slot<G: Gpu> {
    pub stream: Stream<G>,
    residues: Staged<u8, G>,
    starts: Staged<u32, G>,
    firsts: Staged<u32, G>,
    before: Staged<u32, G>,
    slots: Staged<u32, G>,
    slot_windows: Staged<u32, G>,
    packed: DeviceArray<u32, G>,
    known: DeviceArray<u32, G>,
    sums: DeviceArray<u64, G>,
    seen: DeviceArray<u64, G>,
    signatures: Staged<u8, G>,
    present: Staged<u8, G>,
    odd: Staged<u32, G>,
}

/// The caller's memory for a slice's windows.
#[derive(Default)]
pub struct Output<'env> {
    /// Signatures, side by side.
    pub bytes: &'env mut [u8],
    /// Whether each window has a k-mer.
    pub present: &'env mut [u8],
}

/// What all slices of a batch have in common.
pub struct Work<'a, G: Gpu> {
    pub tables: &'a Tables<G>,
    pub way: Way,
    /// Whether residues and signatures are pinned.
    pub is_pinned: bool,
    /// Whether the device reports which windows have a k-mer.
    pub is_marked: bool,
}

impl<G: Gpu> Slot<G> {
    /// An idle slot. It takes no memory yet, except for one number.
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        let staged = || Staged::empty(gpu);
        Ok(Self {
            stream: Stream::new(gpu)?,
            residues: Staged::empty(gpu),
            starts: staged(),
            firsts: staged(),
            before: staged(),
            slots: staged(),
            slot_windows: staged(),
            packed: DeviceArray::empty(gpu),
            known: DeviceArray::empty(gpu),
            sums: DeviceArray::empty(gpu),
            seen: DeviceArray::empty(gpu),
            signatures: Staged::empty(gpu),
            present: Staged::empty(gpu),
            odd: Staged::new(gpu, 1, 1)?,
        })
    }

    /// Queues all work on a slice. Returns the part of the output that [`Slot::collect`] has to write.
    pub fn begin<'env>(
        &mut self,
        scope: &Scope<'env, G>,
        (slice, residues, output): (&Slice, &'env [u8], Output<'env>),
        work: &Work<G>,
        recorder: &mut Recorder<G>,
    ) -> Result<Output<'env>> {
        recorder.mark(&self.stream, None)?;
        self.make_room(slice, &output, work.is_pinned)?;
        self.send(scope, (slice, residues), work)?;
        recorder.mark(&self.stream, Some(stage::COPY_IN))?;
        match work.way {
            Way::Halves => self.sign_halves(slice, work.tables)?,
            _ => self.sign_pieces(slice, work.tables, work.way)?,
        }
        recorder.mark(&self.stream, Some(stage::SIGN))?;
        let left = self.fetch(scope, output, work)?;
        recorder.mark(&self.stream, Some(stage::COPY_OUT))?;
        Ok(left)
    }

    fn make_room(&mut self, slice: &Slice, output: &Output, is_pinned: bool) -> Result<()> {
        self.residues.grow_device(slice.residue_count() + SLACK)?;
        let (bytes, windows) = (output.bytes.len(), output.present.len());
        if is_pinned {
            self.signatures.grow_device(bytes)?;
            self.present.grow_device(windows)
        } else {
            self.signatures.grow(bytes)?;
            self.present.grow(windows)
        }
    }

    /// Queues the copies to the device.
    fn send<'env>(
        &mut self,
        scope: &Scope<'env, G>,
        (slice, residues): (&Slice, &'env [u8]),
        work: &Work<G>,
    ) -> Result<()> {
        let stream = &self.stream;
        self.residues.send_parts((scope, stream), &[residues], work.is_pinned)?;
        self.residues.device().fill(stream, residues.len()..residues.len() + SLACK, 0)?;
        self.odd.device().fill(stream, 0..1, 0)?;
        self.starts.send(stream, &slice.starts)?;
        self.firsts.send(stream, &slice.firsts)?;
        if work.way != Way::Halves {
            self.before.send(stream, &slice.before)?;
            self.slots.send(stream, &slice.slots)?;
            self.slot_windows.send(stream, &slice.slot_windows)?;
        }
        Ok(())
    }

    fn sign_halves(&self, slice: &Slice, tables: &Tables<G>) -> Result<()> {
        let (halves, sequences) = (slice.units(), slice.sequences.len() + 1);
        let warps = HALVES_THREADS / 32;
        let blocks = self.stream.gpu().multiprocessors().min(halves.div_ceil(warps * HALVES_STEP));
        let args = HalvesArgs {
            residues: self.residues.device().view_as(),
            starts: self.starts.device().slice(0..sequences),
            firsts: self.firsts.device().slice(0..sequences),
            table: tables.vectors().view(),
            codes: tables.codes().view(),
            signatures: self.signatures.device().slice_mut_as(0..slice.window_count()),
            present: self.present.device().slice_mut(0..slice.window_count()),
            odd: self.odd.device().view_mut(),
            alphabet_size: tables.alphabet_size(),
            span: halves.div_ceil(blocks * warps).next_multiple_of(HALVES_STEP),
        };
        // SAFETY: `Sequences` lie inside their residues, and `Slice` counts halves and windows from them; `make_room` has
        // made their places, and room for `SLACK` residues more; `Tables` has no other codes. All of it was sent earlier on
        // this stream or is loaded, and nobody writes it before `collect`.
        unsafe { launch::sign_halves(&self.stream, (blocks, halves), args) }
    }

    fn sign_pieces(&mut self, slice: &Slice, tables: &Tables<G>, way: Way) -> Result<()> {
        let parameters = tables.parameters();
        let (vectors, slots) = (parameters.bits / 64, slice.slot_windows.len());
        if parameters.alphabet == Alphabet::Dna && way == Way::Dense {
            self.pack(slice.residue_count().div_ceil(32) + 2)?;
        }
        let sums = slots * 64 * vectors as usize;
        self.sums.grow(sums)?;
        self.seen.grow(slots)?;
        self.sums.fill(&self.stream, 0..sums, 0)?;
        self.seen.fill(&self.stream, 0..slots, 0)?;
        let rules = rules(parameters, way, tables.alphabet_size());
        let items = u64::from(slice.units()) << rules.blocks;
        let groups = u64::from(self.stream.gpu().multiprocessors() * WARPS * (32 / rules.width));
        let kind = if way == Way::Dense { Vectors::Dense } else { Vectors::Sparse };
        let run = items.div_ceil(groups) as u32;
        let args = PiecesArgs { run, ..self.pieces(slice, tables, rules) };
        // SAFETY: `Sequences` lie inside their residues, and `Slice` counts pieces, windows and slots from them; their
        // places were made, residues packed and sums filled with 0 above; `Tables` has a vector for every k-mer. All of it
        // was sent earlier on this stream or is loaded, and nobody writes it before `collect`.
        unsafe { launch::sign_pieces(&self.stream, (kind, items), args)? };
        let decide = DecideArgs {
            sums: self.sums.slice(0..sums),
            seen: self.seen.slice(0..slots),
            slot_windows: self.slot_windows.device().slice(0..slots),
            signatures: args.signatures,
            present: args.present,
            vectors,
            inputs: if way == Way::Dense { 1 } else { 2 },
        };
        // SAFETY: the windows of slots are among those of the slice, and were sent earlier on this stream.
        unsafe { launch::sign_decide(&self.stream, decide) }
    }

    fn pack(&mut self, groups: usize) -> Result<()> {
        self.packed.grow(2 * groups)?;
        self.known.grow(groups)?;
        let (packed, known) = (self.packed.slice_mut_as(0..groups), self.known.slice_mut(0..groups));
        let args = SignPackArgs { bases: self.residues.device().view_as(), packed, known };
        launch::sign_pack(&self.stream, args)
    }

    fn pieces<'a>(&'a self, slice: &Slice, tables: &'a Tables<G>, rules: PieceRules) -> PiecesArgs<'a> {
        let (sequences, slots, windows) = (slice.sequences.len(), slice.slot_windows.len(), slice.window_count());
        let vectors = rules.vectors as usize;
        PiecesArgs {
            starts: self.starts.device().slice(0..sequences + 1),
            firsts: self.firsts.device().slice(0..sequences + 1),
            windows: self.before.device().slice(0..sequences + 1),
            slots: self.slots.device().slice(0..sequences),
            residues: self.residues.device().view(),
            packed: self.packed.view(),
            known: self.known.view(),
            codes: tables.codes().view(),
            table: tables.vectors().view(),
            signatures: self.signatures.device().slice_mut_as(0..windows * vectors),
            present: self.present.device().slice_mut(0..windows),
            sums: self.sums.slice_mut(0..slots * 64 * vectors),
            seen: self.seen.slice_mut(0..slots),
            odd: self.odd.device().view_mut(),
            rules,
            run: 0,
        }
    }

    /// Queues the copies to the host: directly to the output if that is pinned. Returns the rest of the output.
    fn fetch<'env>(&mut self, scope: &Scope<'env, G>, output: Output<'env>, work: &Work<G>) -> Result<Output<'env>> {
        let stream = &self.stream;
        self.odd.fetch(stream, 1)?;
        let (bytes, windows) = (output.bytes.len(), output.present.len());
        match (work.is_pinned, work.is_marked) {
            (true, true) => {
                scope.copy_out(stream, output.bytes, self.signatures.device(), 0)?;
                scope.copy_out(stream, output.present, self.present.device(), 0)?;
                Ok(Output::default())
            }
            (true, false) => {
                scope.copy_out(stream, output.bytes, self.signatures.device(), 0)?;
                Ok(Output { bytes: &mut [], present: output.present })
            }
            (false, is_marked) => {
                self.signatures.fetch(stream, bytes)?;
                self.present.fetch(stream, if is_marked { windows } else { 0 })?;
                Ok(output)
            }
        }
    }

    /// Waits for a slice, and writes the rest of its output. Returns whether it had a residue that is not in the table.
    pub fn collect(&self, left: Output, is_marked: bool) -> Result<bool> {
        self.stream.synchronize()?;
        let (bytes, windows) = (left.bytes.len(), left.present.len());
        copy(&self.signatures.read()?[..bytes], left.bytes);
        if is_marked {
            copy(&self.present.read()?[..windows], left.present);
        }
        Ok(self.odd.read()?[0] != 0)
    }
}

fn rules(parameters: &Parameters, way: Way, alphabet_size: u32) -> PieceRules {
    let vectors = parameters.bits / 64;
    let (window, step) = match parameters.window {
        Window::Length(w) => (w, w / 2),
        Window::Whole => (u32::MAX, 0),
    };
    PieceRules {
        window,
        step,
        k: parameters.k,
        parts: Cut::new(*parameters, way, (0, 0)).parts(),
        vectors,
        width: vectors.next_power_of_two().min(32),
        blocks: vectors.div_ceil(32).next_power_of_two().trailing_zeros(),
        alphabet_size,
        alphabet: match parameters.alphabet {
            Alphabet::Raw => ALPHABET_RAW,
            Alphabet::Dna => ALPHABET_DNA,
            Alphabet::Protein => ALPHABET_PROTEIN,
        },
        canonical: u32::from(parameters.canonical),
        longest_period: parameters.longest_period(),
    }
}
