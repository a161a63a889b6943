//! `tools/soak`: a short one, and proof that it sees a difference, a wrong exit code and a panic.
//!
//! `WARPSEQ_SOAK_SECONDS` makes it longer; without a Python the tests say "skipped".

use crate::place::{program, repository, skip};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code, and what it said.
fn soak(program: &Path, kept: &Path, arguments: &[&str]) -> Option<(Option<i32>, String)> {
    let folder = ["tools/soak", "soak"].map(|place| repository().join(place)).into_iter().find(|place| place.is_dir());
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(folder.expect("soak is in the repository and in the bundle"));
    command.args(arguments).arg("--keep").arg(kept).arg(program);
    let Ok(done) = command.output() else {
        skip("python3");
        return None;
    };
    let said = [done.stdout, done.stderr].concat();
    Some((done.status.code(), String::from_utf8_lossy(&said).into_owned()))
}

#[test]
fn a_short_soak_finds_no_difference() {
    let told = std::env::var("WARPSEQ_SOAK_SECONDS").unwrap_or("12".into());
    let seconds: u32 = told.parse().expect("WARPSEQ_SOAK_SECONDS is a number");
    let counted = [" scan", " align", " sign", " reference", " threads", " memory", " form"];
    // On a busy machine few rounds fit, and then not all kinds.
    for seconds in [seconds, 8 * seconds] {
        let kept = tempfile::tempdir().unwrap();
        let arguments = ["--seconds", &seconds.to_string(), "--seed", "7", "--device", "cpu"];
        let Some((code, said)) = soak(&program(), &kept.path().join("failure"), &arguments) else { return };
        assert_eq!(code, Some(0), "{said}");
        if counted.iter().all(|kind| said.contains(kind)) {
            return;
        }
    }
    panic!("not all of {counted:?} were compared");
}

/// A program that is the real one, but for what `script` does; it has `$real` and the arguments.
fn wrapped(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("wrapped");
    fs::write(&path, format!("#!/usr/bin/env bash\nreal={:?}\n{script}\n", program().to_str().unwrap())).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn what_is_wrong_now_and_then_ends_a_soak_with_the_command_that_shows_it() {
    // With three threads, say, of which one is wrong.
    let wrong = [
        (r#"case " $* " in *" -t 3 "*) "$real" "$@" && printf x; exit ;; esac; exec "$real" "$@""#, "answers differ"),
        (r#"case " $* " in *" -t 3 "*) exit 3 ;; esac; exec "$real" "$@""#, "ended with 3"),
        (r#"case " $* " in *" -t 3 "*) echo "thread 'x' panicked" >&2 ;; esac; exec "$real" "$@""#, "it panicked"),
        (r#"case " $* " in *" --verify"*) "$real" "$@" 2>/dev/null; exit ;; esac; exec "$real" "$@""#, "identical"),
    ];
    for (script, words) in wrong {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        let arguments = ["--seconds", "100", "--seed", "1", "--device", "cpu"];
        let Some((code, said)) = soak(&wrapped(folder.path(), script), &kept, &arguments) else { return };
        assert!(code == Some(1) && said.contains("FAILED") && said.contains(words), "{code:?}: {said}");
        let shown = said.lines().find_map(|line| line.strip_prefix("    cd ")).expect("a command");
        assert!(shown.starts_with(kept.to_str().unwrap()) && shown.contains("wrapped "), "{shown}");
        assert!(fs::read_dir(&kept).unwrap().count() > 0, "the inputs are kept");
        let again = said.lines().find_map(|line| line.trim().strip_prefix("python3 ")).expect("a command to repeat it");
        let repeated =
            Command::new("bash").arg("-c").arg(format!("python3 {again} --keep {}", kept.display())).output();
        let repeated = repeated.unwrap();
        assert!(repeated.status.code() == Some(1), "{}", String::from_utf8_lossy(&repeated.stdout));
    }
}
