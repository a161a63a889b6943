use cuda_std::{Global, GlobalMut, Shared, kernel, thread, warp};
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Args {
    pub a: Global<u32>,
    pub b: GlobalMut<u32>,
}
/// x
#[kernel]
pub fn scan_probe(args: Args) {
    let i = thread::index_1d();
    let s = Shared::<u32>::at(0, 1024);
    s.write(thread::thread_idx_x(), args.a.read(i));
    thread::sync_threads();
    args.b.write(i, warp::reduce_add(s.read(thread::thread_idx_x() ^ 1)));
}
