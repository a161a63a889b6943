//! What the driver looks at in machine code, an ELF file: the names of its kernels, each of which has a section `.text.NAME`.
//!
//! It runs none of it: the emulator has the kernels, by these names.

use crate::kernels;

/// Codes of files that are refused.
const INVALID_IMAGE: u32 = 200;
const UNSUPPORTED_PTX_VERSION: u32 = 222;
/// The first CUDA version whose driver takes what today's ptxas writes, as far as this driver knows.
const OLDEST: (u32, u32) = (12, 0);

/// Bytes of the head of a file, and of the head of a section.
const HEAD: usize = 64;

/// The bytes of an ELF file; `None` when it is none.
///
/// # Safety
/// There is a text that ends with a NUL, or a whole ELF file of 64 bits.
pub unsafe fn read(image: *const u8) -> Option<Vec<u8>> {
    // SAFETY: nothing after the first byte that differs is read, so nothing after the end of a text.
    let is_elf = b"\x7fELF".iter().enumerate().all(|(at, &byte)| unsafe { image.add(at).read() } == byte);
    if !is_elf {
        return None;
    }
    // SAFETY: an ELF file begins with its head.
    let head = unsafe { std::slice::from_raw_parts(image, HEAD) };
    let heads = number(head, 40, 8) + HEAD * number(head, 60, 2);
    // SAFETY: the heads of the sections are part of the file.
    let sections = unsafe { std::slice::from_raw_parts(image, heads.max(HEAD)) };
    // Sections of type 8 take no bytes of the file.
    let ends = (0..number(head, 60, 2)).map(|at| section(sections, at)).filter(|head| number(head, 4, 4) != 8);
    let len = ends.map(|head| number(head, 24, 8) + number(head, 32, 8)).max().unwrap_or(0).max(sections.len());
    // SAFETY: so are the sections.
    Some(unsafe { std::slice::from_raw_parts(image, len) }.to_vec())
}

/// The numbers of the kernels of an ELF file, for a driver for CUDA `version`; or the code of its refusal.
pub fn kernels(file: &[u8], version: (u32, u32)) -> Result<Vec<usize>, u32> {
    if version < OLDEST {
        return Err(UNSUPPORTED_PTX_VERSION);
    }
    let count = number(file, 60, 2);
    if count == 0 {
        return Err(INVALID_IMAGE);
    }
    let names = number(section(file, number(file, 62, 2)), 24, 8);
    let name = |at| {
        let from = names + number(section(file, at), 0, 4);
        let len = file[from..].iter().position(|&byte| byte == 0).unwrap_or(0);
        String::from_utf8_lossy(&file[from..from + len]).into_owned()
    };
    let kernel = |at| name(at).strip_prefix(".text.").map(|kernel| kernels::find(kernel).ok_or(INVALID_IMAGE));
    (0..count).filter_map(kernel).collect()
}

/// The head of a section.
fn section(file: &[u8], at: usize) -> &[u8] {
    &file[number(file, 40, 8) + HEAD * at..][..HEAD]
}

fn number(bytes: &[u8], at: usize, len: usize) -> usize {
    bytes[at..at + len].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}
