//! A slot: the device memory, the pinned memory and the stream that one slice at a time passes through.
//!
//! ```text
//! letters, places (host) --copy--> device --sign_*--> signatures, present, odd --copy--> pinned or the caller's memory
//! ```

use super::Settings;
use super::output::Output;
use super::slice::{Cut, Slice};
use super::tables::{Tables, Way};
use super::times::{Recorder, Stage};
use crate::device::launch::{self, Vectors};
use crate::{Alphabet, Batch, Parameters, Window};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use warpseq_device::gpu::twin::{Twin, grow};
use warpseq_device::gpu::{DeviceArray, Gpu, Pinned};
use warpseq_engine::error::DeviceError;
use warpseq_gpu::abi::{DecideArgs, HalvesArgs, PieceRules, PiecesArgs, SignPackArgs};
use warpseq_gpu::tuning::{ALPHABET_DNA, ALPHABET_PROTEIN, ALPHABET_RAW, HALVES_STEP, HALVES_THREADS};

type Result<T> = std::result::Result<T, DeviceError>;

/// Letters of zero after the last one: what kernels read past it.
const SLACK: usize = 128;
/// Bytes that one thread copies at a time.
const COPIED: usize = 1 << 20;
/// Groups of lanes of a multiprocessor should be several times what it runs at a time, so that all end together.
const WARPS: u32 = 80;

pub struct Slot<G: Gpu> {
    gpu: Arc<G>,
    stream: G::Stream,
    letters: DeviceArray<u8, G>,
    letters_staging: Pinned<u8, G>,
    starts: Twin<u32, G>,
    firsts: Twin<u32, G>,
    before: Twin<u32, G>,
    slots: Twin<u32, G>,
    slot_windows: Twin<u32, G>,
    packed: DeviceArray<u32, G>,
    known: DeviceArray<u32, G>,
    sums: DeviceArray<u64, G>,
    seen: DeviceArray<u64, G>,
    signatures: Twin<u8, G>,
    present: Twin<u8, G>,
    odd: Twin<u32, G>,
    /// The windows under way; `None` when the slot is idle.
    windows: Option<Range<u64>>,
    staged: bool,
}

impl<G: Gpu> Slot<G> {
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        let twin = || Twin::new(gpu);
        let mut odd = Twin::new(gpu)?;
        odd.grow(gpu, 1)?;
        Ok(Self {
            gpu: gpu.clone(),
            stream: gpu.stream()?,
            letters: DeviceArray::new(gpu, 0)?,
            letters_staging: Pinned::new(gpu, 0)?,
            starts: twin()?,
            firsts: twin()?,
            before: twin()?,
            slots: twin()?,
            slot_windows: twin()?,
            packed: DeviceArray::new(gpu, 0)?,
            known: DeviceArray::new(gpu, 0)?,
            sums: DeviceArray::new(gpu, 0)?,
            seen: DeviceArray::new(gpu, 0)?,
            signatures: Twin::new(gpu)?,
            present: Twin::new(gpu)?,
            odd,
            windows: None,
            staged: false,
        })
    }

    /// Queues all work on a slice.
    ///
    /// # Safety
    /// The batch and the output stay as they are until the slot was collected or abandoned.
    pub unsafe fn begin(
        &mut self,
        slice: Slice,
        (batch, output): (&Batch, &Output),
        (tables, way): (&Tables<G>, Way),
        (settings, recorder): (&Settings, &mut Recorder<G>),
    ) -> Result<()> {
        recorder.mark(&self.gpu, &self.stream, None)?;
        self.staged = !settings.pinned;
        self.windows = Some(slice.windows.clone());
        let letters = &batch.letters[slice.letters.start as usize..slice.letters.end as usize];
        self.make_room(&slice, output.width())?;
        // SAFETY: the caller keeps the batch.
        unsafe { self.send(&slice, letters, way)? };
        recorder.mark(&self.gpu, &self.stream, Some(Stage::CopyIn))?;
        match way {
            Way::Halves => self.sign_halves(&slice, tables)?,
            _ => self.sign_pieces(&slice, tables, way)?,
        }
        recorder.mark(&self.gpu, &self.stream, Some(Stage::Sign))?;
        // SAFETY: the caller keeps the output, and each window is in one slice.
        unsafe { self.fetch(slice.windows, output)? };
        recorder.mark(&self.gpu, &self.stream, Some(Stage::CopyOut))
    }

    fn make_room(&mut self, slice: &Slice, width: usize) -> Result<()> {
        let (gpu, letters) = (&self.gpu, slice.letter_count());
        grow(&mut self.letters, gpu, letters + SLACK)?;
        let (bytes, windows) = (slice.window_count() * width, slice.window_count());
        if self.staged {
            self.signatures.grow(gpu, bytes)?;
            self.present.grow(gpu, windows)?;
            if self.letters_staging.len() < letters {
                self.letters_staging = Pinned::new(gpu, letters)?;
            }
        } else {
            grow(&mut self.signatures.device, gpu, bytes)?;
            grow(&mut self.present.device, gpu, windows)?;
        }
        Ok(())
    }

    /// Queues the copies to the device.
    ///
    /// # Safety
    /// The letters stay as they are until the stream has passed.
    unsafe fn send(&mut self, slice: &Slice, letters: &[u8], way: Way) -> Result<()> {
        let (gpu, stream) = (&self.gpu.clone(), &self.stream);
        let from = if self.staged {
            let staging = &mut self.letters_staging[..letters.len()];
            copy(letters, staging);
            staging
        } else {
            letters
        };
        // SAFETY: the staging is touched again only after the slot was collected; the caller keeps the letters.
        unsafe { self.letters.copy_in(stream, 0, from)? };
        self.letters.fill(stream, letters.len()..letters.len() + SLACK, 0)?;
        self.odd.device.fill(stream, 0..1, 0)?;
        self.starts.send(gpu, stream, &slice.starts)?;
        self.firsts.send(gpu, stream, &slice.firsts)?;
        if way != Way::Halves {
            self.before.send(gpu, stream, &slice.before)?;
            self.slots.send(gpu, stream, &slice.slots)?;
            self.slot_windows.send(gpu, stream, &slice.slot_windows)?;
        }
        Ok(())
    }

    fn sign_halves(&self, slice: &Slice, tables: &Tables<G>) -> Result<()> {
        let (halves, sequences) = (slice.units(), slice.sequences.len() + 1);
        let warps = HALVES_THREADS / 32;
        let blocks = self.gpu.multiprocessors().min(halves.div_ceil(warps * HALVES_STEP));
        let args = HalvesArgs {
            letters: self.letters.view_as(),
            starts: self.starts.device.slice(0..sequences),
            firsts: self.firsts.device.slice(0..sequences),
            table: tables.vectors().view(),
            codes: tables.codes().view(),
            signatures: self.signatures.device.view_mut_as(slice.window_count()),
            present: self.present.device.slice_mut(0..slice.window_count()),
            odd: self.odd.device.view_mut(),
            letters_known: tables.letters_known(),
            span: halves.div_ceil(blocks * warps).next_multiple_of(HALVES_STEP),
        };
        launch::sign_halves(&*self.gpu, &self.stream, (blocks, halves), args)
    }

    fn sign_pieces(&mut self, slice: &Slice, tables: &Tables<G>, way: Way) -> Result<()> {
        let parameters = tables.parameters();
        let (vectors, slots) = (parameters.bits / 64, slice.slot_windows.len());
        if parameters.alphabet == Alphabet::Dna && way == Way::Dense {
            self.pack(slice.letter_count().div_ceil(32) + 2)?;
        }
        let sums = slots * 64 * vectors as usize;
        grow(&mut self.sums, &self.gpu, sums)?;
        grow(&mut self.seen, &self.gpu, slots)?;
        self.sums.fill(&self.stream, 0..sums, 0)?;
        self.seen.fill(&self.stream, 0..slots, 0)?;
        let rules = rules(parameters, way, tables.letters_known());
        let items = u64::from(slice.units()) << rules.blocks;
        let groups = u64::from(self.gpu.multiprocessors() * WARPS * (32 / rules.width));
        let kind = if way == Way::Dense { Vectors::Dense } else { Vectors::Sparse };
        let run = items.div_ceil(groups) as u32;
        let args = PiecesArgs { run, ..self.pieces(slice, tables, rules) };
        launch::sign_pieces(&*self.gpu, &self.stream, (kind, items), args)?;
        let decide = DecideArgs {
            sums: self.sums.slice(0..sums),
            seen: self.seen.slice(0..slots),
            slot_windows: self.slot_windows.device.slice(0..slots),
            signatures: args.signatures,
            present: args.present,
            vectors,
            inputs: if way == Way::Dense { 1 } else { 2 },
        };
        launch::sign_decide(&*self.gpu, &self.stream, decide)
    }

    fn pack(&mut self, groups: usize) -> Result<()> {
        grow(&mut self.packed, &self.gpu, 2 * groups)?;
        grow(&mut self.known, &self.gpu, groups)?;
        let (packed, known) = (self.packed.view_mut_as(groups), self.known.slice_mut(0..groups));
        let args = SignPackArgs { letters: self.letters.view_as(), packed, known };
        launch::sign_pack(&*self.gpu, &self.stream, args)
    }

    fn pieces<'a>(&'a self, slice: &Slice, tables: &'a Tables<G>, rules: PieceRules) -> PiecesArgs<'a> {
        let (sequences, slots, windows) = (slice.sequences.len(), slice.slot_windows.len(), slice.window_count());
        let vectors = rules.vectors as usize;
        PiecesArgs {
            starts: self.starts.device.slice(0..sequences + 1),
            firsts: self.firsts.device.slice(0..sequences + 1),
            windows: self.before.device.slice(0..sequences + 1),
            slots: self.slots.device.slice(0..sequences),
            letters: self.letters.view(),
            packed: self.packed.view(),
            known: self.known.view(),
            codes: tables.codes().view(),
            table: tables.vectors().view(),
            signatures: self.signatures.device.view_mut_as(windows * vectors),
            present: self.present.device.slice_mut(0..windows),
            sums: self.sums.slice_mut(0..slots * 64 * vectors),
            seen: self.seen.slice_mut(0..slots),
            odd: self.odd.device.view_mut(),
            rules,
            run: 0,
            padding: 0,
        }
    }

    /// Queues the copies to the host.
    ///
    /// # Safety
    /// Nobody touches these windows of the output until the stream has passed.
    unsafe fn fetch(&mut self, windows: Range<u64>, output: &Output) -> Result<()> {
        let len = (windows.end - windows.start) as usize;
        self.odd.fetch(&self.stream, 1)?;
        if self.staged {
            self.signatures.fetch(&self.stream, len * output.width())?;
            return if output.is_marked() { self.present.fetch(&self.stream, len) } else { Ok(()) };
        }
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = output.signatures(windows.clone());
            self.signatures.device.copy_out(&self.stream, 0..bytes.len(), bytes)?;
            if output.is_marked() {
                self.present.device.copy_out(&self.stream, 0..len, output.present(windows))?;
            }
        }
        Ok(())
    }

    /// Waits for the slice, if there is one, and hands its signatures over; whether it had a letter that the table does not
    /// know.
    pub fn collect(&mut self, output: &Output) -> Result<bool> {
        let Some(windows) = self.windows.take() else { return Ok(false) };
        self.gpu.synchronize(&self.stream)?;
        if self.staged {
            // SAFETY: each window is in one slice, and the copies have ended.
            let bytes = unsafe { output.signatures(windows.clone()) };
            copy(&self.signatures.pinned[..bytes.len()], bytes);
            if output.is_marked() {
                // SAFETY: as above.
                let present = unsafe { output.present(windows) };
                present.copy_from_slice(&self.present.pinned[..present.len()]);
            }
        }
        Ok(self.odd.pinned[0] != 0)
    }

    /// Waits for the slice, if there is one, and forgets it.
    pub fn abandon(&mut self) -> Result<()> {
        match self.windows.take() {
            Some(_) => self.gpu.synchronize(&self.stream),
            None => Ok(()),
        }
    }
}

/// Copies on all cores.
fn copy(from: &[u8], to: &mut [u8]) {
    to.par_chunks_mut(COPIED).zip(from.par_chunks(COPIED)).for_each(|(to, from)| to.copy_from_slice(from));
}

fn rules(parameters: &Parameters, way: Way, letters_known: u32) -> PieceRules {
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
        blocks: u32::from(vectors > 32),
        letters_known,
        alphabet: match parameters.alphabet {
            Alphabet::Raw => ALPHABET_RAW,
            Alphabet::Dna => ALPHABET_DNA,
            Alphabet::Protein => ALPHABET_PROTEIN,
        },
        canonical: u32::from(parameters.canonical),
    }
}
