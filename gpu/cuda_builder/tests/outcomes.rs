//! The three outcomes of `obtain`: built, prebuilt, CPU only.

use cuda_builder::{Compiler, CudaBuilder, Outcome, Target, digest, keep, obtain};
use std::path::{Path, PathBuf};

const TARGETS: [Target; 1] = [Target { floor: 75, ptx: "ptx63", cfgs: &[] }];

/// A new folder for a test, under cargo's.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).expect("a folder for the test");
    std::fs::write(folder.join("src/lib.rs"), "// a kernel crate\n").expect("a source for the test");
    folder
}

#[test]
fn without_a_compiler_kernels_of_the_same_sources_are_taken() {
    let root = fresh("same");
    keep(&root.join("ptx"), &TARGETS, &["// kept".into()], &digest(&root).unwrap()).unwrap();
    let outcome = obtain(&CudaBuilder::new(&root, root.join("cache")), None, &TARGETS, &root.join("ptx")).unwrap();
    assert!(matches!(outcome, Outcome::Prebuilt(texts, why) if texts == ["// kept"] && why.contains("rust-src")));
}

#[test]
fn without_a_compiler_kernels_of_other_sources_are_refused() {
    let root = fresh("other");
    keep(&root.join("ptx"), &TARGETS, &["// kept".into()], &digest(&root).unwrap()).unwrap();
    std::fs::write(root.join("src/lib.rs"), "// a changed kernel crate\n").unwrap();
    let outcome = obtain(&CudaBuilder::new(&root, root.join("cache")), None, &TARGETS, &root.join("ptx")).unwrap();
    assert!(matches!(outcome, Outcome::CpuOnly(why) if why.contains("other sources")));
}

#[test]
fn without_a_compiler_and_kept_kernels_there_is_only_the_cpu() {
    let root = fresh("none");
    let outcome = obtain(&CudaBuilder::new(&root, root.join("cache")), None, &TARGETS, &root.join("ptx")).unwrap();
    assert!(matches!(outcome, Outcome::CpuOnly(why) if why.contains("no prebuilt kernels")));
}

#[test]
fn with_a_compiler_kernels_are_built() {
    let Some(compiler) = Compiler::find() else {
        println!("skipped: no compiler for kernels on this machine (rustup component add rust-src)");
        return;
    };
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // The same cache as build.rs's, so that `core` is compiled once.
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("cuda");
    let builder = CudaBuilder::new(kernels, &cache).debug_assertions(true);
    let Outcome::Built(texts) = obtain(&builder, Some(&compiler), &TARGETS, Path::new("unused")).unwrap() else {
        panic!("a compiler was given, so kernels are built");
    };
    assert!(texts[0].contains(".target sm_75") && texts[0].contains(".visible .entry"));
}

#[test]
fn a_kernel_crate_that_does_not_compile_is_an_error() {
    let Some(compiler) = Compiler::find() else {
        println!("skipped: no compiler for kernels on this machine (rustup component add rust-src)");
        return;
    };
    let root = fresh("broken");
    let error = obtain(
        &CudaBuilder::new(&root, Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("cuda")),
        Some(&compiler),
        &TARGETS,
        &root.join("ptx"),
    );
    assert!(error.is_err(), "there is not even a Cargo.toml");
}
