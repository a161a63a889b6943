//! `warpseq completion` and `warpseq man`: files generated from the definition of the command line, so that they cover all of
//! it.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use warpseq::error::{FileError, Result};
use warpseq::output::Output;

const COMPLETION_EXAMPLES: &str = "\
Examples:
  warpseq completion bash > ~/.local/share/bash-completion/completions/warpseq
  warpseq completion zsh > ~/.zfunc/_warpseq
      with ~/.zfunc in fpath
  warpseq completion fish > ~/.config/fish/completions/warpseq.fish";

const PAGES_EXAMPLES: &str = "\
Examples:
  warpseq man | man -l -
      read the main page
  warpseq man ~/.local/share/man/man1
      install all pages: man warpseq-sign-search";

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_long_help = COMPLETION_EXAMPLES)]
pub struct Completion {
    /// Shell
    shell: Shell,
}

/// Print the manual page, or write one for each subcommand
#[derive(clap::Args)]
#[command(after_long_help = PAGES_EXAMPLES)]
pub struct Pages {
    /// Folder for the pages [default: the main page, on standard output]
    ///
    /// The folder is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Completion {
    /// Prints the script.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn run(self) -> Result<()> {
        write(None, &self.script())
    }

    fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Program::command(), "warpseq", &mut script);
        script
    }
}

impl Pages {
    /// Writes the pages.
    ///
    /// # Errors
    /// [`FileError::File`] if a page cannot be written.
    pub fn run(self) -> Result<()> {
        let pages = pages();
        let Some(folder) = self.folder else { return write(None, &pages[0].1) };
        let cannot = |source| FileError::File { path: folder.clone(), action: "create", source };
        std::fs::create_dir_all(&folder).map_err(cannot)?;
        pages.iter().try_for_each(|(name, page)| write(Some(&folder.join(name)), page))
    }
}

fn write(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    let mut output = Output::create(path, &[])?;
    output.put(bytes)?;
    Ok(output.finish()?)
}

/// The file name and the text of each manual page, the main one first.
fn pages() -> Vec<(String, Vec<u8>)> {
    let page = |command: Command| {
        let man = Man::new(command);
        let mut text = Vec::new();
        man.render(&mut text).expect("writing to memory does not fail");
        (man.get_filename(), text)
    };
    super::commands().into_iter().map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use std::io::Write;
    use std::process::{Command as Process, Stdio};

    /// Gives `text` to a program on standard input, and returns what it prints on standard error; `None` if there is no such
    /// program.
    fn checked_by(program: &str, arguments: &[&str], text: &[u8]) -> Option<String> {
        let streams = || Stdio::piped();
        let child =
            Process::new(program).args(arguments).stdin(streams()).stdout(Stdio::null()).stderr(streams()).spawn();
        let Ok(mut child) = child else {
            println!("skipped: {program} is not installed");
            return None;
        };
        child.stdin.take().unwrap().write_all(text).unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program}: {errors}");
        Some(errors)
    }

    #[test]
    fn every_subcommand_has_a_page() {
        let pages = pages();
        for command in super::super::commands() {
            let words = command.get_bin_name().unwrap().replace(' ', "-");
            let (_, page) = pages.iter().find(|(name, _)| *name == format!("{words}.1")).expect(&words);
            let page = String::from_utf8(page.clone()).unwrap().replace("\\-", "-");
            let options = command.get_arguments().filter(|option| !option.is_hide_set());
            for option in options.filter_map(|option| option.get_long()) {
                assert!(page.contains(&format!("--{option}")), "{words}: no --{option}");
            }
        }
        assert!(pages.len() > 15 && pages[0].0 == "warpseq.1");
    }

    #[test]
    fn groff_accepts_every_page() {
        for (name, page) in pages() {
            let Some(warnings) = checked_by("groff", &["-man", "-Tutf8", "-ww", "-Wbreak"], &page) else { return };
            assert_eq!(warnings, "", "{name}");
        }
    }

    #[test]
    fn every_subcommand_is_completed_in_every_shell() {
        for &shell in Shell::value_variants() {
            let script = String::from_utf8(Completion { shell }.script()).unwrap();
            for command in super::super::commands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
                for option in command.get_arguments().filter_map(|option| option.get_long()) {
                    assert!(script.contains(option), "{shell}: {} --{option}", command.get_name());
                }
            }
        }
    }

    #[test]
    fn bash_accepts_its_script() {
        checked_by("bash", &["-n"], &Completion { shell: Shell::Bash }.script());
    }
}
