//! The kernels by name, as the host functions that the emulator runs.

use cuda_std::emulator::{Emulator, Fault};
use cuda_std::{Kernel, Shape};

/// Runs a kernel on the bytes of its argument, of which there are as many as the kernel's entry says.
type Run = fn(&Emulator, Shape, &[u8]) -> Result<(), Fault>;

/// A kernel.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    /// Bytes of its argument.
    pub bytes: usize,
    pub run: Run,
}

const fn bytes<A>(_: &Kernel<fn(A)>) -> usize {
    size_of::<A>()
}

fn launch<A: Copy>(emulator: &Emulator, kernel: &Kernel<fn(A)>, shape: Shape, argument: &[u8]) -> Result<(), Fault> {
    assert_eq!(argument.len(), size_of::<A>(), "the argument was copied by the size in the table");
    // SAFETY: the bytes of an `A`, copied where the kernel was launched; arguments are plain data.
    let argument = unsafe { argument.as_ptr().cast::<A>().read_unaligned() };
    emulator.launch(kernel, shape, argument)
}

macro_rules! table {
    ($($engine:ident: $($kernel:ident)*;)*) => {
        &[$($(Entry {
            name: stringify!($kernel),
            bytes: bytes(&warpseq_gpu::$engine::kernel::$kernel),
            run: |emulator, shape, argument| {
                launch(emulator, &warpseq_gpu::$engine::kernel::$kernel, shape, argument)
            },
        },)*)*]
    };
}

static TABLE: &[Entry] = table! {
    scan: scan_pack scan_seek scan_mark scan_window scan_hard scan_parted scan_brute;
    align: align_linear_score align_affine_score align_linear_score_wide align_affine_score_wide align_linear_local
        align_affine_local align_linear_ends align_affine_ends align_wide_local align_wide_ends align_traceback
        align_search_affine_8 align_search_affine_12 align_search_affine_16 align_search_affine_20
        align_search_affine_24 align_search_affine_28 align_search_affine_30 align_search_protein_8
        align_search_protein_10 align_search_protein_12 align_search_protein_14 align_search_protein_16
        align_search_protein_18 align_search_protein_20 align_search_protein_22 align_search_protein_24
        align_search_protein_26 align_search_protein_28 align_search_protein_32 align_search_linear_8
        align_search_linear_12 align_search_linear_16 align_search_linear_20 align_search_linear_24
        align_search_linear_28 align_search_linear_32 align_search_wide
        align_limit align_keep;
    sign: sign_halves sign_pack sign_dense sign_sparse sign_decide sign_nearest sign_merge sign_within sign_least;
};

/// The number of the kernel called `name`.
pub fn find(name: &str) -> Option<usize> {
    TABLE.iter().position(|entry| entry.name == name)
}

/// The kernel of a number.
pub fn get(number: usize) -> Option<&'static Entry> {
    TABLE.get(number)
}
