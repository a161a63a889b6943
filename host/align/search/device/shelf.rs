//! A database on the device: all of it for all jobs, or part by part.

use super::Part;
use crate::search::couples::Couples;
use cuda_std::{Global, U32x2};
use std::sync::{Arc, Weak};
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::stream::Stream;

/// The couples of a part, on the device.
pub struct Shelf<G: Gpu> {
    letters: DeviceArray<u16, G>,
    couples: DeviceArray<U32x2, G>,
    order: DeviceArray<u32, G>,
    /// Of which couples, and which of them.
    loaded: Option<(Weak<Couples>, Part)>,
}

/// The most letters of a part: they are counted in 32 bits, a little past the last one.
const LETTERS_MAX: u64 = u32::MAX as u64 - 64;

impl<G: Gpu> Shelf<G> {
    /// With nothing on it.
    pub fn empty(gpu: &Arc<G>) -> Self {
        let (letters, couples) = (DeviceArray::empty(gpu), DeviceArray::empty(gpu));
        Self { letters, couples, order: DeviceArray::empty(gpu), loaded: None }
    }

    /// The parts that couples are divided into for `memory` bytes. The one that is loaded comes first.
    pub fn parts(&self, couples: &Arc<Couples>, memory: usize) -> Vec<Part> {
        let letters = (memory as u64 / size_of::<u16>() as u64).min(LETTERS_MAX);
        let (mut parts, mut first) = (Vec::new(), 0);
        while first < couples.len() {
            let end = couples.end_of(first, letters);
            parts.push(first..end);
            first = end;
        }
        let loaded = parts.iter().position(|part| self.has(couples, part)).unwrap_or(0);
        parts.rotate_left(loaded);
        parts
    }

    fn has(&self, couples: &Arc<Couples>, part: &Part) -> bool {
        self.loaded
            .as_ref()
            .is_some_and(|(loaded, there)| std::ptr::eq(loaded.as_ptr(), Arc::as_ptr(couples)) && there == part)
    }

    /// Sees to it that a part is there.
    ///
    /// # Errors
    /// What the device answers.
    pub fn load(&mut self, stream: &Stream<G>, couples: &Arc<Couples>, part: Part) -> Result<()> {
        if self.has(couples, &part) {
            return Ok(());
        }
        // What uses the part before is over before it is written over, and a part that is there in part is not there.
        self.loaded = None;
        stream.synchronize()?;
        let letters = couples.letters(part.clone());
        let place = |k| U32x2([couples.start(part.start, k) as u32, couples.columns(k) as u32]);
        let places: Vec<U32x2> = part.clone().map(place).collect();
        let order = couples.targets(part.clone());
        self.letters = DeviceArray::empty(self.letters.gpu());
        self.letters.grow(letters.len())?;
        self.couples = DeviceArray::new(self.couples.gpu(), places.len())?;
        self.order = DeviceArray::new(self.order.gpu(), order.len())?;
        self.letters.write(stream, 0, letters)?;
        self.couples.write(stream, 0, &places)?;
        self.order.write(stream, 0, order)?;
        self.loaded = Some((Arc::downgrade(couples), part));
        Ok(())
    }

    /// Letters, couples and numbers of targets of what is there.
    pub fn views(&self) -> (Global<'_, u16>, Global<'_, U32x2>, Global<'_, u32>) {
        (self.letters.view(), self.couples.view(), self.order.view())
    }
}
