//! Files that have no name until they are complete, temporary folders, and the signals that end the program.
//!
//! ```text
//! create   O_TMPFILE: a file without a name, which is gone when the program ends, however it ends
//!          or, where the file system has none: .warpseq.<random>.tmp in the list of what a signal removes
//! rename   the file without a name is linked as .warpseq.<random>.tmp; then that is renamed to its place
//! ```
//!
//! Where the system forbids to link it, a copy is made. A program that is killed between the two steps of a rename leaves a file
//! with a temporary name.
//!
//! Names are given and removed under the lock of the list, so the list is exact for whoever holds the lock. A signal takes effect
//! either before a rename, and the old file stays, or after it, and the new one is complete.

use crate::end;
use crate::error::{FileError, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use tempfile::{TempDir, TempPath};

/// What is there under a temporary name.
#[derive(Default)]
struct Live {
    paths: BTreeSet<PathBuf>,
    /// All of it was removed, and no file is to be completed any more.
    ended: bool,
}

static LIVE: Mutex<Live> = Mutex::new(Live { paths: BTreeSet::new(), ended: false });

/// Locks the list. It is valid even after a panic in a holder, since each change is one insertion or removal.
fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file and folder of this program. An [`Output`](super::Output) still open cannot finish.
pub fn remove_temporaries() {
    drop(removed());
}

/// As [`remove_temporaries`], for a program that ends at once. Where somebody holds the list, files with names are left.
pub(crate) fn remove_temporaries_unless_busy() {
    match LIVE.try_lock() {
        Ok(live) => drop(emptied(live)),
        Err(TryLockError::Poisoned(live)) => drop(emptied(live.into_inner())),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Removes every temporary file. None can be named while the returned lock is held.
fn removed() -> MutexGuard<'static, Live> {
    emptied(live())
}

fn emptied(mut live: MutexGuard<'static, Live>) -> MutexGuard<'static, Live> {
    live.ended = true;
    while let Some(path) = live.paths.pop_first() {
        // Go on with the others if this one is gone already or cannot be removed.
        let _ = if path.is_dir() { remove_folder(&path) } else { fs::remove_file(path) };
    }
    live
}

/// Removes a folder and what is in it. Threads of this program, and programs that it has started, may still create files there;
/// each attempt but the last may have missed one.
fn remove_folder(path: &Path) -> io::Result<()> {
    const ATTEMPTS: usize = 1000;
    for _ in 1..ATTEMPTS {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            done => return done,
        }
    }
    fs::remove_dir_all(path)
}

/// From now on, SIGINT, SIGTERM, SIGHUP and SIGQUIT remove all temporary files and end the process with code 130. Those that
/// are ignored when the program starts, as `nohup` and a shell's background jobs have it, stay ignored. SIGXFSZ is ignored, so
/// that a file beyond `ulimit -f` is an error of writing it.
///
/// A thread waits for the signals, so that ordinary code handles them. It holds the list until the process ends, so that no
/// other thread can name a file in between.
///
/// # Errors
/// [`FileError::File`] if the system refuses the handler or the thread.
pub fn catch_signals() -> Result<()> {
    let refused = |source| FileError::File { path: PathBuf::from("signals"), action: "listen for", source };
    let heeded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(heeded).map_err(refused)?;
    // SAFETY: to ignore a signal sets no handler, and nothing else in the program waits for this one.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let wait = move || {
        if signals.forever().next().is_some() {
            let _held_to_the_end = removed();
            end::with(FileError::Interrupted.exit_code());
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map_err(refused)?;
    Ok(())
}

fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the question changes nothing, and the answer has a place that is valid as it is, all zeros.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is not yet in its place. It is gone when this is dropped.
pub(super) struct Temporary {
    state: State,
    place: PathBuf,
}

enum State {
    Unnamed(File),
    Named(Name),
}

/// The name of a temporary file; removed when dropped.
struct Name(Option<TempPath>);

impl Name {
    /// Names a file in `folder` by what `make` does with the path.
    fn of<T>(folder: &Path, make: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut live = live();
        if live.ended {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let made = tempfile::Builder::new().prefix(".warpseq.").suffix(".tmp").make_in(folder, make)?;
        let (made, path) = made.into_parts();
        live.paths.insert(path.to_path_buf());
        Ok((made, Self(Some(path))))
    }

    /// Renames the file to `place`.
    fn rename(mut self, place: &Path) -> io::Result<()> {
        let path = self.0.take().expect("it is there until renamed, which consumes it, or dropped");
        let mut live = live();
        if !live.paths.remove(&*path) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        path.persist(place).map_err(|failure| failure.error)
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut live = live();
            live.paths.remove(&*path);
            drop(path);
        }
    }
}

/// A new file has these permissions, less the umask.
const PERMISSIONS: u32 = 0o666;

/// Creates a file without a name, if the file system of `folder` has such files and this one could be named later.
fn unnamed(folder: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).custom_flags(libc::O_TMPFILE).mode(PERMISSIONS).open(folder).ok()?;
    fs::symlink_metadata(entry_of(&file)).ok()?;
    Some(file)
}

/// An open file among those that the system lists.
fn entry_of(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Gives a name to a file that has none.
fn link(file: &File, path: &Path) -> io::Result<()> {
    let [from, to] = [&entry_of(file), path].map(|path| CString::new(path.as_os_str().as_bytes()));
    let (from, to) = (from?, to?);
    let (here, follow) = (libc::AT_FDCWD, libc::AT_SYMLINK_FOLLOW);
    // SAFETY: both paths end with a NUL and live until the call returns.
    match unsafe { libc::linkat(here, from.as_ptr(), here, to.as_ptr(), follow) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

impl Temporary {
    /// Creates a file in the folder of `place`, with the permissions that `place` has, or would have if it existed.
    ///
    /// # Errors
    ///
    /// The reason why the file cannot be created.
    pub(super) fn create(place: &Path) -> io::Result<(File, Self)> {
        let folder = folder_of(place);
        let replaced = match OpenOptions::new().write(true).open(place) {
            Ok(file) => Some(file.metadata()?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        fs::metadata(folder)?;
        let (file, state) = match unnamed(folder) {
            Some(file) => (file.try_clone()?, State::Unnamed(file)),
            None => named(folder)?,
        };
        if let Some(permissions) = replaced {
            file.set_permissions(permissions)?;
        }
        Ok((file, Self { state, place: place.to_path_buf() }))
    }

    /// The folder of the file.
    pub(super) fn folder(&self) -> PathBuf {
        folder_of(&self.place).to_path_buf()
    }

    /// Renames files to their places, after all of them have names. The paths are their names in errors.
    ///
    /// # Errors
    /// [`FileError::Interrupted`] if a signal has removed them; [`FileError::File`].
    pub(super) fn rename_all(complete: Vec<(Self, PathBuf)>) -> Result<()> {
        let mut ready = Vec::new();
        for (Self { state, place }, label) in complete {
            let name = match state {
                State::Named(name) => Ok(name),
                State::Unnamed(file) => named_late(&file, folder_of(&place)),
            };
            ready.push((name.map_err(|source| cannot_create(&label, source))?, place, label));
        }
        ready
            .into_iter()
            .try_for_each(|(name, place, label)| name.rename(&place).map_err(|source| cannot_create(&label, source)))
    }
}

/// Names a file that has no name, or a copy of it where the system forbids that.
fn named_late(file: &File, folder: &Path) -> io::Result<Name> {
    let (refused, name) = match Name::of(folder, |path| link(file, path)) {
        Ok(((), name)) => return Ok(name),
        Err(refused) if refused.kind() == io::ErrorKind::Interrupted => return Err(refused),
        Err(refused) => (refused, named(folder)),
    };
    let Ok((mut copy, State::Named(name))) = name else { return Err(refused) };
    let (mut file, permissions) = (file, file.metadata()?.permissions());
    file.rewind()?;
    io::copy(&mut file, &mut copy)?;
    copy.set_permissions(permissions)?;
    Ok(name)
}

fn named(folder: &Path) -> io::Result<(File, State)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(PERMISSIONS);
    match Name::of(folder, |path| options.open(path)) {
        Ok((file, name)) => Ok((file, State::Named(name))),
        // The folder is there, so it is one that the system makes up.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "no files can be created in that folder"))
        }
        Err(error) => Err(error),
    }
}

/// An error of creating the file called `label`.
pub(super) fn cannot_create(label: &Path, source: io::Error) -> FileError {
    match source.kind() {
        io::ErrorKind::Interrupted => FileError::Interrupted,
        _ => FileError::File { path: label.to_path_buf(), action: "create", source },
    }
}

/// A temporary folder, removed when it is dropped and when a signal ends the program.
pub struct Scratch {
    /// `None` only while this is dropped.
    folder: Option<TempDir>,
}

impl Scratch {
    /// Creates a folder in `parent`, with a name that starts with `prefix`.
    ///
    /// # Errors
    /// The reason why it cannot be created.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<Self> {
        let mut live = live();
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        live.paths.insert(folder.path().to_path_buf());
        Ok(Self { folder: Some(folder) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.as_ref().expect("it is there until dropped").path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut live = live();
        if let Some(folder) = self.folder.take() {
            live.paths.remove(folder.path());
            drop(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<PathBuf> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    }

    /// A name that was given between the reading of a folder and its removal has stopped it.
    #[test]
    fn a_folder_is_removed_while_files_are_created_in_it() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap().keep();
            (0..50).for_each(|k| fs::write(folder.join(format!("old{k}")), "").unwrap());
            thread::scope(|scope| {
                scope.spawn(|| (0..1000).take_while(|k| File::create(folder.join(format!("{k}"))).is_ok()).count());
                remove_folder(&folder).unwrap();
            });
            assert!(!folder.exists());
        }
    }

    /// In both kinds of file systems.
    #[test]
    fn a_file_takes_its_place_when_it_is_renamed_and_leaves_nothing_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        for (content, has_name) in [(b"one", false), (b"two", true)] {
            fs::write(&old, "old").unwrap();
            let _ = fs::remove_file(&new);
            let create = |place: &Path| {
                let (mut file, temporary) = if has_name {
                    let (file, state) = named(folder.path()).unwrap();
                    (file, Temporary { state, place: place.to_path_buf() })
                } else {
                    Temporary::create(place).unwrap()
                };
                file.write_all(content).unwrap();
                temporary
            };
            let before = names(folder.path());
            drop(create(&old));
            assert_eq!(names(folder.path()), before);
            Temporary::rename_all([&old, &new].map(|place| (create(place), place.clone())).into()).unwrap();
            assert_eq!([&old, &new].map(|place| fs::read(place).unwrap()), [content, content]);
            assert_eq!(names(folder.path()), [new.clone(), old.clone()]);
        }
    }
}
