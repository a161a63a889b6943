//! Benchmarks: the works' descriptions, wrong answers, the three clocks, records and studies.

mod align;
mod files;
mod scan;
mod sign;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use warpseq::bench::machine::copy_rate;
use warpseq::bench::spread::Repeat;
use warpseq::bench::{Bench, Clock, Figure, Rig};
use warpseq::emulated::Emulated;
use warpseq::error::Error;

pub fn bench(rig: Option<Rig<Emulated>>, programs: Vec<PathBuf>) -> Bench<Emulated> {
    let repeat = Repeat { runs: 2, at_most: Duration::from_secs(60) };
    let devices = ["cpu"].into_iter().chain(rig.as_ref().map(|_| "emulator")).map(str::to_owned).collect();
    Bench { rig, devices, repeat, programs, scratch: std::env::temp_dir(), inputs: PathBuf::from("none") }
}

pub fn rig() -> Rig<Emulated> {
    Rig { gpu: Arc::new(Emulated::default()), copy_rate: 1e9 }
}

pub fn of(figures: &[Figure], clock: Clock) -> usize {
    figures.iter().filter(|figure| figure.clock == clock).count()
}

pub fn message<T>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Mismatch(message)) => message,
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("a wrong answer passed"),
    }
}

/// A program that runs `script`, whatever it is asked.
pub fn program(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("program");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn the_copy_rate_is_measured() {
    assert!(copy_rate(&Arc::new(Emulated::default()), 1 << 16).unwrap() > 0.0);
}
