//! Vectors and letters on the device, and which kernel they are for.

use super::{Settings, are_halves};
use crate::device::launch::halves_shared;
use crate::sparse::Table;
use crate::{Alphabet, Hash, Parameters};
use cuda_std::U32x4;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::scope;
use warpseq_device::stream::Stream;
use warpseq_gpu::tuning::{HALVES_ALPHABET_MAX, SKIPPED_CODE, UNKNOWN_CODE};

/// How windows are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `sign_halves`.
    Halves,
    /// `sign_dense`.
    Dense,
    /// `sign_sparse`.
    Sparse,
    /// The CPU engine.
    Cpu,
}

/// The most bytes of a table of sparse vectors.
const TABLE_BYTES: usize = 256 << 20;

/// See the module.
pub struct Tables<G: Gpu> {
    parameters: Parameters,
    /// The letters of the table, in the order of their codes.
    letters: Vec<u8>,
    loaded: Option<Loaded<G>>,
}

/// What is on the device.
struct Loaded<G: Gpu> {
    way: Way,
    letters: usize,
    vectors: DeviceArray<U32x4, G>,
    codes: DeviceArray<u32, G>,
}

impl<G: Gpu> Tables<G> {
    /// For the letters of the alphabet; raw bytes begin with those of proteins.
    pub fn new(parameters: Parameters) -> Self {
        let letters = match parameters.alphabet {
            Alphabet::Raw => Alphabet::Protein.letters(),
            alphabet => alphabet.letters(),
        };
        Self { parameters, letters: letters.to_vec(), loaded: None }
    }

    /// What is signed.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Adds all letters that occur.
    pub fn learn(&mut self, letters: &[u8]) {
        let mut known = [false; 256];
        self.letters.iter().chain(letters).for_each(|&letter| known[usize::from(letter)] = true);
        self.letters = (0..=255).filter(|&letter| known[usize::from(letter)]).collect();
    }

    /// How windows are signed with the letters known so far.
    pub fn way(&self, gpu: &Arc<G>, settings: &Settings) -> Way {
        if self.parameters.hash == Hash::Mix64 {
            return Way::Dense;
        }
        let words = Table::entries(&self.parameters, self.letters.len());
        let bytes = words.and_then(|words| words.checked_add(1)?.checked_mul(2 * self.parameters.width()));
        let most = TABLE_BYTES.min(settings.memory / 4);
        let Some((words, _)) = words.zip(bytes.filter(|&bytes| bytes <= most)) else { return Way::Cpu };
        let shared = halves_shared(words as u64 + 1) <= u64::from(gpu.shared_memory());
        // 255 stands for no letter in `sign_halves`.
        let few = self.letters.len() <= HALVES_ALPHABET_MAX as usize && !self.letters.contains(&255);
        if are_halves(&self.parameters) && shared && few && !settings.pieces { Way::Halves } else { Way::Sparse }
    }

    /// Sees to the tables that a way needs.
    pub fn load(&mut self, gpu: &Arc<G>, way: Way) -> Result<()> {
        if self.loaded.as_ref().is_some_and(|loaded| loaded.way == way && loaded.letters == self.letters.len()) {
            return Ok(());
        }
        self.loaded = None;
        let entries = match way {
            Way::Halves => self.entries(u64::swap_bytes),
            Way::Sparse => self.entries(|bits| bits),
            Way::Dense | Way::Cpu => Vec::new(),
        };
        let codes: Vec<u32> = (0..=255).map(|byte| self.code(byte)).collect();
        let stream = Stream::new(gpu)?;
        let vectors = DeviceArray::new(gpu, entries.len())?;
        let device_codes = DeviceArray::new(gpu, codes.len())?;
        scope(|scope| {
            scope.copy_in(&stream, &entries, &vectors, 0)?;
            scope.copy_in(&stream, &codes, &device_codes, 0)
        })?;
        self.loaded = Some(Loaded { way, letters: self.letters.len(), vectors, codes: device_codes });
        Ok(())
    }

    fn entries(&self, order: impl Fn(u64) -> u64) -> Vec<U32x4> {
        let halves = |bits: u64| [bits as u32, (bits >> 32) as u32];
        let entry = |&[positive, others]: &[u64; 2]| {
            let ([a, b], [c, d]) = (halves(order(positive)), halves(order(others)));
            U32x4([a, b, c, d])
        };
        Table::new(&self.parameters, &self.letters).pairs().iter().map(entry).collect()
    }

    fn code(&self, byte: u8) -> u32 {
        let place = |letter| self.letters.iter().position(|&known| known == letter).map(|at| at as u32);
        match self.parameters.alphabet {
            // In `sign_halves`, 255 fills what is past the end.
            Alphabet::Raw if byte == 255 => place(byte).unwrap_or(SKIPPED_CODE),
            Alphabet::Raw => place(byte).unwrap_or(UNKNOWN_CODE),
            alphabet => alphabet.letter(byte).and_then(place).unwrap_or(SKIPPED_CODE),
        }
    }

    fn loaded(&self) -> &Loaded<G> {
        self.loaded.as_ref().expect("`load` comes first")
    }

    /// Letters that the codes tell apart.
    pub fn alphabet_size(&self) -> u32 {
        self.letters.len() as u32
    }

    /// Vectors by the codes of words.
    pub fn vectors(&self) -> &DeviceArray<U32x4, G> {
        &self.loaded().vectors
    }

    /// The code of each byte.
    pub fn codes(&self) -> &DeviceArray<u32, G> {
        &self.loaded().codes
    }

    /// Device memory of what is loaded.
    pub fn bytes(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| size_of::<U32x4>() * loaded.vectors.len())
    }
}
