//! Memory that is used again.

use std::sync::{Mutex, PoisonError};

/// Memory of batches or tasks that are done with, to be filled again.
#[derive(Default)]
pub struct Pool<T> {
    spare: Mutex<Vec<T>>,
}

impl<T: Default> Pool<T> {
    /// What was given back, with its contents, or something new.
    pub fn take(&self) -> T {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps `spare` for another batch or task.
    pub fn give_back(&self, spare: T) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(spare);
    }
}
