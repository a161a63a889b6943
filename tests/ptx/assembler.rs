//! ptxas, NVIDIA's assembler, and what it says about each kernel's memory.

use crate::place::repository;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What ptxas says of a kernel that needs no memory for its variables.
pub const REGISTERS_ONLY: &str = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";

/// Whether a machine without ptxas or without kernels fails the tests instead of skipping them.
pub fn required() -> bool {
    std::env::var_os("WARPSEQ_REQUIRE_PTXAS").is_some_and(|v| v == "1")
}

/// A ptxas that runs.
pub struct Ptxas(PathBuf);

/// The first ptxas of: `$PTXAS`, the `PATH`, the folder `.venv` of `make test`. None is said aloud.
pub fn find() -> Option<Ptxas> {
    let set = std::env::var_os("PTXAS").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("ptxas"));
    let found = set.into_iter().chain(on_path).chain(in_venv(&repository().join(".venv"))).find(|p| p.is_file());
    if found.is_none() {
        assert!(!required(), "no ptxas in $PTXAS, in the PATH, or in .venv (make test installs it)");
        println!("skipped: no ptxas (make test installs it)");
    }
    found.map(Ptxas)
}

/// `.venv/lib/python3.11/site-packages/nvidia/cu13/bin/ptxas`, for any Python and any CUDA.
fn in_venv(venv: &Path) -> impl Iterator<Item = PathBuf> {
    let pythons = entries(venv.join("lib"));
    pythons.flat_map(|python| entries(python.join("site-packages/nvidia"))).map(|toolkit| toolkit.join("bin/ptxas"))
}

fn entries(folder: PathBuf) -> impl Iterator<Item = PathBuf> {
    folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path())
}

impl Ptxas {
    /// Assembles `ptx` for an architecture; answers each kernel's name and its stack and spills, or the complaint.
    pub fn assemble(&self, ptx: &str, sm: u32) -> Result<Vec<(String, String)>, String> {
        let folder = tempfile::tempdir().expect("a folder for the PTX");
        let (source, cubin) = (folder.path().join("kernels.ptx"), folder.path().join("kernels.cubin"));
        std::fs::write(&source, ptx).expect("the folder can be written");
        let mut command = Command::new(&self.0);
        command.args(["--verbose", "--gpu-name", &format!("sm_{sm}"), "--output-file"]).arg(&cubin).arg(&source);
        let output = command.output().map_err(|e| format!("cannot run {}: {e}", self.0.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(properties(&said)) } else { Err(said.into_owned()) }
    }
}

/// The line after each `Function properties for NAME`.
fn properties(said: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = said.lines().collect();
    let named = |pair: &[&str]| {
        let (_, name) = pair[0].split_once("Function properties for ")?;
        Some((name.trim().to_owned(), pair[1].trim().to_owned()))
    };
    lines.windows(2).filter_map(named).collect()
}

#[test]
fn a_stack_frame_is_seen() {
    let Some(ptxas) = find() else { return };
    let ptx = "
.version 6.3
.target sm_75
.address_size 64
.visible .entry stacked(.param .u64 out)
{
    .local .align 4 .b8 frame[256];
    .reg .b32 %r<3>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    mov.u64 %d3, frame;
    add.u64 %d4, %d3, %d2;
    st.local.u32 [%d4], %r1;
    ld.local.u32 %r2, [frame+8];
    st.global.u32 [%d1], %r2;
    ret;
}
";
    let kernels = ptxas.assemble(ptx, 75).expect("it assembles");
    let stacked = ("stacked".to_owned(), "256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads".to_owned());
    assert_eq!(kernels, [stacked]);
    assert!(ptxas.assemble("nonsense", 75).is_err());
}
