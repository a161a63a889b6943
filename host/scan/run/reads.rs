//! Reads out: the fragments that a signature matches, and those that none does, as they came in.
//!
//! ```text
//! --matched a_#.fq       single sequences -> a_.fq     mates 1 -> a_1.fq     mates 2 -> a_2.fq
//! --matched a --matched2 b                             mates 1 -> a          mates 2 -> b
//! --matched a.fq         single sequences -> a.fq      both mates of each pair, one behind the other -> a.fq
//! ```
//!
//! `{sample}` in a name makes files of each sample. All names are known before anything is written, and none appears before all
//! files are complete.

use crate::inputs::Inputs;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use warpseq_engine::error::{Error, Result};
use warpseq_io::error::FileError;
use warpseq_io::output::places::{Place, Places};
use warpseq_io::output::{Complete, Output};

const LABEL: &[u8] = b"{sample}";

/// Where fragments go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Of all fragments, but for mates 2 where these have a name.
    pub first: PathBuf,
    /// Of mates 2.
    pub second: Option<PathBuf>,
}

/// The fragments that are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadsOut {
    /// Those that a signature matches.
    pub matched: Option<Names>,
    /// Those that none matches.
    pub unmatched: Option<Names>,
}

/// Single sequences, mates 1 and mates 2: what a file may be for.
const ROLES: usize = 3;

impl Names {
    fn has_number(&self) -> bool {
        self.first.file_name().is_some_and(|name| name.as_bytes().contains(&b'#'))
    }

    fn has_label(&self) -> bool {
        let holds = |path: &PathBuf| path.as_os_str().as_bytes().windows(LABEL.len()).any(|part| part == LABEL);
        holds(&self.first) || self.second.as_ref().is_some_and(holds)
    }

    /// Whether both mates of a pair go to one file.
    fn are_together(&self) -> bool {
        self.second.is_none() && !self.has_number()
    }

    /// The file for a role, in a sample.
    fn of(&self, role: usize, label: &[u8]) -> PathBuf {
        let numbers: [&[u8]; ROLES] = [b"", b"1", b"2"];
        let path = match (&self.second, role) {
            (Some(second), 2) => second.clone(),
            _ if self.has_number() => {
                let name = self.first.file_name().expect("it holds a number").as_bytes();
                self.first.with_file_name(OsString::from_vec(replaced(name, b"#", numbers[role])))
            }
            _ => self.first.clone(),
        };
        PathBuf::from(OsString::from_vec(replaced(path.as_os_str().as_bytes(), LABEL, label)))
    }

    /// Refuses names that leave a fragment without a place.
    fn check(&self, option: &str, inputs: &Inputs) -> Result<()> {
        let second = self.second.is_some();
        if second && self.has_number() {
            return Err(Error::Usage(format!("--{option} with `#` names both files: leave --{option}2 out")));
        }
        if second && inputs.all().iter().any(|input| !input.reads.are_paired()) {
            return Err(Error::Usage(format!(
                "--{option}2 is for mates, and there are sequences without: give --{option} a name with `#`, which stands for \
                 1, 2 or nothing"
            )));
        }
        let bad = |label: &&Vec<u8>| label.contains(&b'/') || [&b"."[..], b".."].contains(&&label[..]);
        if let Some(label) = inputs.samples().iter().find(bad).filter(|_| self.has_label()) {
            let label = String::from_utf8_lossy(label);
            return Err(Error::Usage(format!(
                "the sample {label} cannot be part of a file's name: give it another label"
            )));
        }
        let several = self.has_label()
            && self.second.as_ref().is_some_and(|second| {
                !Self { first: second.clone(), second: None }.has_label()
                    || !Self { first: self.first.clone(), second: None }.has_label()
            });
        match several {
            true => Err(Error::Usage(format!(
                "one of --{option} and --{option}2 has {{sample}}: give it to both or to none"
            ))),
            false => Ok(()),
        }
    }
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|part| part == from) {
        all.extend_from_slice(&rest[..at]);
        all.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    all.extend_from_slice(rest);
    all
}

impl ReadsOut {
    fn both(&self) -> [(&'static str, Option<&Names>); 2] {
        [("matched", self.matched.as_ref()), ("unmatched", self.unmatched.as_ref())]
    }

    /// Whether none are written.
    pub fn is_empty(&self) -> bool {
        self.matched.is_none() && self.unmatched.is_none()
    }

    /// The places of all files.
    ///
    /// # Errors
    /// [`Error::Usage`] for names that leave a fragment without a place; those of [`Places::add`].
    pub(super) fn places(&self, inputs: &Inputs, places: &mut Places) -> Result<Planned> {
        let mut sets = Vec::new();
        for (option, names) in self.both() {
            names.map_or(Ok(()), |names| names.check(option, inputs))?;
        }
        for (number, label) in inputs.samples().iter().enumerate() {
            let mut files = Vec::new();
            let of_sample = |paired: bool| {
                inputs.all().iter().any(|input| input.sample == number && input.reads.are_paired() == paired)
            };
            let wanted = |names: &Names, role: usize| match names.has_label() {
                true => of_sample(role > 0),
                false => number == 0 && inputs.all().iter().any(|input| input.reads.are_paired() == (role > 0)),
            };
            for (kind, (option, names)) in self.both().into_iter().enumerate() {
                let Some(names) = names else { continue };
                let mut own: Vec<(PathBuf, Place, Vec<usize>)> = Vec::new();
                for role in (0..ROLES).filter(|&role| wanted(names, role)) {
                    let path = names.of(role, label);
                    match own.iter_mut().find(|(other, ..)| *other == path) {
                        Some((.., roles)) => roles.push(role),
                        None => {
                            let place = places.add(&format!("--{option}"), Some(&path))?;
                            own.push((path, place, vec![role]));
                        }
                    }
                }
                let lasts = !names.has_label();
                files.extend(own.into_iter().map(|(_, place, roles)| PlannedFile { place, kind, roles, lasts }));
            }
            sets.push(files);
        }
        Ok(Planned(sets))
    }

    /// The text of fragments: of those matched and those not, for each role.
    pub(super) fn texts<'t>(&self, paired: bool, matched: &[bool], text: impl Fn(usize) -> &'t [u8]) -> Texts {
        let mut texts = Texts::default();
        let names = self.both().map(|(_, names)| names);
        for (fragment, &is_matched) in matched.iter().enumerate() {
            let kind = usize::from(!is_matched);
            let Some(names) = names[kind] else { continue };
            if !paired {
                texts[kind][0].extend_from_slice(text(fragment));
                continue;
            }
            for mate in 0..2 {
                let role = if names.are_together() { 1 } else { 1 + mate };
                texts[kind][role].extend_from_slice(text(2 * fragment + mate));
            }
        }
        texts
    }
}

/// Text for each kind of fragment, matched and unmatched, and each role.
pub(super) type Texts = [[Vec<u8>; ROLES]; 2];

/// A file of a sample.
struct PlannedFile {
    place: Place,
    kind: usize,
    roles: Vec<usize>,
    /// Whether it is for all samples.
    lasts: bool,
}

/// The files of each sample, not yet opened.
pub(super) struct Planned(Vec<Vec<PlannedFile>>);

/// A file that is open; `None`: whoever read it has closed it.
struct OpenFile {
    output: Option<Output>,
    kind: usize,
    roles: Vec<usize>,
    lasts: bool,
}

/// The files while they are written.
pub(super) struct Files {
    planned: std::vec::IntoIter<Vec<PlannedFile>>,
    open: Vec<OpenFile>,
    complete: Vec<Complete>,
    closed: bool,
}

impl Files {
    /// Opens those of the first sample, and those of all samples.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn open(Planned(sets): Planned) -> Result<Self> {
        let (open, complete) = Default::default();
        let mut files = Self { planned: sets.into_iter(), open, complete, closed: false };
        files.next_sample()?;
        Ok(files)
    }

    /// Completes the files of the sample before, and opens those of the next one.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn next_sample(&mut self) -> Result<()> {
        self.complete(|file| !file.lasts)?;
        for PlannedFile { place, kind, roles, lasts } in self.planned.next().unwrap_or_default() {
            self.open.push(OpenFile { output: Some(place.open()?), kind, roles, lasts });
        }
        Ok(())
    }

    fn complete(&mut self, which: impl Fn(&OpenFile) -> bool) -> Result<()> {
        for output in self.open.extract_if(.., |file| which(file)).filter_map(|file| file.output) {
            match output.complete() {
                Err(FileError::ClosedPipe) => self.closed = true,
                complete => self.complete.push(complete?),
            }
        }
        Ok(())
    }

    /// Writes the text of some fragments of the sample.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn put(&mut self, texts: &Texts) -> Result<()> {
        for OpenFile { output, kind, roles, .. } in &mut self.open {
            for text in roles.iter().map(|&role| &texts[*kind][role]).filter(|text| !text.is_empty()) {
                match output.as_mut().map_or(Ok(()), |output| output.put(text)) {
                    Err(FileError::ClosedPipe) => (*output, self.closed) = (None, true),
                    written => written?,
                }
            }
        }
        Ok(())
    }

    /// Completes all files. They are still to be put in their places. Whether somebody has closed one.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn finish(mut self) -> Result<(Vec<Complete>, bool)> {
        self.complete(|_| true)?;
        Ok((self.complete, self.closed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let names =
            |first: &str, second: Option<&str>| Names { first: first.into(), second: second.map(PathBuf::from) };
        let of = |names: &Names| [0, 1, 2].map(|role| names.of(role, b"x#").display().to_string());
        assert_eq!(of(&names("d#/a_#.fq", None)), ["d#/a_.fq", "d#/a_1.fq", "d#/a_2.fq"]);
        assert_eq!(of(&names("{sample}/#.fq", None)), ["x#/.fq", "x#/1.fq", "x#/2.fq"]);
        assert_eq!(of(&names("a", Some("b"))), ["a", "a", "b"]);
        assert_eq!(of(&names("{sample}_{sample}.gz", None)), ["x#_x#.gz"; 3]);
        assert!(names("a", None).are_together() && !names("a#", None).are_together());
        assert!(names("a#/b", None).are_together(), "the number is in the name of the file");
    }
}
