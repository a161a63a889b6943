//! Memory of the system, in large pages where there is much of it, and what becomes of the program when there is none left.
//!
//! The system gives memory page by page, when it is first written. Where a page has 4 KiB, that takes a chromosome longer than to read
//! it, and a table that is looked up everywhere needs more entries than the processor keeps of the table of pages. Pages of 2 MiB are
//! asked for as NumPy does, from the same size on.
//!
//! Rust ends a program whose allocation fails with SIGABRT. Here it says what was asked for and what to do, removes its temporary
//! files, and ends with exit code 1. The message is written into an array, since there is no memory.

use crate::end;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Write};

/// The system's allocator, for `#[global_allocator]`.
pub struct Allocator;

// SAFETY: each function answers what the system's allocator answers to the same arguments, or does not return.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the obligations are those of this function.
        in_large_pages(there(unsafe { System.alloc(layout) }, layout.size()), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the obligations are those of this function.
        in_large_pages(there(unsafe { System.alloc_zeroed(layout) }, layout.size()), layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the obligations are those of this function.
        in_large_pages(there(unsafe { System.realloc(memory, layout, size) }, size), size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the obligations are those of this function.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[inline]
fn there(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(Some(bytes));
    }
    memory
}

/// Asks for large pages for memory that is new, if it is much. It is the same memory if there are none.
#[inline]
fn in_large_pages(memory: *mut u8, bytes: usize) -> *mut u8 {
    const MUCH: usize = 4 << 20;
    const PAGE: usize = 4 << 10;
    if bytes >= MUCH {
        // Whole pages, as the system moves a mapping only if all of it is alike.
        let start = memory.map_addr(|address| address / PAGE * PAGE);
        let all = (memory.addr() + bytes).next_multiple_of(PAGE) - start.addr();
        // SAFETY: these pages hold the memory that was just given, and advice does not change what else they hold.
        unsafe { libc::madvise(start.cast(), all, libc::MADV_HUGEPAGE) };
    }
    memory
}

/// Ends the program because so many bytes of memory are not there; `None`: nobody knows how many.
#[cold]
pub fn end(bytes: Option<usize>) -> ! {
    let mut line = Cursor::new([0_u8; 200]);
    // A longer message would be cut.
    let _ = match bytes {
        Some(bytes) => write!(line, "warpseq: error: out of memory: the system refused {bytes} bytes; "),
        None => write!(line, "warpseq: error: out of memory; "),
    };
    let _ = writeln!(line, "lower --max-memory (1G unless given) or -t, or raise the limit of memory");
    end::at_once(&line.get_ref()[..line.position() as usize])
}
