//! The tables on the device, vectors and codes of residues, and the kernel that uses them.

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

/// The tables for some residues.
pub struct Tables<G: Gpu> {
    parameters: Parameters,
    /// The residues of the table, in the order of their codes.
    residues: Vec<u8>,
    loaded: Option<Loaded<G>>,
}

/// What is on the device.
struct Loaded<G: Gpu> {
    way: Way,
    residues: usize,
    vectors: DeviceArray<U32x4, G>,
    codes: DeviceArray<u32, G>,
}

impl<G: Gpu> Tables<G> {
    /// Tables for the residues of the alphabet. Raw sequences begin with the 20 amino acids.
    pub fn new(parameters: Parameters) -> Self {
        let residues = match parameters.alphabet {
            Alphabet::Raw => Alphabet::Protein.letters(),
            alphabet => alphabet.letters(),
        };
        Self { parameters, residues: residues.to_vec(), loaded: None }
    }

    /// What is signed.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Adds all residues that occur in `residues`.
    pub fn learn(&mut self, residues: &[u8]) {
        let mut known = [false; 256];
        self.residues.iter().chain(residues).for_each(|&residue| known[usize::from(residue)] = true);
        self.residues = (0..=255).filter(|&residue| known[usize::from(residue)]).collect();
    }

    /// How windows are signed with the residues known so far.
    pub fn way(&self, gpu: &Arc<G>, settings: &Settings) -> Way {
        if self.parameters.hash == Hash::Mix64 {
            return Way::Dense;
        }
        let kmers = Table::entries(&self.parameters, self.residues.len());
        let bytes = kmers.and_then(|kmers| kmers.checked_add(1)?.checked_mul(2 * self.parameters.width()));
        let most = TABLE_BYTES.min(settings.memory / 4);
        let Some((kmers, _)) = kmers.zip(bytes.filter(|&bytes| bytes <= most)) else { return Way::Cpu };
        let shared = halves_shared(kmers as u64 + 1) <= u64::from(gpu.shared_memory());
        // 255 stands for no residue in `sign_halves`.
        let few = self.residues.len() <= HALVES_ALPHABET_MAX as usize && !self.residues.contains(&255);
        if are_halves(&self.parameters) && shared && few && !settings.pieces { Way::Halves } else { Way::Sparse }
    }

    /// Loads the tables that a way needs.
    pub fn load(&mut self, gpu: &Arc<G>, way: Way) -> Result<()> {
        if self.loaded.as_ref().is_some_and(|loaded| loaded.way == way && loaded.residues == self.residues.len()) {
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
        self.loaded = Some(Loaded { way, residues: self.residues.len(), vectors, codes: device_codes });
        Ok(())
    }

    fn entries(&self, order: impl Fn(u64) -> u64) -> Vec<U32x4> {
        let halves = |bits: u64| [bits as u32, (bits >> 32) as u32];
        let entry = |&[positive, others]: &[u64; 2]| {
            let ([a, b], [c, d]) = (halves(order(positive)), halves(order(others)));
            U32x4([a, b, c, d])
        };
        Table::new(&self.parameters, &self.residues).pairs().iter().map(entry).collect()
    }

    fn code(&self, byte: u8) -> u32 {
        let place = |residue| self.residues.iter().position(|&known| known == residue).map(|at| at as u32);
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

    /// The number of residues in the table.
    pub fn alphabet_size(&self) -> u32 {
        self.residues.len() as u32
    }

    /// Vectors by the codes of k-mers.
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
