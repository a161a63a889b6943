//! What was read from pinned memory is let go before a copy writes it.

use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::emulated::Emulated;
use warpseq_device::error::DeviceError;
use warpseq_device::pinned::Pinned;
use warpseq_device::stream::Stream;

fn main() -> Result<(), DeviceError> {
    let gpu = Arc::new(Emulated::default());
    let (stream, array) = (Stream::new(&gpu)?, DeviceArray::<u8, _>::new(&gpu, 8)?);
    let mut pinned = Pinned::new(&gpu, 8)?;
    let before = pinned.read()?;
    pinned.copy_from(&stream, 0..8, &array, 0)?;
    println!("{}", before[0]);
    Ok(())
}
