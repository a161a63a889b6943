//! The program: parses the command line and runs the subcommand.

mod cli;

use warpseq::allocator::Allocator;
use warpseq::console::say;
use warpseq::cuda::driver;
use warpseq::end;
use warpseq::error::Result;
use warpseq::outcome;
use warpseq::output::catch_signals;
use warpseq::profile;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() {
    // SAFETY: no thread has been started.
    unsafe { driver::open_few_connections() };
    end::with(outcome::of(run))
}

fn run() -> Result<()> {
    let command = cli::parse()?;
    catch_signals()?;
    command.run()?;
    profile::told().into_iter().flatten().for_each(|line| say(format_args!("warpseq: {line}")));
    Ok(())
}
