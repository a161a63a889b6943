//! `devices`: what there is, and whether it works.

use super::{run, warpseq};
use warpseq::cuda::kernels::MODULES;

#[test]
fn the_cpu_is_listed_where_there_is_no_gpu() {
    let (code, stdout, stderr) = run(&mut warpseq(&["devices"]));
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("cpu (") && stdout.contains(" thread"), "{stdout}");
    assert!(stderr.contains("no NVIDIA driver found") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn devices_are_listed_as_tables() {
    let listed = |words: &[&str]| {
        let mut command = warpseq(&[&["devices"], words].concat());
        let command = command.env("WARPSEQ_LIBCUDA", crate::place::faulty_driver()).env("FAULTY_DRIVER", "compute=9.0");
        let (code, stdout, stderr) = run(command);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{words:?}");
        stdout
    };
    let table = listed(&["--format", "tsv"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["device", "name", "memory", "threads", "compute_capability", "cuda", "usable", "state"]);
    assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == 8), "{table}");
    assert_eq!((&rows[1][..2], rows[1][4], rows[1][6]), (&["cuda:0", "Faulty 9000"][..], "9.0", "yes"));
    assert_eq!((rows[2][0], rows[2][2], rows[2][6]), ("cpu", "NA", "yes"));
    let objects: Vec<serde_json::Value> =
        listed(&["--format", "jsonl"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&objects[0]["device"], &objects[0]["memory"]),
        (&"cuda:0".into(), &rows[1][2].parse::<u64>().unwrap().into())
    );
    assert_eq!(objects[1]["memory"], serde_json::Value::Null);
    let columns = ["--format", "jsonl", "--columns", "device,threads"];
    let some: serde_json::Value = serde_json::from_str(listed(&columns).lines().nth(1).unwrap()).unwrap();
    assert_eq!(some, serde_json::json!({"device": "cpu", "threads": objects[1]["threads"]}));
    let (_, checks, _) = run(&mut warpseq(&["devices", "--check", "--format", "tsv"]));
    assert_eq!(checks, "device\tworks\tdifference\nreference\tyes\tNA\ncpu\tyes\tNA\nemulator\tyes\tNA\n");
}

#[test]
fn every_executor_passes_its_check() {
    let (code, stdout, stderr) = run(&mut warpseq(&["devices", "--check"]));
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "reference: ok\ncpu: ok\nemulator: ok\n", ""));
}

#[test]
fn every_gpu_of_this_machine_passes_its_check() {
    let (code, stdout, _) = run(warpseq(&["devices", "--check"]).env_remove(super::NO_DRIVER.0));
    if !stdout.contains("cuda:0") {
        assert!(std::env::var_os("WARPSEQ_REQUIRE_GPU").is_none(), "no GPU is listed: {stdout}");
        println!("skipped: there is no GPU");
        return;
    }
    assert_eq!(code, Some(0), "{stdout}");
    assert!(stdout.lines().all(|line| line.ends_with(": ok")), "{stdout}");
}

#[test]
fn the_form_of_a_gpus_kernels_is_told() {
    let listed = |wishes: &str| {
        let mut command = warpseq(&["devices"]);
        run(command.env("WARPSEQ_LIBCUDA", crate::place::faulty_driver()).env("FAULTY_DRIVER", wishes)).1
    };
    // There is no machine code for compute capability 11.0.
    assert!(listed("compute=11.0").contains("usable, with the kernels for sm_90 ("), "{}", listed("compute=11.0"));
    assert!(listed("compute=11.0").contains(", compiled by the driver when first used)"));
    if MODULES.iter().any(|module| !module.machine_code.is_empty()) {
        assert!(listed("compute=9.0").contains(", machine code for sm_90)"), "{}", listed("compute=9.0"));
        assert!(listed("compute=8.7").contains(", machine code for sm_86)"), "{}", listed("compute=8.7"));
    }
}

/// `devices --check` on the driver of `tests/driver`.
fn check(wishes: &str) -> (Option<i32>, String, String) {
    let mut command = warpseq(&["devices", "--check"]);
    run(command.env("WARPSEQ_LIBCUDA", crate::place::faulty_driver()).env("FAULTY_DRIVER", wishes))
}

#[test]
fn a_gpu_that_computes_right_passes_its_check() {
    let (code, stdout, stderr) = check("devices=2");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.ends_with("emulator: ok\ncuda:0 (Faulty 9000): ok\ncuda:1 (Faulty 9000): ok\n"), "{stdout}");
}

#[test]
fn a_gpu_that_gets_a_bit_wrong_fails_its_check_and_the_engine_is_named() {
    // Of some 160 copies to the host.
    let mut engines = Vec::new();
    for copy in [39, 100, 150] {
        let (code, stdout, stderr) = check(&format!("corrupt={copy}"));
        assert_eq!(code, Some(1), "corrupt={copy}: {stdout}");
        assert!(stderr.contains("1 of the devices above failed") && !stderr.contains("panicked"), "{stderr}");
        let (_, engine) = stdout.split_once("cuda:0 (Faulty 9000): FAILED: ").expect("the GPU is told apart");
        engines.push(engine[..engine.find(':').expect("an engine and why")].to_owned());
    }
    assert_eq!(engines, ["scan", "align", "sign"]);
}

#[test]
fn a_gpu_that_fails_its_check_is_listed_with_the_reason() {
    let (code, stdout, _) = check("cuLaunchKernel:5=700");
    assert!(code == Some(1) && stdout.contains("FAILED: scan: ") && stdout.contains("(700)"), "{stdout}");
}
