//! Writing results: whole or not at all.

mod interrupt {
    //! What a signal does to an output that is still being written; signals themselves are sent to the program in
    //! `tests/cli/streams.rs`.

    use super::{folder, names_in};
    use std::fs;
    use std::process::Command;
    use warpseq::error::FileError;
    use warpseq::output::{Output, remove_temporaries};

    #[test]
    #[ignore = "started by a_removed_file_cannot_finish: it would remove the files of tests beside it"]
    fn remove_then_finish() {
        let (folder, path) = folder();
        let mut output = Output::create(Some(&path), &[]).unwrap();
        output.put(b"new").unwrap();
        remove_temporaries();
        assert_eq!(names_in(folder.path()), ["result.tsv"]);
        assert!(matches!(output.finish(), Err(FileError::Interrupted)));
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn a_removed_file_cannot_finish() {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "--nocapture", "output::interrupt::remove_then_finish"]);
        let done = child.output().unwrap();
        let stdout = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(
            done.status.success() && stdout.contains("1 passed"),
            "{stdout}{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use warpseq::error::FileError;
use warpseq::output::Output;

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A folder with an old `result.tsv`.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.tsv");
    fs::write(&path, "old").unwrap();
    (folder, path)
}

#[test]
fn a_file_appears_when_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.tsv");
    let mut output = Output::create(Some(&path), &[]).unwrap();
    output.put(&b"row\n".repeat(1_000_000)).unwrap();
    assert!(!path.exists());
    output.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"row\n".repeat(1_000_000));
    assert_eq!(names_in(folder.path()), ["result.tsv"]);
}

#[test]
fn a_file_dropped_unfinished_leaves_the_old_one() {
    let (folder, path) = folder();
    let mut output = Output::create(Some(&path), &[]).unwrap();
    output.put(b"new").unwrap();
    drop(output);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names_in(folder.path()), ["result.tsv"]);
}

#[test]
fn permissions_are_those_of_any_new_file_or_of_the_old_one() {
    let (folder, old) = folder();
    fs::set_permissions(&old, Permissions::from_mode(0o640)).unwrap();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let new = folder.path().join("new.tsv");
    for path in [&old, &new] {
        Output::create(Some(path), &[]).unwrap().finish().unwrap();
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&old) & 0o777, 0o640);
    assert_eq!(mode(&new), mode(&plain));
}

#[test]
fn a_link_is_followed() {
    let (folder, path) = folder();
    let link = folder.path().join("link.tsv");
    symlink(&path, &link).unwrap();
    let mut output = Output::create(Some(&link), &[]).unwrap();
    output.put(b"new").unwrap();
    output.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

/// Regression: the link itself was replaced.
#[test]
fn a_link_to_a_file_that_is_not_there_is_followed_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("other")).unwrap();
    symlink("second", path("first")).unwrap();
    symlink("other/file", path("second")).unwrap();
    let mut output = Output::create(Some(&path("first")), &[]).unwrap();
    output.put(b"new").unwrap();
    output.finish().unwrap();
    assert!(fs::symlink_metadata(path("first")).unwrap().is_symlink());
    assert_eq!(fs::read(path("other/file")).unwrap(), b"new");
    symlink("loop", path("loop")).unwrap();
    let Err(error) = Output::create(Some(&path("loop")), &[]) else { panic!("a loop of links was taken") };
    assert!(error.to_string().contains("Too many levels of symbolic links"), "{error}");
}

#[test]
fn gz_is_bgzf_with_its_last_block() {
    const LAST_BLOCK_BYTES: usize = 28;
    let folder = tempfile::tempdir().unwrap();
    for rows in [0, 100_000] {
        let path = folder.path().join("result.tsv.gz");
        let mut output = Output::create(Some(&path), &[]).unwrap();
        output.put(&b"row\n".repeat(rows)).unwrap();
        output.finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(&bytes[12..16], b"BC\x02\x00", "the extra field of BGZF");
        assert_eq!(&bytes[bytes.len() - LAST_BLOCK_BYTES..][..4], [0x1f, 0x8b, 0x08, 0x04]);
        assert_eq!(&bytes[bytes.len() - 8..], [0; 8], "an empty last block");
        let mut text = vec![];
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
        assert_eq!(text, b"row\n".repeat(rows));
    }
}

#[test]
fn an_input_is_refused_under_any_name() {
    let (folder, path) = folder();
    let (link, hard) = (folder.path().join("link"), folder.path().join("hard"));
    symlink(&path, &link).unwrap();
    fs::hard_link(&path, &hard).unwrap();
    for output in [&path, &link, &hard, &folder.path().join("./result.tsv")] {
        let refused = Output::create(Some(output), &[Path::new("-"), Path::new("/absent"), &path]);
        let Err(FileError::Unusable { path: named, message }) = refused else {
            panic!("{} was taken", output.display())
        };
        assert_eq!(&named, output);
        assert!(message.contains("result.tsv"), "{message}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names_in(folder.path()).len(), 3);
}

#[test]
fn a_place_that_cannot_be_written() {
    let (folder, path) = folder();
    for (place, words) in [
        (folder.path().to_path_buf(), "directory"),
        (folder.path().join("absent/result.tsv"), "No such file"),
        (folder.path().join("absent/"), "directory"),
        (path.join("result.tsv"), "ot a directory"),
        (PathBuf::from("/proc/result.tsv"), "no files can be created in that folder"),
    ] {
        let Err(error) = Output::create(Some(&place), &[]) else { panic!("{} was taken", place.display()) };
        assert!(matches!(error, FileError::File { action: "create", .. }), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn special_files_are_written_as_they_are() {
    let null = Path::new("/dev/null");
    let mut output = Output::create(Some(null), &[null]).unwrap();
    output.put(b"row\n").unwrap();
    output.finish().unwrap();
    let mut full = Output::create(Some(Path::new("/dev/full")), &[]).unwrap();
    full.put(b"row\n").unwrap();
    let error = full.finish().unwrap_err();
    assert_eq!(error.to_string(), "cannot write /dev/full: No space left on device (os error 28)");
    let mut full = Output::create(Some(Path::new("/dev/full")), &[]).unwrap();
    let error = full.put(&[b'x'; 1 << 20]).unwrap_err();
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn a_fifo_is_written_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    let mut output = Output::create(Some(&fifo), &[]).unwrap();
    writeln!(output, "row").unwrap();
    output.finish().unwrap();
    assert_eq!(reader.join().unwrap(), b"row\n");
}
