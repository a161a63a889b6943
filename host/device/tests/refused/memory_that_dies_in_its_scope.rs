//! A scope borrows only what outlives it.

use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::emulated::Emulated;
use warpseq_device::error::DeviceError;
use warpseq_device::scope::scope;
use warpseq_device::stream::Stream;

fn main() -> Result<(), DeviceError> {
    let gpu = Arc::new(Emulated::default());
    let (stream, array) = (Stream::new(&gpu)?, DeviceArray::<u8, _>::new(&gpu, 8)?);
    scope(|scope| {
        let letters = vec![0; 8];
        scope.copy_in(&stream, &letters, &array, 0)
    })
}
