//! Files that change, pipes that wait, and texts that nobody reads to their end.

use super::*;
use std::io::{Seek, SeekFrom};
use std::sync::mpsc;
use std::time::Duration;

/// What must not wait for ever.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || _ = sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(60)).expect("it ends")
}

#[test]
fn a_file_is_read_from_where_standard_input_stands() {
    for (kind, file) in kinds(&text(500)) {
        let mut shifted = file_of(&[b"other", &file[..]].concat());
        shifted.seek(SeekFrom::Start(5)).unwrap();
        let mut again = shifted.try_clone().unwrap();
        let read = read_file(shifted, 100);
        assert_eq!(read.total_bytes(), Some(file.len() as u64));
        let bytes_read = read.bytes_read();
        assert!(filled(read, 3) == (text(500), None), "{kind}");
        assert_eq!(bytes_read.load(Ordering::Relaxed), file.len() as u64, "{kind}");
        assert_eq!(again.stream_position().unwrap(), 5, "the place is shared with others");
    }
}

#[test]
fn a_pipe_tells_how_much_was_read_but_not_how_much_there_is() {
    for (kind, file) in kinds(&text(500)) {
        let read = of_pipe(&file, 100);
        assert_eq!(read.total_bytes(), None);
        let bytes_read = read.bytes_read();
        filled(read, 3);
        assert_eq!(bytes_read.load(Ordering::Relaxed), file.len() as u64, "{kind}");
    }
}

#[test]
fn a_file_that_grows_is_read_to_its_new_end_and_one_that_shrinks_ends_earlier() {
    for (old, new) in [(2000, 3000), (3000, 2000)] {
        let mut file = file_of(&text(old));
        let read = read_file(file.try_clone().unwrap(), 64);
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(&text(new)).unwrap();
        assert!(filled(read, 16) == (text(new), None), "{old} {new}");
    }
}

#[test]
fn a_file_that_does_not_tell_its_size_is_read_to_its_end() {
    let path = Path::new("/proc/self/limits");
    let expected = std::fs::read(path).unwrap();
    let read = Text::open(path, 100, 3).unwrap();
    assert_eq!((read.total_bytes(), read.label()), (None, path));
    assert_eq!(filled(read, 3), (expected, None));
}

#[test]
fn what_cannot_be_opened_or_read_is_an_error() {
    let refused = |path: &str| Text::open(Path::new(path), 100, 3).err().unwrap().to_string();
    assert_eq!(refused("/"), "cannot open /: is a directory");
    assert!(refused("/none").starts_with("cannot open /none: No such file"));
    assert!(refused("/proc/self/mem").starts_with("cannot read /proc/self/mem: Input/output error"));
}

/// A decoder waits for more bytes that do not come: dropping the text ends it, and closes the pipe.
#[test]
fn a_pipe_that_waits_does_not_keep_a_text() {
    for (kind, file) in kinds(&text(20_000)) {
        for threads in [1, 2] {
            let (reader, mut writer) = io::pipe().unwrap();
            writer.write_all(&file[..file.len().min(20_000) / 2]).unwrap();
            in_time(move || pool(threads).install(|| drop(read_file(File::from(OwnedFd::from(reader)), 1000))));
            let broken = writer.write_all(&file).unwrap_err();
            assert_eq!(broken.kind(), io::ErrorKind::BrokenPipe, "{kind}, {threads} threads");
        }
    }
}

#[test]
fn an_endless_pipe_does_not_keep_a_text() {
    for (kind, file) in kinds(&text(2000)) {
        for threads in [1, 2] {
            let (reader, mut writer) = io::pipe().unwrap();
            let file = file.clone();
            let writing = thread::spawn(move || while writer.write_all(&file).is_ok() {});
            let take = move || {
                let mut read = read_file(File::from(OwnedFd::from(reader)), 1000);
                let blocks: Vec<_> = std::iter::from_fn(|| read.next()).take(5).collect();
                assert!(blocks.len() == 5, "{kind}");
                drop(read);
            };
            in_time(move || pool(threads).install(take));
            in_time(move || writing.join().unwrap());
        }
    }
}

/// Half of a text that is there is handed out, however long the other half takes.
#[test]
fn a_slow_pipe_is_not_held_back() {
    for threads in [1, 2] {
        let (reader, mut writer) = io::pipe().unwrap();
        let slow = thread::spawn(move || {
            for _ in 0..4 {
                writer.write_all(b"ACGT").unwrap();
                thread::sleep(Duration::from_millis(100));
            }
            writer
        });
        let mut read = pool(threads).install(|| read_file(File::from(OwnedFd::from(reader)), 1 << 20));
        let mut first = Vec::new();
        read.next().unwrap().fill(&mut first).unwrap();
        assert!(first.len() < 16 && first.starts_with(b"ACGT"), "{first:?}");
        drop(slow.join().unwrap());
        assert_eq!(filled(read, 1).0.len(), 16 - first.len());
    }
}

/// What a pipe has given comes out although it gives no more, and asking whether there is more does not wait.
#[test]
fn a_silent_pipe_holds_nothing_back() {
    let text = text(20_000);
    for (kind, file) in [("plain", text.clone()), ("BGZF", bgzf(&text, 1000)), ("gzip", member(&text))] {
        for threads in [1, 2] {
            let (reader, mut writer) = io::pipe().unwrap();
            writer.write_all(&file[..file.len() / 2]).unwrap();
            let read = move || {
                let mut read = read_file(File::from(OwnedFd::from(reader)), 1 << 20);
                let mut start = Vec::new();
                read.next().unwrap().fill(&mut start).unwrap();
                while read.is_ready() {
                    read.next().unwrap().fill(&mut start).unwrap();
                }
                (start, read)
            };
            let (mut start, rest) = in_time(move || pool(threads).install(read));
            assert!(start.len() > 20_000, "{kind}, {threads} threads: {}", start.len());
            writer.write_all(&file[file.len() / 2..]).unwrap();
            drop(writer);
            start.extend(filled(rest, 3).0);
            assert!(start == text, "{kind}, {threads} threads");
        }
    }
}

/// Fails after some bytes.
struct Broken(usize);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        let some = buffer.len().min(self.0);
        buffer[..some].fill(b'A');
        self.0 -= some;
        Ok(some)
    }
}

#[test]
fn an_error_of_the_system_comes_behind_what_was_read() {
    for (kind, start) in kinds(&text(20_000)) {
        let file = io::Cursor::new(start[..start.len() / 2].to_vec()).chain(Broken(0));
        let mut read = Text::new(file, Path::new("file"), 1000).unwrap();
        let (mut all, mut error) = (Vec::new(), None);
        while let Some(block) = read.next() {
            error = block.fill(&mut all).err();
            if error.is_some() {
                break;
            }
        }
        let Some(Damage::Unreadable(error)) = error else { panic!("{kind}: {error:?}") };
        assert_eq!(error.raw_os_error(), Some(libc::EIO), "{kind}");
        // The others have more in their hands than half of this file.
        assert!(text(20_000).starts_with(&all) && (!all.is_empty() || !kind.contains("gzip")), "{kind}");
    }
    let mut plain = Text::new(Broken(10), Path::new("file"), 1000).unwrap();
    let mut all = Vec::new();
    assert!(matches!(plain.next().unwrap().fill(&mut all), Err(Damage::Unreadable(_))));
    assert_eq!(all, [b'A'; 10]);
}
