//! Copies from and to memory that is only borrowed, as `std::thread::scope` lends to threads.
//!
//! What is borrowed for `'env` outlives the call of [`scope`], which waits for its streams before it returns, in a panic too.

use crate::array::DeviceArray;
use crate::error::{DeviceError, Result};
use crate::gpu::Gpu;
use crate::stream::Stream;
use cuda_std::Element;
use std::cell::RefCell;
use std::marker::PhantomData;

/// Streams that are waited for before [`scope`] returns.
pub struct Scope<'env, G: Gpu> {
    streams: RefCell<Vec<Stream<G>>>,
    /// Invariant: a shorter lifetime would admit memory that dies before the scope ends.
    borrowed: PhantomData<&'env mut &'env ()>,
}

/// Runs `work`, and waits for the streams that it has copied on or included.
///
/// # Errors
/// What `work` answers, else what the device answers when it is waited for.
pub fn scope<'env, G: Gpu, T, E: From<DeviceError>>(
    work: impl FnOnce(&Scope<'env, G>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let scope = Scope { streams: RefCell::default(), borrowed: PhantomData };
    let done = work(&scope)?;
    scope.wait()?;
    Ok(done)
}

impl<'env, G: Gpu> Scope<'env, G> {
    /// Queues a copy of `from` to the elements of `array` from `at` on.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub fn copy_in<T: Element>(
        &self,
        stream: &Stream<G>,
        from: &'env [T],
        array: &DeviceArray<T, G>,
        at: usize,
    ) -> Result<()> {
        self.include(stream);
        // SAFETY: `from` is borrowed for longer than the scope, which waits for the stream, just included.
        unsafe { array.copy_in(stream, at, from) }
    }

    /// Queues a copy of the elements of `array` from `at` on to `to`.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub fn copy_out<T: Element>(
        &self,
        stream: &Stream<G>,
        to: &'env mut [T],
        array: &DeviceArray<T, G>,
        at: usize,
    ) -> Result<()> {
        self.include(stream);
        // SAFETY: `to` is borrowed, by nobody else, for longer than the scope, which waits for the stream, just included.
        unsafe { array.copy_out(stream, at, to) }
    }

    /// Has the scope wait for `stream`, too.
    pub fn include(&self, stream: &Stream<G>) {
        let mut streams = self.streams.borrow_mut();
        if !streams.contains(stream) {
            streams.push(stream.clone());
        }
    }

    /// Waits for every stream that was given work since it was waited for; the first error.
    fn wait(&self) -> Result<()> {
        let waited = self.streams.borrow().iter().map(|stream| stream.in_flight().wait()).collect::<Vec<_>>();
        waited.into_iter().collect()
    }
}

impl<G: Gpu> Drop for Scope<'_, G> {
    fn drop(&mut self) {
        // An error is known by now, or `work` has failed first. Where the device is lost, its next call says so.
        drop(self.wait());
    }
}
