//! What a scope has borrowed to be written, nobody else touches before it ends.

use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::emulated::Emulated;
use warpseq_device::error::DeviceError;
use warpseq_device::scope::scope;
use warpseq_device::stream::Stream;

fn main() -> Result<(), DeviceError> {
    let gpu = Arc::new(Emulated::default());
    let (stream, array) = (Stream::new(&gpu)?, DeviceArray::<u8, _>::new(&gpu, 8)?);
    let mut letters = vec![0; 8];
    scope(|scope| {
        scope.copy_out(&stream, &mut letters, &array, 0)?;
        println!("{}", letters[0]);
        Ok(())
    })
}
