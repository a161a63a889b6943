//! A GPU that is lost while it computes: under `cuda-or-cpu` the CPU goes on, with one warning that names the work; asked for `cuda`,
//! the run is refused, and the error names it.

use super::in_batches;

// Which kernel was the last is not looked for here: of the two workers on the GPU, the one that is told first may have launched none.

/// What the three questions' work is called.
const WORK: [&str; 3] = ["the batch of sequences ", "a batch of ", "the batch of sequences "];

fn is_told(wishes: &str, part: &str) {
    for (question, work) in in_batches().iter().zip(WORK) {
        let warning = question.whole("cuda-or-cpu", wishes);
        let error = question.refused("cuda", wishes);
        assert_eq!(warning.matches("warpseq: warning: cuda:0").count(), 1, "{wishes}: {warning}");
        for said in [&warning, &error] {
            assert!(said.contains(work) && said.contains(part), "{wishes}: {said}");
        }
    }
}

#[test]
fn an_illegal_address_at_the_first_kernel() {
    is_told("cuLaunchKernel:1=700", "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
}

#[test]
fn an_illegal_address_that_a_wait_of_a_later_batch_tells() {
    is_told("cuStreamSynchronize:2=700", "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
}

#[test]
fn a_launch_that_fails() {
    is_told("cuLaunchKernel:2=719", "CUDA_ERROR_LAUNCH_FAILED (719)");
}

#[test]
fn hardware_that_cannot_correct_itself() {
    is_told("cuMemcpyHtoDAsync_v2:2=214", "nvidia-smi -q");
}

#[test]
fn a_gpu_that_disappears_between_batches() {
    for (code, name) in [(100, "NO_DEVICE"), (46, "DEVICE_UNAVAILABLE"), (999, "UNKNOWN")] {
        is_told(&format!("any:80+={code}"), name);
    }
}

#[test]
fn one_of_two_gpus_that_is_lost_leaves_the_work_to_be_done() {
    for question in in_batches() {
        question.whole("cuda-or-cpu", "devices=2, cuLaunchKernel:2=700");
        question.refused("cuda", "devices=2, cuLaunchKernel:2=700");
    }
}
