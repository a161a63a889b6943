//! Whoever implements `Gpu` makes promises.

use warpseq_device::gpu::Gpu;

struct Mine;

impl Gpu for Mine {}

fn main() {}
