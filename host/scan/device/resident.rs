//! What is searched for, in the memory of one GPU: there once, for all engines of a run on that GPU.

use super::patterns::DevicePatterns;
use super::tables::Tables;
use crate::seeds::plan::Queries;
use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::stream::Stream;

/// The patterns and their tables on one GPU, each put there by the first engine that asks.
pub(super) struct Resident<G: Gpu> {
    gpu: Arc<G>,
    patterns: Mutex<Option<Arc<DevicePatterns<G>>>>,
    tables: Mutex<Option<Arc<Tables<G>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic has left behind is either there or not.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Gpu> Resident<G> {
    /// Nothing so far.
    pub fn new(gpu: Arc<G>) -> Self {
        Self { gpu, patterns: Mutex::default(), tables: Mutex::default() }
    }

    /// A part of so many bytes, for each engine that has made use of this: those on a GPU divide its memory.
    pub fn part(self: &Arc<Self>, bytes: usize) -> usize {
        // One more is that of all GPUs of the run.
        bytes.div_ceil(Arc::strong_count(self).saturating_sub(1).max(1))
    }

    /// The patterns.
    pub fn patterns(&self, queries: &Queries, literal: bool) -> Result<Arc<DevicePatterns<G>>> {
        let mut there = lock(&self.patterns);
        if let Some(patterns) = &*there {
            return Ok(patterns.clone());
        }
        let stream = Stream::new(&self.gpu)?;
        let patterns = Arc::new(DevicePatterns::new(&self.gpu, &stream, queries, literal)?);
        stream.synchronize()?;
        Ok(there.insert(patterns).clone())
    }

    /// Their tables, as `make` makes them.
    pub fn tables(&self, make: impl FnOnce() -> Result<Tables<G>>) -> Result<Arc<Tables<G>>> {
        let mut there = lock(&self.tables);
        match &*there {
            Some(tables) => Ok(tables.clone()),
            None => Ok(there.insert(Arc::new(make()?)).clone()),
        }
    }
}

/// The [`Resident`] of each GPU of a run.
#[derive(Default)]
pub(super) struct Residents(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Residents {
    /// What is on `gpu`.
    pub fn on<G: Gpu>(&self, gpu: &Arc<G>) -> Arc<Resident<G>> {
        let mut all = lock(&self.0);
        let mut of_this_kind = all.iter().filter_map(|resident| resident.clone().downcast::<Resident<G>>().ok());
        if let Some(resident) = of_this_kind.find(|resident| Arc::ptr_eq(&resident.gpu, gpu)) {
            return resident;
        }
        let resident = Arc::new(Resident::new(gpu.clone()));
        all.push(resident.clone());
        resident
    }
}
