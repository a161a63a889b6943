//! The caller's memory, which slices write their parts of while others are on their way.

use crate::Signatures;
use std::ops::Range;

/// Where signatures go: the caller's memory.
pub struct Output {
    bytes: *mut u8,
    present: *mut u8,
    windows: usize,
    width: usize,
    /// Whether the device says which windows have words.
    marked: bool,
}

impl Output {
    /// All of `signatures`, of `width` bytes a window.
    pub fn new(signatures: &mut Signatures, width: usize, marked: bool) -> Self {
        let Signatures { bytes, present } = signatures;
        Self { windows: present.len(), bytes: bytes.as_mut_ptr(), present: present.as_mut_ptr(), width, marked }
    }

    /// Bytes of a signature.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether the device says which windows have words.
    pub fn is_marked(&self) -> bool {
        self.marked
    }

    /// Whether some windows have words.
    ///
    /// # Safety
    /// Nobody else touches these windows' marks.
    pub unsafe fn present<'a>(&self, windows: Range<u64>) -> &'a mut [u8] {
        let (first, len) = (windows.start as usize, (windows.end - windows.start) as usize);
        assert!(first + len <= self.windows, "windows past the end of the signatures");
        // SAFETY: inside the vector that `new` saw, which the caller keeps as it is.
        unsafe { std::slice::from_raw_parts_mut(self.present.add(first), len) }
    }

    /// Signatures of some windows.
    ///
    /// # Safety
    /// Nobody else touches these windows' signatures.
    pub unsafe fn signatures<'a>(&self, windows: Range<u64>) -> &'a mut [u8] {
        let (first, len) = (windows.start as usize, (windows.end - windows.start) as usize);
        assert!(first + len <= self.windows, "windows past the end of the signatures");
        // SAFETY: inside the vector that `new` saw, which the caller keeps as it is.
        unsafe { std::slice::from_raw_parts_mut(self.bytes.add(first * self.width), len * self.width) }
    }
}
