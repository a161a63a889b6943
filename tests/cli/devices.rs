//! `devices`: what there is, and whether it works.

use super::{run, warpseq};

#[test]
fn the_cpu_is_listed_where_there_is_no_gpu() {
    let (code, stdout, stderr) = run(&mut warpseq(&["devices"]));
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("cpu (") && stdout.contains(" thread"), "{stdout}");
    assert!(stderr.contains("no NVIDIA driver found") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn every_engine_passes_its_check() {
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
