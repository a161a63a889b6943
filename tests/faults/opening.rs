//! A GPU that is opened, or cannot be: under `cuda-or-cpu` and `auto` the CPU computes, with the reason (unless an `auto` run is
//! over before it is known); asked for `cuda`, the run is refused.

use super::{Ended, Question, small};
use crate::cli::told_of_no_gpu;
use warpseq::cuda::kernels::MODULES;

/// What is wished, and what the user is told.
const CASES: [(&str, &[&str]); 11] = [
    ("devices=0", &["shows no GPU", "nvidia-smi"]),
    ("cuInit:1=100", &["shows no GPU"]),
    ("cuInit:1=803", &["CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)", "restart"]),
    ("version=11.4", &["cuda:0 (Faulty 9000)", "CUDA 11.4", "PTX ISA 8.0", "(222)", "update the driver"]),
    ("compute=6.1", &["compute capability is 6.1", "need at least 7.5"]),
    ("cuDevicePrimaryCtxRetain:1=46", &["CUDA_ERROR_DEVICE_UNAVAILABLE (46)", "another program uses this GPU alone"]),
    ("cuDevicePrimaryCtxRetain:1=2", &["CUDA_ERROR_OUT_OF_MEMORY (2)"]),
    ("cuModuleLoadDataEx:1+=218", &["CUDA_ERROR_INVALID_PTX (218)", "report this"]),
    ("cuModuleLoadDataEx:1=999", &["CUDA_ERROR_UNKNOWN (999)"]),
    ("cuDeviceGetName:1=801", &["CUDA_ERROR_NOT_SUPPORTED (801)"]),
    // A number that no version of the driver's header has.
    ("cuCtxSetCurrent:1=4711", &["(4711)"]),
];

#[test]
fn the_reason_is_told_and_the_cpu_computes_or_nobody() {
    for question in small() {
        for (wishes, parts) in CASES {
            let note = question.whole("cuda-or-cpu", wishes);
            question.whole("auto", wishes);
            let error = question.refused("cuda", wishes);
            for part in parts {
                assert!(note.contains(part) && error.contains(part), "{wishes}: {part}: {note}{error}");
            }
            assert!(note.contains("on the CPU: ") && error.contains("--device cpu"), "{note}{error}");
        }
    }
}

#[test]
fn without_a_driver_the_cpu_computes_or_nobody() {
    for question in small() {
        let without = [("WARPSEQ_LIBCUDA", "libcuda-of-no-machine.so.1")];
        let [auto, either, cuda] = ["auto", "cuda-or-cpu", "cuda"].map(|device| question.ask_with(device, &without));
        assert!(auto.is_whole(&question) && cuda.is_refused(), "{}{}", auto.said, cuda.said);
        // The same notes; which of a search's parts says its own first is chance.
        let [of_auto, of_either] = [&auto, &either].map(|ended| {
            let mut lines: Vec<String> = ended.said.lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        });
        assert!(either.is_whole(&question), "{of_either:?}");
        assert!(of_auto == of_either || !told_of_no_gpu().contains(&"auto"), "{of_auto:?}, {of_either:?}");
        for Ended { said, .. } in [either, cuda] {
            assert!(said.contains("no NVIDIA driver found (libcuda-of-no-machine.so.1)"), "{said}");
        }
    }
}

#[test]
fn a_gpu_that_is_not_there_is_refused() {
    for question in small() {
        assert!(question.refused("cuda:1", "").contains("there is no GPU cuda:1"));
        question.whole("cuda:1", "devices=2");
    }
}

#[test]
fn one_of_two_gpus_that_opens_is_enough() {
    let scan: &Question = &small()[0];
    assert!(!scan.whole("cuda", "devices=2, cuModuleLoadDataEx:1=218").contains("error"));
}

/// The modules that a run loads, or tries to.
fn loads(question: &Question, wishes: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = crate::cli::text(&folder.path().join("calls"));
    let ended = question.ask_with("cuda", &[("FAULTY_DRIVER", wishes), ("FAULTY_DRIVER_CALLS", &path)]);
    assert!(ended.is_whole(question), "{wishes}: {}", ended.said);
    let calls = std::fs::read_to_string(&path).unwrap();
    calls.lines().filter(|call| *call == "cuModuleLoadDataEx").count()
}

#[test]
fn a_run_loads_the_module_of_its_engine_alone() {
    // The last one opens the GPU more than once.
    small()[..3].iter().for_each(|question| assert_eq!(loads(question, ""), 1));
}

#[test]
fn where_the_driver_refuses_machine_code_it_compiles_the_text() {
    if MODULES.iter().all(|module| module.machine_code.is_empty()) {
        return println!("skipped: this build holds no machine code, since there was no ptxas");
    }
    for question in &small()[..3] {
        for code in [200, 209, 218, 222, 801] {
            assert_eq!(loads(question, &format!("cuModuleLoadDataEx:1={code}")), 2, "{code}");
        }
        // There is none for this one, though it runs the text of sm_90.
        assert_eq!(loads(question, "compute=11.0"), 1);
    }
}
