//! A launch whose contract nobody has checked is unsafe.

use cuda_std::{Kernel, Shape};
use std::sync::Arc;
use warpseq_device::emulated::Emulated;
use warpseq_device::stream::Stream;

const KERNEL: Kernel<fn(u64)> = Kernel::new("anything", |_| ());

fn main() {
    let stream = Stream::new(&Arc::new(Emulated::default())).unwrap();
    stream.launch(&KERNEL, Shape { grid: 1, block: 32, shared: 0 }, 7).unwrap();
}
