//! A view does not outlive its array.

use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::emulated::Emulated;

fn main() {
    let array = DeviceArray::<u32, _>::new(&Arc::new(Emulated::default()), 8).unwrap();
    let view = array.view();
    drop(array);
    println!("{}", view.len());
}
