"""Runs warpseq on random inputs, options and seeds until the time is over, and stops at the first difference.

    python3 tools/soak [--seconds N] [--seed S] [--device auto|cpu|cuda] [PROGRAM]

A round draws an engine (scan, align, sign), inputs made by `warpseq simulate` and mutated, and options. It runs the engine
with --verify, then again on other devices, with other numbers of threads and amounts of memory, with the same inputs in
other forms (line ends, wrapping, gzip, pipes) and, of signatures, from a file or on the fly: all answers must be the same
bytes. Damaged inputs must end in an answer or an error. After a difference, an unexpected exit code, a panic or a hang it
ends with 1, keeps the inputs, and prints the commands that show it, and the one that repeats the round.

PROGRAM is WARPSEQ_BIN or target/release/warpseq unless given. Needs Python 3.10 and nothing else.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import align
import scan
import sign
from program import Program, Trouble

ENGINES = {"scan": scan, "align": align, "sign": sign}
# How likely rounds are of a few symbols, of thousands, of a second's work, and of several batches.
SIZES = (0.3, 0.45, 0.22, 0.03)
TOLD_EVERY_SECONDS = 10


def main():
    asked = arguments()
    path = Path(asked.program or os.environ.get("WARPSEQ_BIN", "target/release/warpseq")).resolve()
    if not path.exists():
        sys.exit(f"soak: there is no program {path}; build it with `cargo build --release`")
    with tempfile.TemporaryDirectory(prefix="warpseq-soak-") as folder:
        program = Program(path, Path(folder))
        choose_devices(program, asked.device)
        print(f"soak: seed {asked.seed}, {asked.seconds} s, devices {', '.join(program.others)}", flush=True)
        try:
            soak(program, asked)
        except Trouble as trouble:
            complain(program, trouble, asked)
            return 1
    return 0


def arguments():
    parser = argparse.ArgumentParser(prog="soak", description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--round", type=int, help="this round alone")
    parser.add_argument("--keep", type=Path, default=Path("soak-failure"), help="where the inputs of a failure go")
    return parser.parse_args()


def choose_devices(program, device):
    """With a GPU, verified runs are on the GPU and others on either; a GPU that is asked for must be there."""
    (program.folder / "x.fa").write_text(">x\nACGT\n")
    if device == "cpu":
        return
    found = program.run(["scan", "x.fa", "x.fa", "--device", "cuda"], codes=(0, 1))
    if found.code and device == "cuda":
        sys.exit(f"soak: {found.stderr.strip()}")
    if not found.code:
        program.device, program.others = "cuda", ["cuda", "cuda", "cpu"]


def soak(program, asked):
    start = told = time.monotonic()
    number, rounds, slowest = asked.round or 0, {engine: 0 for engine in ENGINES}, (0, "none")
    while True:
        dice = random.Random(f"{asked.seed} {number}")
        engine, size = dice.choice(list(ENGINES)), dice.choices(range(len(SIZES)), SIZES)[0]
        program.round, began = number, time.monotonic()
        ENGINES[engine].round(dice, program, size)
        slowest = max(slowest, (time.monotonic() - began, f"{engine}, round {number}"))
        number, rounds[engine] = number + 1, rounds[engine] + 1
        now = time.monotonic()
        over = now - start >= asked.seconds or asked.round is not None
        if over or now - told >= TOLD_EVERY_SECONDS:
            told = now
            tell(program, rounds, now - start)
        if over:
            print(f"soak: no differences; the slowest round took {slowest[0]:.0f} s: {slowest[1]}", flush=True)
            return
        for file in program.folder.iterdir():
            file.unlink()


def tell(program, rounds, seconds):
    shown = lambda counts: ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    print(f"soak: {seconds:.0f} s; rounds: {shown(rounds)}; {shown(program.counts)}", flush=True)
    print(f"      compared with or by: {shown(dict(sorted(program.compared.items())))}", flush=True)


def complain(program, trouble, asked):
    kept = asked.keep.resolve()
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(program.folder, kept)
    print(f"soak: round {program.round} of seed {asked.seed} FAILED: {trouble}")
    print(f"its inputs are in {kept}; this shows it:")
    for command in trouble.commands:
        print("    " + command.replace(str(program.folder), str(kept)))
    here = os.path.relpath(Path(__file__).resolve().parent)
    again = f"{here} --seed {asked.seed} --round {program.round} --device {asked.device}"
    print(f"and this repeats the round:\n    python3 {again} {program.path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
