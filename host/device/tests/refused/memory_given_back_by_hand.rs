//! Safe code gives no memory back, let alone twice.

use warpseq_device::emulated::Emulated;
use warpseq_device::gpu::Gpu;

fn main() {
    let gpu = Emulated::default();
    let pinned = gpu.allocate_pinned(8).unwrap();
    gpu.release_pinned(pinned, 8);
    gpu.release(gpu.allocate(8).unwrap());
}
