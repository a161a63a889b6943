//! ptxas, NVIDIA's assembler: from PTX to the machine code of one architecture (a cubin).
//!
//! A driver loads machine code in milliseconds, and compiles PTX in seconds, once on each machine. Machine code of an
//! architecture runs on later ones of the same major number, so a few of them serve most GPUs, and PTX the rest.
//!
//! What was assembled is kept: its name holds a digest of the text and the version of ptxas, so a build that changes neither
//! assembles nothing.

use crate::BuildError;
use crate::digest::fnv1a;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A ptxas that runs.
#[derive(Clone, Debug)]
pub struct Assembler {
    program: PathBuf,
    /// What `ptxas --version` prints; it tells assemblers apart.
    version: String,
}

impl Assembler {
    /// The environment variable that names a ptxas to use before any other, or `none` for no machine code.
    pub const SETTING: &str = "WARPSEQ_PTXAS";
    /// The environment variables that name the folder of a CUDA toolkit.
    pub const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];

    /// The first ptxas that runs, of: the one named by [`Assembler::SETTING`], those on the `PATH`, those of a CUDA toolkit,
    /// and `others`.
    ///
    /// # Errors
    /// When the one that is named does not run.
    pub fn find(others: &[PathBuf]) -> Result<Option<Self>, BuildError> {
        match std::env::var_os(Self::SETTING).filter(|setting| !setting.is_empty()) {
            Some(setting) if setting == "none" => Ok(None),
            Some(setting) => {
                let named = Self::at(Path::new(&setting));
                let refused = || BuildError::new(format!("{} names no ptxas: {}", Self::SETTING, setting.display()));
                named.ok_or_else(refused).map(Some)
            }
            None => {
                let path = std::env::var_os("PATH").unwrap_or_default();
                let toolkits = Self::TOOLKITS.iter().filter_map(std::env::var_os).map(PathBuf::from);
                let toolkits = toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|toolkit| toolkit.join("bin"));
                let folders = std::env::split_paths(&path).chain(toolkits).map(|folder| folder.join("ptxas"));
                Ok(folders.chain(others.iter().cloned()).find_map(|program| Self::at(&program)))
            }
        }
    }

    /// The ptxas at `program`, if it runs.
    pub fn at(program: &Path) -> Option<Self> {
        let output = Command::new(program).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success() && version.contains("Ptx")).then(|| Self { program: program.into(), version })
    }

    /// The machine code of `ptx` for `sm_{architecture}`, kept in the folder `cache`.
    ///
    /// # Errors
    /// What ptxas says, for example that it does not know the architecture; those of the files.
    pub fn assemble(&self, ptx: &str, architecture: u32, cache: &Path) -> Result<Vec<u8>, BuildError> {
        let key = fnv1a(format!("{}\0{ptx}", self.version).as_bytes());
        let kept = cache.join(format!("{key:016x}-sm_{architecture}.cubin"));
        if let Ok(code) = std::fs::read(&kept) {
            return Ok(code);
        }
        std::fs::create_dir_all(cache).map_err(|e| BuildError::file("create", cache, e))?;
        // Names of this process, so that another one that does the same is not disturbed.
        let [source, code] = ["ptx", "cubin"].map(|end| kept.with_extension(format!("{}.{end}", std::process::id())));
        std::fs::write(&source, ptx).map_err(|e| BuildError::file("write", &source, e))?;
        let mut command = Command::new(&self.program);
        command.args(["--gpu-name", &format!("sm_{architecture}"), "--output-file"]).arg(&code).arg(&source);
        let ran = crate::builder::run(command, &format!("assembling the kernels for sm_{architecture}"));
        let removed = std::fs::remove_file(&source).map_err(|e| BuildError::file("remove", &source, e));
        ran.and(removed)?;
        // The name appears when the file is whole.
        std::fs::rename(&code, &kept).map_err(|e| BuildError::file("rename", &code, e))?;
        std::fs::read(&kept).map_err(|e| BuildError::file("read", &kept, e))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A ptxas that knows sm_90 alone, and counts its calls in a file beside it.
    const SCRIPT: &str = "#!/bin/sh\n\
        if [ \"$1\" = --version ]; then echo 'Ptx optimizing assembler, release 13'; exit; fi\n\
        echo call >>\"$0.calls\"\n\
        [ \"$2\" = sm_90 ] || { echo \"ptxas fatal: $2 is not defined\" >&2; exit 1; }\n\
        { printf 'code of '; cat \"$5\"; } >\"$4\"\n";

    #[test]
    fn what_was_assembled_is_kept_and_what_was_not_is_told() {
        let folder = std::env::temp_dir().join(format!("assembler-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("ptxas");
        assert!(Assembler::at(&program).is_none());
        std::fs::write(&program, SCRIPT).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let assembler = Assembler::at(&program).unwrap();
        let cache = folder.join("cache");
        for text in ["one", "two", "one", "two"] {
            assert_eq!(assembler.assemble(text, 90, &cache).unwrap(), format!("code of {text}").into_bytes());
        }
        let calls = std::fs::read_to_string(folder.join("ptxas.calls")).unwrap();
        assert_eq!(calls.lines().count(), 2, "the same text is assembled once");
        let why = assembler.assemble("one", 120, &cache).unwrap_err().to_string();
        assert!(why.contains("sm_120 is not defined"), "{why}");
        let other = Assembler { version: "another".into(), ..assembler };
        other.assemble("one", 90, &cache).unwrap();
        assert_eq!(
            std::fs::read_dir(&cache).unwrap().count(),
            3,
            "another ptxas assembles again, and no other file stays"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }
}
