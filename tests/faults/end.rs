//! What the program does of its end: nothing that the system does as well, unless it is watched.

use super::{Question, small};

/// The calls of the driver in a run on `cuda`, with this variable in its environment.
fn calls(question: &Question, variable: (&str, &str)) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = crate::cli::text(&folder.path().join("calls"));
    let ended = question.ask_with("cuda", &[("FAULTY_DRIVER", ""), ("FAULTY_DRIVER_CALLS", &path), variable]);
    assert!(ended.is_whole(question), "{}", ended.said);
    std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_program_that_ends_gives_its_gpu_to_the_system() {
    // The last one compares after it has signed, and gives back what it signed with.
    for question in &small()[..3] {
        let calls = calls(question, ("LLVM_PROFILE_FILE", ""));
        assert!(calls.iter().any(|call| call == "cuDevicePrimaryCtxRetain"), "{calls:?}");
        // What the work needed for a while is given back before the last kernel.
        let last = calls.iter().rposition(|call| call == "cuLaunchKernel").expect("kernels were launched");
        for release in ["cuDevicePrimaryCtxRelease_v2", "cuModuleUnload", "cuMemFree_v2", "cuMemFreeHost"] {
            assert!(!calls[last..].iter().any(|call| call == release), "{release}: {calls:?}");
        }
    }
}

#[test]
fn a_program_that_is_watched_gives_everything_back() {
    for question in small() {
        let calls = calls(&question, ("LLVM_PROFILE_FILE", "/dev/null"));
        let count = |name: &str| calls.iter().filter(|call| *call == name).count();
        for (taken, given) in [
            ("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2"),
            ("cuModuleLoadDataEx", "cuModuleUnload"),
            ("cuStreamCreateWithPriority", "cuStreamDestroy_v2"),
            ("cuMemAlloc_v2", "cuMemFree_v2"),
            ("cuMemHostAlloc", "cuMemFreeHost"),
        ] {
            assert!(count(taken) == count(given) && count(taken) > 0, "{taken}: {calls:?}");
        }
    }
}
