//! Files that somebody changes after they were opened.

use crate::collection::{Builder, Collection};
use crate::file::Writer;
use crate::{Parameters, Records, Signatures};
use std::fs;
use std::io::{Seek, Write};
use std::path::Path;
use warpseq_io::error::FileError;

/// The bytes of a file of one sequence of that name.
fn file_of(name: &str) -> Vec<u8> {
    let mut batch = Records::default();
    batch.push(name, b"MKV");
    let mut writer = Writer::new(Vec::new(), &Parameters::QUT).unwrap();
    writer.write(&batch, &mut Signatures { bytes: vec![1; 8], present: vec![1] }, &mut vec![1]).unwrap();
    writer.finish().unwrap()
}

/// Whether a file passes for unchanged after `change` of what is at its path.
fn passes(change: impl FnOnce(&Path)) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.wsig");
    fs::write(&path, file_of("a")).unwrap();
    // The clock of the file system may be coarse.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let collection = Collection::open(&path).unwrap();
    collection.require_unchanged().unwrap();
    change(&path);
    match collection.require_unchanged() {
        Ok(()) => true,
        Err(FileError::Unusable { message, .. }) if message.contains("changed while it was read") => false,
        Err(other) => panic!("{other}"),
    }
}

fn overwrite(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.rewind().unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_file_that_is_written_to_is_refused() {
    assert!(passes(|_| ()));
    assert!(!passes(|path| overwrite(path, &file_of("b"))));
    assert!(!passes(|path| fs::File::options().write(true).open(path).unwrap().set_len(100).unwrap()));
    assert!(!passes(|path| fs::File::options().append(true).open(path).unwrap().write_all(b"more").unwrap()));
}

/// A time that is set back does not hide what was written.
#[test]
fn a_file_that_is_written_to_in_secret_is_refused() {
    assert!(!passes(|path| {
        let written = fs::metadata(path).unwrap().modified().unwrap();
        overwrite(path, &file_of("b"));
        fs::File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
    }));
}

#[test]
fn a_file_that_is_renamed_replaced_removed_or_linked_is_what_it_was() {
    assert!(passes(|path| fs::rename(path, path.with_extension("old")).unwrap()));
    assert!(passes(|path| {
        let other = path.with_extension("new");
        fs::write(&other, file_of("b")).unwrap();
        fs::rename(other, path).unwrap();
    }));
    assert!(passes(|path| fs::remove_file(path).unwrap()));
    assert!(passes(|path| fs::hard_link(path, path.with_extension("also")).unwrap()));
}

#[test]
fn what_is_in_memory_cannot_change() {
    Builder::new(&Parameters::QUT).finish().require_unchanged().unwrap();
}
