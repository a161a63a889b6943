//! The GPU: every function is one instruction.
//!
//! Collectives are LLVM intrinsics, because LLVM knows that those are convergent. Everything else that Rust has no word
//! for is inline PTX, which names the state space (`ld.shared`, `ld.global.nc`) and the exact instruction.

use super::Word;
use crate::{U32x2, U32x4};
use core::arch::{asm, global_asm, nvptx as intrinsic};

global_asm!(".extern .shared .align 16 .b8 dynamic_shared[];");

unsafe extern "unadjusted" {
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot(mask: u32, predicate: bool) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_idx(mask: u32, value: u32, source: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn shfl_up(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn shfl_down(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_bfly(mask: u32, value: u32, lanes: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: u32);
    #[cfg(warp_reduce)]
    #[link_name = "llvm.nvvm.redux.sync.or"]
    fn redux_or(value: u32, mask: u32) -> u32;
    #[cfg(warp_reduce)]
    #[link_name = "llvm.nvvm.redux.sync.add"]
    fn redux_add(value: u32, mask: u32) -> u32;
    #[cfg(warp_reduce)]
    #[link_name = "llvm.nvvm.redux.sync.umin"]
    fn redux_umin(value: u32, mask: u32) -> u32;
}

const ALL_LANES: u32 = u32::MAX;

#[inline(always)]
pub fn thread_index() -> u32 {
    // SAFETY: it only reads a special register.
    unsafe { intrinsic::_thread_idx_x() as u32 }
}

#[inline(always)]
pub fn block_index() -> u32 {
    // SAFETY: it only reads a special register.
    unsafe { intrinsic::_block_idx_x() as u32 }
}

#[inline(always)]
pub fn block_size() -> u32 {
    // SAFETY: it only reads a special register.
    unsafe { intrinsic::_block_dim_x() as u32 }
}

#[inline(always)]
pub fn grid_size() -> u32 {
    // SAFETY: it only reads a special register.
    unsafe { intrinsic::_grid_dim_x() as u32 }
}

#[inline(always)]
pub fn sync_threads() {
    // SAFETY: all threads of the block reach it, as every launch promises (see the crate).
    unsafe { intrinsic::_syncthreads() }
}

#[inline(always)]
pub fn sync_warp() {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { bar_warp_sync(ALL_LANES) }
}

#[inline(always)]
pub fn ballot(predicate: bool) -> u32 {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { vote_ballot(ALL_LANES, predicate) }
}

/// The last operand of `shfl`: the segment mask in bits 8..13, and below it the highest lane of a segment (0 for `up`).
#[inline(always)]
fn segments(width: u32, last: u32) -> u32 {
    (32 - width) << 8 | last
}

#[inline(always)]
pub fn shuffle_index(value: u32, source: u32, width: u32) -> u32 {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { shfl_idx(ALL_LANES, value, source, segments(width, 31)) }
}

#[inline(always)]
pub fn shuffle_up(value: u32, delta: u32, width: u32) -> u32 {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { shfl_up(ALL_LANES, value, delta, segments(width, 0)) }
}

#[inline(always)]
pub fn shuffle_down(value: u32, delta: u32, width: u32) -> u32 {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { shfl_down(ALL_LANES, value, delta, segments(width, 31)) }
}

#[inline(always)]
pub fn shuffle_xor(value: u32, lanes: u32) -> u32 {
    // SAFETY: all lanes reach it, as every launch promises (see the crate).
    unsafe { shfl_bfly(ALL_LANES, value, lanes, 31) }
}

/// `redux.sync` exists from sm_80 on. The sm_75 module reduces by five butterfly shuffles.
macro_rules! reduce {
    ($name:ident, $redux:ident, $fold:expr) => {
        #[cfg(warp_reduce)]
        #[inline(always)]
        pub fn $name(value: u32) -> u32 {
            // SAFETY: all lanes reach it, as every launch promises (see the crate).
            unsafe { $redux(value, ALL_LANES) }
        }

        #[cfg(not(warp_reduce))]
        #[inline(always)]
        pub fn $name(value: u32) -> u32 {
            let fold: fn(u32, u32) -> u32 = $fold;
            let value = fold(value, shuffle_xor(value, 16));
            let value = fold(value, shuffle_xor(value, 8));
            let value = fold(value, shuffle_xor(value, 4));
            let value = fold(value, shuffle_xor(value, 2));
            fold(value, shuffle_xor(value, 1))
        }
    };
}
reduce!(reduce_or, redux_or, |a, b| a | b);
reduce!(reduce_add, redux_add, |a, b| a.wrapping_add(b));
reduce!(reduce_min, redux_umin, |a, b| a.min(b));

/// In PTX with debug assertions an index outside its view stops the kernel. In release PTX nothing is checked.
#[inline(always)]
pub fn check_index(index: u32, len: u64) {
    if cfg!(debug_assertions) && u64::from(index) >= len {
        // SAFETY: it has no condition; it ends the kernel with an error.
        unsafe { intrinsic::trap() }
    }
}

#[inline(always)]
pub fn shared_size() -> u32 {
    let bytes: u32;
    // SAFETY: it only reads a special register.
    unsafe { asm!("mov.u32 {d}, %dynamic_smem_size;", d = out(reg32) bytes, options(pure, nomem, nostack)) }
    bytes
}

/// In PTX with debug assertions an array that ends past `end` stops the kernel.
#[inline(always)]
pub fn check_shared(offset: u32, bytes: u64, end: u32) {
    if cfg!(debug_assertions) && u64::from(offset) + bytes > u64::from(end) {
        // SAFETY: it has no condition; it ends the kernel with an error.
        unsafe { intrinsic::trap() }
    }
}

/// The address of the byte at `offset` of the block's shared memory.
#[inline(always)]
pub fn shared_address(offset: u32) -> u32 {
    let base: u32;
    // SAFETY: it only takes the address of the array declared above.
    unsafe { asm!("mov.u32 {d}, dynamic_shared;", d = out(reg32) base, options(pure, nomem, nostack)) }
    base + offset
}

macro_rules! scalar {
    ($t:ty, $reg:ident, $ptx:literal, $as:ty) => {
        impl Word for $t {
            #[inline(always)]
            unsafe fn load_constant(address: u64) -> Self {
                let value: $as;
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("ld.global.nc.", $ptx, " {d}, [{a}];"), d = out($reg) value, a = in(reg64) address, options(pure, readonly, nostack)) }
                // SAFETY: a load fills the rest of a wider register with zeros.
                unsafe { core::hint::assert_unchecked(value <= <$t>::MAX as $as) }
                value as $t
            }
            #[inline(always)]
            unsafe fn load_global(address: u64) -> Self {
                let value: $as;
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("ld.global.", $ptx, " {d}, [{a}];"), d = out($reg) value, a = in(reg64) address, options(readonly, nostack)) }
                value as $t
            }
            #[inline(always)]
            unsafe fn store_global(self, address: u64) {
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("st.global.", $ptx, " [{a}], {v};"), v = in($reg) self as $as, a = in(reg64) address, options(nostack)) }
            }
            #[inline(always)]
            unsafe fn load_shared(address: u32) -> Self {
                let value: $as;
                // SAFETY: `address` lies in the block's shared memory and is aligned, as this function requires.
                unsafe { asm!(concat!("ld.shared.", $ptx, " {d}, [{a}];"), d = out($reg) value, a = in(reg32) address, options(readonly, nostack)) }
                value as $t
            }
            #[inline(always)]
            unsafe fn store_shared(self, address: u32) {
                // SAFETY: `address` lies in the block's shared memory and is aligned, as this function requires.
                unsafe { asm!(concat!("st.shared.", $ptx, " [{a}], {v};"), v = in($reg) self as $as, a = in(reg32) address, options(nostack)) }
            }
        }
    };
}
scalar!(u8, reg16, "u8", u16);
scalar!(u16, reg32, "u16", u32);
scalar!(u32, reg32, "u32", u32);
scalar!(u64, reg64, "u64", u64);

macro_rules! vector {
    ($t:ident, $n:literal, $ptx:literal, $list:literal, $($r:ident $k:literal),*) => {
        impl Word for $t {
            #[inline(always)]
            unsafe fn load_constant(address: u64) -> Self {
                $(let $r: u32;)*
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("ld.global.nc.", $ptx, " ", $list, ", [{a}];"), $($r = out(reg32) $r,)* a = in(reg64) address, options(pure, readonly, nostack)) }
                $t([$($r),*])
            }
            #[inline(always)]
            unsafe fn load_global(address: u64) -> Self {
                $(let $r: u32;)*
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("ld.global.", $ptx, " ", $list, ", [{a}];"), $($r = out(reg32) $r,)* a = in(reg64) address, options(readonly, nostack)) }
                $t([$($r),*])
            }
            #[inline(always)]
            unsafe fn store_global(self, address: u64) {
                // SAFETY: `address` is what the instruction needs, as this function requires.
                unsafe { asm!(concat!("st.global.", $ptx, " [{a}], ", $list, ";"), $($r = in(reg32) self.0[$k],)* a = in(reg64) address, options(nostack)) }
            }
            #[inline(always)]
            unsafe fn load_shared(address: u32) -> Self {
                $(let $r: u32;)*
                // SAFETY: `address` lies in the block's shared memory and is aligned, as this function requires.
                unsafe { asm!(concat!("ld.shared.", $ptx, " ", $list, ", [{a}];"), $($r = out(reg32) $r,)* a = in(reg32) address, options(readonly, nostack)) }
                $t([$($r),*])
            }
            #[inline(always)]
            unsafe fn store_shared(self, address: u32) {
                // SAFETY: `address` lies in the block's shared memory and is aligned, as this function requires.
                unsafe { asm!(concat!("st.shared.", $ptx, " [{a}], ", $list, ";"), $($r = in(reg32) self.0[$k],)* a = in(reg32) address, options(nostack)) }
            }
        }
    };
}
vector!(U32x2, 2, "v2.u32", "{{{x}, {y}}}", x 0, y 1);
vector!(U32x4, 4, "v4.u32", "{{{x}, {y}, {z}, {w}}}", x 0, y 1, z 2, w 3);

/// # Safety
/// `address` is live device memory, aligned to 4.
#[inline(always)]
pub unsafe fn atomic_add_global(address: u64, value: u32) -> u32 {
    let old: u32;
    // SAFETY: `address` is what the instruction needs, as this function requires.
    unsafe {
        asm!("atom.global.add.u32 {d}, [{a}], {v};", d = out(reg32) old, a = in(reg64) address, v = in(reg32) value, options(nostack))
    }
    old
}

/// # Safety
/// `address` is live device memory, aligned to 4.
#[inline(always)]
pub unsafe fn atomic_or_global(address: u64, value: u32) {
    // SAFETY: `address` is what the instruction needs, as this function requires.
    unsafe { asm!("red.global.or.b32 [{a}], {v};", a = in(reg64) address, v = in(reg32) value, options(nostack)) }
}

/// # Safety
/// `address` is live device memory, aligned to 8.
#[inline(always)]
pub unsafe fn atomic_add_global_u64(address: u64, value: u64) {
    // SAFETY: `address` is what the instruction needs, as this function requires.
    unsafe { asm!("red.global.add.u64 [{a}], {v};", a = in(reg64) address, v = in(reg64) value, options(nostack)) }
}

/// # Safety
/// `address` is live device memory, aligned to 8.
#[inline(always)]
pub unsafe fn atomic_min_global_u64(address: u64, value: u64) -> u64 {
    let old: u64;
    // SAFETY: `address` is what the instruction needs, as this function requires.
    unsafe {
        asm!("atom.global.min.u64 {d}, [{a}], {v};", d = out(reg64) old, a = in(reg64) address, v = in(reg64) value, options(nostack))
    }
    old
}

/// # Safety
/// `offset` is aligned to 4 and the word lies inside the block's shared memory.
#[inline(always)]
pub unsafe fn atomic_add_shared(address: u32, value: u32) -> u32 {
    let old: u32;
    // SAFETY: `address` lies in the block's shared memory and is aligned, as this function requires.
    unsafe {
        asm!("atom.shared.add.u32 {d}, [{a}], {v};", d = out(reg32) old, a = in(reg32) address, v = in(reg32) value, options(nostack))
    }
    old
}

#[inline(always)]
pub fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    let value: u32;
    // SAFETY: it computes on registers and touches no memory.
    unsafe {
        asm!("prmt.b32 {d}, {a}, {b}, {s};", d = out(reg32) value, a = in(reg32) low, b = in(reg32) high, s = in(reg32) selector, options(pure, nomem, nostack))
    }
    value
}

#[inline(always)]
pub fn dot_product(a: u32, b: u32, c: u32) -> u32 {
    let value: u32;
    // SAFETY: it computes on registers and touches no memory.
    unsafe {
        asm!("dp4a.u32.u32 {d}, {a}, {b}, {c};", d = out(reg32) value, a = in(reg32) a, b = in(reg32) b, c = in(reg32) c, options(pure, nomem, nostack))
    }
    value
}

#[inline(always)]
pub fn funnel_shift_right(low: u32, high: u32, by: u32) -> u32 {
    let value: u32;
    // SAFETY: it computes on registers and touches no memory.
    unsafe {
        asm!("shf.r.wrap.b32 {d}, {l}, {h}, {s};", d = out(reg32) value, l = in(reg32) low, h = in(reg32) high, s = in(reg32) by, options(pure, nomem, nostack))
    }
    value
}

/// From sm_90 on ptxas fuses each of these bodies into one or two instructions. `portable.rs` serves older GPUs.
#[cfg(packed_arithmetic)]
macro_rules! packed {
    ($name:ident($($operand:ident),*), $ptx:literal) => {
        #[inline(always)]
        pub fn $name($($operand: u32),*) -> u32 {
            let value: u32;
            // SAFETY: it computes on registers and touches no memory.
            unsafe { asm!($ptx, d = out(reg32) value, $($operand = in(reg32) $operand,)* options(pure, nomem, nostack)) }
            value
        }
    };
}
#[cfg(packed_arithmetic)]
mod packed_arithmetic {
    use super::asm;
    packed!(packed_add(a, b), "add.s16x2 {d}, {a}, {b};");
    packed!(packed_max(a, b), "max.s16x2 {d}, {a}, {b};");
    packed!(packed_max_zero(a, b), "max.s16x2.relu {d}, {a}, {b};");
    packed!(packed_add_max(a, b, c), "{{.reg .b32 t; add.s16x2 t, {a}, {b}; max.s16x2 {d}, t, {c};}}");
    packed!(packed_add_max_zero(a, b, c), "{{.reg .b32 t; add.s16x2 t, {a}, {b}; max.s16x2.relu {d}, t, {c};}}");
    packed!(packed_max3(a, b, c), "{{.reg .b32 t; max.s16x2 t, {a}, {b}; max.s16x2 {d}, t, {c};}}");
    packed!(packed_max3_zero(a, b, c), "{{.reg .b32 t; max.s16x2 t, {a}, {b}; max.s16x2.relu {d}, t, {c};}}");
}
#[cfg(packed_arithmetic)]
pub use packed_arithmetic::*;

/// A comment that `cuda_builder` makes a directive of the entry point.
#[inline(always)]
pub fn at_most_threads<const THREADS: u32>() {
    // SAFETY: a comment does nothing.
    unsafe { asm!("// .maxntid {}", const THREADS, options(nomem, nostack, preserves_flags)) };
}

#[inline(always)]
pub fn trap() -> ! {
    // SAFETY: it has no condition; it ends the kernel with an error.
    unsafe { intrinsic::trap() }
}
