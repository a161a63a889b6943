//! BGZF, compressed on all threads.
//!
//! The bytes are cut into blocks of one size, whatever pieces they come in, and each block is compressed by itself: so the file
//! does not depend on how many threads there are.

use noodles_bgzf as bgzf;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Bytes of a block before it is compressed: as many as fit when they cannot be compressed, behind a header of 18 bytes and before
/// a checksum and a length of 8.
const BLOCK: usize = (1 << 16) - 18 - 8 - 15;
/// Blocks that are compressed at a time.
const TOGETHER: usize = 64;

/// A file of BGZF.
pub struct Blocks {
    file: BufWriter<File>,
    /// What is still to be compressed.
    waiting: Vec<u8>,
}

impl Blocks {
    pub fn new(file: BufWriter<File>) -> Self {
        Self { file, waiting: Vec::new() }
    }

    /// Compresses all that waits.
    fn compress(&mut self) -> io::Result<()> {
        let blocks: Vec<Vec<u8>> = self.waiting.par_chunks(BLOCK).map(compressed).collect::<io::Result<_>>()?;
        self.waiting.clear();
        blocks.iter().try_for_each(|block| self.file.write_all(block))
    }

    /// Writes what waits, and the block that ends a file.
    pub fn finish(mut self) -> io::Result<BufWriter<File>> {
        self.compress()?;
        bgzf::io::Writer::new(self.file).finish()
    }
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = bgzf::io::Writer::new(Vec::with_capacity(BLOCK / 2));
    writer.write_all(bytes)?;
    writer.flush()?;
    Ok(writer.into_inner())
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(TOGETHER * BLOCK - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.waiting.len() == TOGETHER * BLOCK {
            self.compress()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.compress()?;
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};

    fn written(bytes: &[u8], piece: usize) -> Vec<u8> {
        let file = tempfile::tempfile().unwrap();
        let mut blocks = Blocks::new(BufWriter::new(file.try_clone().unwrap()));
        bytes.chunks(piece).for_each(|piece| blocks.write_all(piece).unwrap());
        blocks.finish().unwrap().flush().unwrap();
        let (mut file, mut all) = (file, Vec::new());
        file.rewind().unwrap();
        file.read_to_end(&mut all).unwrap();
        all
    }

    #[test]
    fn blocks_are_those_of_one_thread() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 60) as u8
        };
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, TOGETHER * BLOCK, TOGETHER * BLOCK + 7] {
            let bytes: Vec<u8> = (0..length).map(|_| random()).collect();
            let mut serial = bgzf::io::Writer::new(Vec::new());
            serial.write_all(&bytes).unwrap();
            let expected = serial.finish().unwrap();
            for piece in [1000, BLOCK, 1 << 20] {
                assert!(written(&bytes, piece) == expected, "{length} in pieces of {piece}");
            }
        }
    }
}
