//! What is opened, not what is in it: missing files, folders, pipes, failing and slow sources, progress.

use super::Reading;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use warpseq::error::FileError;
use warpseq::fastx::{Reader, refuse_one_stream};

#[test]
fn a_missing_file_and_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (path, words) in [(folder.path().join("absent.fa"), "No such file"), (folder.path().to_path_buf(), "directory")]
    {
        let reading = Reading::of(Reader::open(&path));
        let Some(FileError::File { action: "open", .. }) = &reading.error else { panic!("{:?}", reading.error) };
        let message = reading.error.unwrap().to_string();
        assert!(message.contains(words) && message.contains(path.to_str().unwrap()), "{message}");
    }
}

#[test]
fn progress_ends_at_the_file_size() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in [b">a\nACGT\n".repeat(1000), super::gzip(&b">a\nACGT\n".repeat(1000))] {
        let path = folder.path().join("reads");
        fs::write(&path, &bytes).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let counter = reader.bytes_read();
        while reader.read(&mut vec![], &mut vec![]).unwrap().is_some() {}
        assert_eq!(reader.total_bytes(), Some(bytes.len() as u64));
        assert_eq!(counter.load(Ordering::Relaxed), bytes.len() as u64);
    }
}

#[test]
fn a_device_has_no_size() {
    let reader = Reader::open(Path::new("/dev/null")).unwrap();
    assert_eq!((reader.kind(), reader.total_bytes()), (None, None));
}

#[test]
fn standard_input_is_one_input_only() {
    let refused = |one: &str, other: &str| {
        refuse_one_stream(&[("the samples", Path::new(one)), ("the signatures", Path::new(other))]).err()
    };
    for (one, other) in [("-", "b.fa"), ("a.fa", "-"), ("a.fa", "a.fa")] {
        assert!(refused(one, other).is_none(), "{one} {other}");
    }
    let Some(FileError::Usage(message)) = refused("-", "-") else { panic!("both are standard input") };
    assert!(message.starts_with("the samples and the signatures cannot both"), "{message}");
}

/// Gives one byte at a time, interrupted before each; then fails or ends.
struct Slow {
    bytes: io::Cursor<Vec<u8>>,
    interrupted: bool,
    end: Option<i32>,
}

impl Slow {
    fn new(bytes: &[u8], end: Option<i32>) -> Self {
        Self { bytes: io::Cursor::new(bytes.to_vec()), interrupted: false, end }
    }
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match (self.bytes.read(&mut buffer[..1])?, self.end) {
            (0, Some(code)) => Err(io::Error::from_raw_os_error(code)),
            (read, _) => Ok(read),
        }
    }
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    let text = b"@a\nAC\r\nGT\n+\nIIII\n@b\nA\n+\nI\n".as_slice();
    for bytes in [text.to_vec(), super::gzip(text)] {
        let slow = Reading::of(Reader::new(Slow::new(&bytes, None), PathBuf::from("input"), 64));
        assert_eq!(slow.outcome(), Reading::of_bytes(text, 64).outcome());
    }
}

#[test]
fn a_failing_disk_is_not_called_malformed() {
    const EIO: i32 = 5;
    let text = b">a\nACGT\n>b\nACGT\n".as_slice();
    for bytes in [text.to_vec(), super::gzip(text)[..20].to_vec()] {
        let reading = Reading::of(Reader::new(Slow::new(&bytes, Some(EIO)), PathBuf::from("input"), 64));
        assert!(matches!(reading.error, Some(FileError::File { action: "read", .. })), "{:?}", reading.error);
    }
}
