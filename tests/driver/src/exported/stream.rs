//! Streams and events.

use super::{functions, put};
use crate::driver::{Driver, INVALID_HANDLE};
use crate::queue::Work;
use std::ffi::{c_int, c_uint};

/// What an answer is while an event is not past.
const NOT_READY: u32 = 600;

/// The mark that an event was recorded as.
fn mark(driver: &Driver, event: usize) -> Result<u64, u32> {
    driver.events.get(&event).copied().ok_or(INVALID_HANDLE)
}

functions! {
    Work cuStreamCreateWithPriority(stream: *mut usize, _flags: c_uint, _priority: c_int) |driver| {
        put(stream, driver.queues.create())
    }

    // Like NVIDIA's, this does not wait: what was queued is done later.
    Work cuStreamDestroy_v2(stream: usize) |driver| driver.require_stream(stream)

    Wait cuStreamSynchronize(stream: usize) |driver| {
        driver.require_stream(stream)?;
        driver.queues.finish(&driver.emulator, stream)
    }

    Work cuStreamWaitEvent(stream: usize, event: usize, _flags: c_uint) |driver| {
        let mark = mark(driver, event)?;
        driver.give(stream, Work::Await(mark))
    }

    Work cuEventCreate(event: *mut usize, _flags: c_uint) |driver| {
        let handle = driver.handle();
        driver.events.insert(handle, 0);
        put(event, handle)
    }

    Work cuEventDestroy_v2(event: usize) |driver| driver.events.remove(&event).map(drop).ok_or(INVALID_HANDLE)

    Work cuEventRecord(event: usize, stream: usize) |driver| {
        mark(driver, event)?;
        driver.require_stream(stream)?;
        let recorded = driver.queues.mark(stream);
        driver.events.insert(event, recorded);
        if driver.wishes.eager { driver.queues.finish(&driver.emulator, stream) } else { Ok(()) }
    }

    Wait cuEventSynchronize(event: usize) |driver| {
        let mark = mark(driver, event)?;
        driver.queues.reach(&driver.emulator, mark)
    }

    Work cuEventElapsedTime(milliseconds: *mut f32, from: usize, to: usize) |driver| {
        let passed = |event| mark(driver, event).and_then(|mark| driver.queues.passed(mark).ok_or(NOT_READY));
        put(milliseconds, passed(to)?.duration_since(passed(from)?).as_secs_f32() * 1e3)
    }
}
