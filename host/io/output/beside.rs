//! Two outputs of a run: both are complete, or neither is there.

use super::Output;
use super::places::{Place, Places};
use crate::error::{FileError, Result};
use std::path::Path;

/// Opens the output, and a second one if there is a path for it. `option` is the name of the option of the second.
///
/// # Errors
/// Those of [`Output::create`]; [`FileError::Usage`] if both are the same, under any name.
pub fn open(
    first: Option<&Path>,
    (option, second): (&str, Option<&Path>),
    inputs: &[&Path],
) -> Result<(Output, Option<Output>)> {
    let mut places = Places::new(inputs);
    let first = places.add("the main output", first)?;
    let second = second.map(|path| places.add(option, Some(path))).transpose()?;
    Ok((first.open()?, second.map(Place::open).transpose()?))
}

/// Writes and finishes both outputs. A closed pipe does not stop the other output.
///
/// # Errors
/// [`FileError::ClosedPipe`]; those of the closures and of [`Output::finish_all`], after which neither output is there.
pub fn write(
    (mut first, second): (Output, Option<Output>),
    write_first: impl FnOnce(&mut Output) -> Result<()>,
    write_second: impl FnOnce(&mut Output) -> Result<()>,
) -> Result<()> {
    let outcome = write_first(&mut first);
    let first = unless_closed(first, outcome)?;
    let Some(mut second) = second else { return first.map_or(Err(FileError::ClosedPipe), Output::finish) };
    let outcome = write_second(&mut second);
    let second = unless_closed(second, outcome)?;
    let is_closed = first.is_none() || second.is_none();
    Output::finish_all([first, second].into_iter().flatten())?;
    if is_closed { Err(FileError::ClosedPipe) } else { Ok(()) }
}

fn unless_closed(output: Output, outcome: Result<()>) -> Result<Option<Output>> {
    match outcome {
        Ok(()) => Ok(Some(output)),
        Err(FileError::ClosedPipe) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    /// A folder with `there.tsv`, a link to it, a second name of it, and a link to the folder.
    fn folder() -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_path_buf();
        let path = move |name: &str| root.join(name);
        fs::write(path("there.tsv"), "").unwrap();
        symlink("there.tsv", path("link.tsv")).unwrap();
        fs::hard_link(path("there.tsv"), path("hard.tsv")).unwrap();
        symlink(".", path("again")).unwrap();
        (folder, path)
    }

    #[test]
    fn one_place_is_refused_for_both() {
        let (_folder, path) = folder();
        let open = |first: Option<&Path>, second: &Path| super::open(first, ("--svg", Some(second)), &[]);
        let twice = [
            ("new.tsv", "new.tsv"),
            ("new.tsv", "./new.tsv"),
            ("again/new.tsv", "new.tsv"),
            ("there.tsv", "./there.tsv"),
            ("there.tsv", "link.tsv"),
            ("hard.tsv", "again/there.tsv"),
        ];
        for (first, second) in twice {
            let Err(FileError::Usage(message)) = open(Some(&path(first)), &path(second)) else {
                panic!("{first} {second}")
            };
            assert!(message.starts_with("--svg ") && message.contains("the same place"), "{message}");
        }
        assert!(matches!(open(None, Path::new("-")), Err(FileError::Usage(_))));
        assert!(open(Some(&path("new.tsv")), &path("other.tsv")).unwrap().1.is_some());
        assert!(open(Some(Path::new("/dev/null")), Path::new("/dev/null")).is_ok());
        assert!(super::open(None, ("--svg", None), &[]).unwrap().1.is_none());
    }

    #[test]
    fn both_are_there_or_neither() {
        let (_folder, path) = folder();
        let full = PathBuf::from("/dev/full");
        for [first, second] in [[path("a"), full.clone()], [full, path("a")]] {
            let both = open(Some(&first), ("--svg", Some(&second)), &[]).unwrap();
            let put = |output: &mut Output| output.put(b"row\n");
            assert!(matches!(write(both, put, put), Err(FileError::File { .. })));
            assert!(!path("a").exists());
        }
    }

    #[test]
    fn a_closed_pipe_does_not_keep_the_other_from_its_place() {
        let (_folder, path) = folder();
        let both = || open(Some(&path("a")), ("--svg", Some(&path("b"))), &[]).unwrap();
        let (put, closed) = (|output: &mut Output| output.put(b"row\n"), |_: &mut Output| Err(FileError::ClosedPipe));
        assert!(matches!(write(both(), closed, put), Err(FileError::ClosedPipe)));
        assert_eq!((path("a").exists(), fs::read(path("b")).unwrap()), (false, b"row\n".to_vec()));
        assert!(matches!(write(both(), put, closed), Err(FileError::ClosedPipe)));
        assert!(path("a").exists());
        write(both(), put, put).unwrap();
    }
}
