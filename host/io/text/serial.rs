//! A text for one thread, which reads it from the beginning to the end: small tables, plain or compressed.

use super::{Damage, Text};
use std::io::{self, BufRead, Read};

/// See the module.
pub struct Serial {
    text: Text,
    block: Vec<u8>,
    /// Bytes of the block that have been read.
    read: usize,
}

impl Text {
    /// The text from its next block on.
    pub fn serial(self) -> Serial {
        Serial { text: self, block: Vec::new(), read: 0 }
    }
}

impl BufRead for Serial {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.block.len()
            && let Some(block) = self.text.next()
        {
            self.block.clear();
            self.read = 0;
            block.fill(&mut self.block).map_err(|damage| match damage {
                Damage::Compressed(message) => io::Error::other(message),
                Damage::Unreadable(error) => error,
            })?;
        }
        Ok(&self.block[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read += bytes;
    }
}

impl Read for Serial {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::Path;

    fn serial(bytes: Vec<u8>, block: usize) -> Serial {
        Text::new(io::Cursor::new(bytes), Path::new("t"), block).unwrap().serial()
    }

    #[test]
    fn a_text_is_the_same_by_blocks_of_any_size() {
        let text = b"one\ntwo\n\nthree".repeat(50);
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        let compressed = encoder.finish().unwrap();
        for (bytes, block) in [&text, &compressed].into_iter().flat_map(|bytes| [1, 7, 1 << 16].map(|b| (bytes, b))) {
            let mut found = Vec::new();
            serial(bytes.clone(), block).read_to_end(&mut found).unwrap();
            assert!(found == text, "blocks of {block}");
        }
        let cut = compressed[..compressed.len() - 4].to_vec();
        let error = serial(cut, 100).read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("truncated"), "{error}");
    }
}
