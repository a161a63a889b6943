"""Runs the workflow as it is run on many machines, and compares every byte with one run of the program.

    .venv/bin/python tools/cluster local [PROGRAM]    on this machine: different numbers of shards, a job that dies
    .venv/bin/python tools/cluster slurm [PROGRAM]    on a Slurm of two nodes, which is set up here and taken down again:
                                                      a killed job, a node that goes down, a full disk, GPUs
    .venv/bin/python tools/cluster scale [PROGRAM]    what a shard costs, as a table

PROGRAM is target/release/warpseq unless given. `slurm` needs root, Slurm and MUNGE; it leaves no process, mount or file. Exit code 0
if all is as it must be, 1 if something is not, 3 if it could not be tried, with the reason.
"""

import argparse
import signal
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import failures
import scale
from inputs import Inputs
from slurm import Missing, Slurm
from workflow import Difference, Workflow

COULD_NOT = 3
# Enough for a machine whose cores are busy with other things: all cases took 7 minutes on two of those.
SECONDS_OF_SLURM = 1500


def main():
    asked = arguments()
    program = Path(asked.program).resolve()
    if not program.exists():
        sys.exit(f"cluster: there is no program {program}; build it with `cargo build --release`")
    # A signal ends all that was begun.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    try:
        with tempfile.TemporaryDirectory(prefix="warpseq-cluster-") as folder:
            HOW[asked.how](program, Path(folder))
    except Missing as missing:
        print(f"NOT CHECKED: the workflow on Slurm, since {missing}", file=sys.stderr)
        sys.exit(COULD_NOT)
    except Difference as difference:
        sys.exit(f"cluster: {difference}")


def arguments():
    parser = argparse.ArgumentParser(prog="tools/cluster", description=__doc__.splitlines()[0])
    parser.add_argument("how", choices=HOW)
    parser.add_argument("program", nargs="?", default="target/release/warpseq")
    return parser.parse_args()


def local(program, folder):
    inputs = Inputs(program, folder / "inputs")
    Workflow(inputs, folder / "lint").lint()
    for shards, cases in [(1, {}), (5, {"die_once": 2})]:
        work = Workflow(inputs, folder / f"shards{shards}", shards=shards, **cases)
        work.run("local")
        work.compare()
        work.report()
        print(f"the same bytes: {shards} shards on this machine{', one of which died once' if cases else ''}")


def slurm(program, folder):
    with within(SECONDS_OF_SLURM, folder), Slurm(folder / "slurm") as cluster:
        inputs = Inputs(program, folder / "inputs")
        for name, case in failures.CASES.items():
            begun = time.monotonic()
            case(cluster, inputs, folder / name)
            print(f"the same bytes: {name.replace('_', ' ')} ({time.monotonic() - begun:.0f} s)", flush=True)


@contextmanager
def within(seconds, folder):
    """What takes longer ends with the last lines of all logs in the folder."""

    def too_long(*_):
        logs = [*folder.glob("slurm/*.log"), *folder.glob("*/log"), *folder.glob("*/results/logs/*.log")]
        lines = [f"== {path.relative_to(folder)}\n{path.read_text(errors='replace')[-1000:]}" for path in sorted(logs)]
        raise Difference("\n".join([f"not done within {seconds} s", *lines]))

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


HOW = {"local": local, "slurm": slurm, "scale": scale.measure}

if __name__ == "__main__":
    main()
