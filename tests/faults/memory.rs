//! Too little memory, on the GPU or to be pinned: less at a time, then the CPU for what does not fit, and right bytes.

use super::in_batches;

/// Said, with `-v`, when work goes to the CPU for want of memory.
const TO_CPU: &str = "on the CPU";

#[test]
fn too_little_memory_is_made_do_with() {
    for question in in_batches() {
        // 256M are held in reserve: a little, and next to none.
        for (device, wishes) in [
            ("cuda-or-cpu", "memory=300M"),
            ("cuda", "memory=257M"),
            ("cuda-or-cpu", "memory=8M"),
            ("cuda", "memory=1M"),
        ] {
            let said = question.whole(device, wishes);
            assert!(!said.contains("warning"), "{wishes}: {said}");
        }
    }
}

#[test]
fn what_does_not_fit_once_is_tried_again_with_half() {
    for question in in_batches() {
        for wishes in [
            "cuMemAlloc_v2:7=2",
            "cuMemHostAlloc:3=2",
            "cuLaunchKernel:1=2",
            "cuLaunchKernel:2=701",
            "cuStreamSynchronize:1=2",
            "cuStreamCreateWithPriority:2=2",
        ] {
            let said = question.whole("cuda", &format!("{wishes}, memory=1024M"));
            assert!(!said.contains("warning") && !said.contains(TO_CPU), "{wishes}: {said}");
        }
    }
}

#[test]
fn what_never_fits_is_the_cpus() {
    for mut question in in_batches() {
        question.arguments.push("-v".into());
        for (device, wishes) in [
            ("cuda-or-cpu", "cuMemAlloc_v2:1+=2"),
            ("cuda", "cuMemAlloc_v2:1+=2"),
            ("cuda-or-cpu", "cuMemHostAlloc:1+=2"),
            ("cuda", "cuLaunchKernel:1+=2"),
            ("cuda-or-cpu", "cuLaunchKernel:3+=701"),
            ("cuda", "cuStreamSynchronize:1+=2"),
        ] {
            let said = question.whole(device, wishes);
            assert!(!said.contains("warning") && said.contains(TO_CPU), "{wishes}: {said}");
        }
    }
}

#[test]
fn pinned_memory_that_is_refused_for_another_reason_is_a_fault() {
    for question in in_batches() {
        for wishes in ["cuMemHostAlloc:1=1", "cuMemHostAlloc:4+=801"] {
            let warning = question.whole("cuda-or-cpu", wishes);
            assert_eq!(warning.matches("warning: cuda:0").count(), 1, "{warning}");
            assert!(question.refused("cuda", wishes).contains("allocating pinned host memory"));
        }
    }
}
