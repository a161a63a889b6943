"""What all tests use: an engine on the CPU, and the program whose rows are compared."""

import csv
import io
import os
import subprocess
from pathlib import Path

import pyarrow
import pytest
import warpseq

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"


@pytest.fixture(scope="session")
def engine():
    return warpseq.Engine(device="cpu")


@pytest.fixture(scope="session")
def program():
    """Runs the program, and returns its columns and its rows as text."""
    path = os.environ.get("WARPSEQ_BIN", str(ROOT / "target" / "debug" / "warpseq"))

    def run(*words, rows=True):
        command = [path, *map(str, words), "--device", "cpu", "-q"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if not rows:
            return None
        table = list(csv.reader(io.StringIO(done.stdout), delimiter="\t", quoting=csv.QUOTE_NONE))
        return table[0], table[1:]

    return run


def text_of(table, decimals):
    """Columns and rows of a table as the program writes them; `decimals` says how columns of fractions are written."""
    arrow = pyarrow.table(table)
    for name in arrow.column_names:
        assert arrow.column(name).null_count == 0 or arrow.schema.field(name).nullable

    def shown(name, value):
        if name in decimals:
            write, missing = decimals[name]
            return missing if value is None else write(value)
        return "*" if value is None else str(value)

    rows = [[shown(name, row[name]) for name in arrow.column_names] for row in arrow.to_pylist()]
    return arrow.column_names, rows


def options(case):
    """Arguments as options of the program."""
    for name, value in case.items():
        yield f"--{name.replace('_', '-')}"
        if value is not True:
            yield str(value)


def records(path):
    """Names and sequences of a FASTA file, or of a FASTQ file of four lines a record."""
    lines = path.read_text().splitlines()
    if lines[0].startswith("@"):
        return {name[1:].split()[0]: residues for name, residues in zip(lines[::4], lines[1::4])}
    named = {}
    for line in lines:
        if line.startswith(">"):
            name = line[1:].split()[0]
            named[name] = ""
        else:
            named[name] += line
    return named
