//! Where the tests find the program and the repository.
//!
//! Both are asked for at run time, never baked in by `env!`, so that the test executables also run from a folder on another
//! machine (`make gpu-bundle`), and hold no path of the machine that built them.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::env::{current_dir, current_exe, var_os};
use std::path::PathBuf;

/// The root of the repository: `WARPSEQ_ROOT`, or what cargo says, or the current folder.
pub fn repository() -> PathBuf {
    let told = var_os("WARPSEQ_ROOT").or_else(|| var_os("CARGO_MANIFEST_DIR")).map(PathBuf::from);
    told.unwrap_or_else(|| current_dir().expect("a test runs in a folder"))
}

/// The program `warpseq`: `WARPSEQ_BIN`, or the one that cargo built beside the folder of this test executable.
pub fn program() -> PathBuf {
    var_os("WARPSEQ_BIN").map(PathBuf::from).unwrap_or_else(|| {
        let test = current_exe().expect("a test knows its executable");
        let profile = test.ancestors().nth(2).expect("cargo puts tests into <target>/<profile>/deps");
        profile.join(format!("warpseq{}", std::env::consts::EXE_SUFFIX))
    })
}

/// The driver that fails as told (`tests/driver`): the library beside this test executable, where cargo builds it.
pub fn faulty_driver() -> PathBuf {
    let test = current_exe().expect("a test knows its executable");
    test.with_file_name(format!("{DLL_PREFIX}faulty_driver{DLL_SUFFIX}"))
}
