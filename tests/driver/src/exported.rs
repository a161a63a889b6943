//! The functions of `cuda.h` that warpseq calls, under NVIDIA's names. Handles are numbers from 1, passed as addresses.

mod device;
mod memory;
mod module;
mod stream;

use crate::driver::{Answer, INVALID_VALUE};

/// Writes an answer to the place that the caller gave.
///
/// # Safety
/// `place` is null or a place for a `T`.
unsafe fn put<T>(place: *mut T, value: T) -> Answer {
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, hence a place for a `T`.
    unsafe { place.write(value) };
    Ok(())
}

/// Defines functions of the library: each is a call of a sort, answered by an expression in which the driver has a name.
macro_rules! functions {
    ($($sort:ident $name:ident($($argument:ident: $type:ty),*) |$driver:pat_param| $body:expr)*) => { $(
        #[allow(non_snake_case, reason = "the name is NVIDIA's")]
        #[allow(unused_unsafe, reason = "not every function touches the caller's memory")]
        // SAFETY: the host looks the function up in this library alone, where nothing else defines it.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $type),*) -> u32 {
            // SAFETY: the caller gives what `cuda.h` asks for: places for answers, and memory of the lengths given.
            crate::driver::call(stringify!($name), crate::driver::Sort::$sort, |$driver| unsafe { $body })
        }
    )* };
}
use functions;
