//! Where the tests find the program, the repository, and the real inputs beside it.
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

/// Says that a test is skipped because `what` is missing. In CI (`CI=true`) nothing may be missing.
///
/// # Panics
/// In CI.
pub fn skip(what: &str) {
    assert!(var_os("CI").is_none_or(|value| value != "true"), "{what} is missing, and with CI=true no test is skipped");
    println!("skipped: {what} is missing");
}

/// A file or folder of `../shared`, the real inputs beside the repository. Where that folder is missing altogether, `.ci/run`
/// says so once and sets `WARPSEQ_CORPUS=absent`; a part of it that is missing is a failure in CI.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = repository().join("../shared");
    let found = folder.join(path);
    if found.exists() {
        return Some(found);
    }
    if folder.exists() || var_os("WARPSEQ_CORPUS").is_none_or(|value| value != "absent") {
        skip(&format!("../shared/{path}"));
    } else {
        println!("skipped: the folder ../shared is missing");
    }
    None
}
