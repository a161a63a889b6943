//! Deflate (RFC 1951) that is all there at once: by libdeflate, which takes up to a third less time than a decoder that can stop anywhere.
//!
//! It is less strict than others: a code that RFC 1951 reserves is read as the one before it, and codes may lack some. So what it takes is
//! the right text only if a checksum says so.

use crate::allocator;
use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_deflate_decompress_ex,
    libdeflate_free_decompressor, libdeflate_result_LIBDEFLATE_SUCCESS,
};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Decompresses one stream after another.
pub(super) struct Decoder(NonNull<libdeflate_decompressor>);

impl Decoder {
    pub(super) fn new() -> Self {
        // SAFETY: it may be called at any time, by any thread.
        let decoder = unsafe { libdeflate_alloc_decompressor() };
        Self(NonNull::new(decoder).unwrap_or_else(|| allocator::end(None)))
    }

    /// Decompresses `codes` into `room`: the text, if they are one stream, all of it and nothing else, whose text fills the room.
    pub(super) fn decompress<'t>(&mut self, codes: &[u8], room: &'t mut [MaybeUninit<u8>]) -> Option<&'t [u8]> {
        let (mut read, mut written) = (0, 0);
        // SAFETY: the decoder is one, and borrowed for writing; the pointers are those of slices that long, and of two numbers.
        let result = unsafe {
            libdeflate_deflate_decompress_ex(
                self.0.as_ptr(),
                codes.as_ptr().cast(),
                codes.len(),
                room.as_mut_ptr().cast(),
                room.len(),
                &raw mut read,
                &raw mut written,
            )
        };
        let is_whole = result == libdeflate_result_LIBDEFLATE_SUCCESS && (read, written) == (codes.len(), room.len());
        // SAFETY: it has written as many bytes as there are.
        is_whole.then(|| unsafe { room.assume_init_ref() })
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: this was allocated, and nobody has it any more.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::io::Write;

    #[test]
    fn a_stream_is_taken_where_it_is_all_there_and_fills_the_text() {
        let text = b"ACGTACGTACGTNNNN".repeat(100);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&text).unwrap();
        let codes = encoder.finish().unwrap();
        let mut decoder = Decoder::new();
        let mut read = |codes: &[u8], room: usize| {
            let mut room = vec![MaybeUninit::uninit(); room];
            decoder.decompress(codes, &mut room).map(<[u8]>::to_vec)
        };
        assert_eq!(read(&codes, text.len()), Some(text.clone()));
        assert_eq!([text.len() - 1, text.len() + 1].map(|room| read(&codes, room)), [None, None]);
        assert_eq!(read(&codes[..codes.len() - 1], text.len()), None);
        assert_eq!(read(&[&codes[..], &[0]].concat(), text.len()), None);
        assert_eq!(read(&[], 0), None);
        // The codes of no text.
        assert_eq!([0, 1].map(|room| read(&[3, 0], room)), [Some(Vec::new()), None]);
        // And again, behind damage.
        assert_eq!(read(&codes, text.len()), Some(text));
    }
}
