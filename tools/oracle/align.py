#!/usr/bin/env python3
"""Compares `warpseq align` with parasail (Daily 2016, BMC Bioinformatics 17:81) on random pairs.

Of every pair:
- the score is parasail's, or that of the border, where an alignment without a column (or, in fit, without a target symbol)
  ends; parasail does not count those cells, and answers less where nothing inside is worth as much;
- the end is the cell that the rules choose among the border and the cells of parasail's own score table;
- the CIGAR fills the ranges, calls equal letters equal, and adds up to the score;
- of short pairs, start and CIGAR are those of gotoh.py, which applies the rules of ties once more.

parasail's `scan` routines only: its `striped` and `diag` ones are wrong when opening and extending cost the same.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import gotoh
import numpy
import parasail

MODES = ("local", "global", "fit", "overlap")
CODES = "RYSWKMBDHVN"
# Name, letters to draw from, scores for a linear and an affine gap.
DNA = ("DNA", "ACGT")
DNA_WITH_CODES = ("DNA with N and other codes", "ACGT" * 5 + "NNN" + CODES)
PROTEIN = ("protein", "ARNDCQEGHILKMFPSTWYV" * 5 + "BZX")
SHORT = 2500  # cells, up to which gotoh.py is asked, too


class Scoring:
    """What one run of the program is told, and what parasail and gotoh.py are."""

    def __init__(self, kind, mode, linear):
        self.kind, self.mode = kind, mode
        if kind is PROTEIN:
            self.gap = (4, 4) if linear else (11, 1)
            self.matrix, self.alphabet = parasail.blosum62, "ARNDCQEGHILKMFPSTWYVBZX*"
            self.options = ["--matrix", "BLOSUM62"]
        else:
            match, mismatch = (1, -1) if linear else (2, -3)
            self.gap = (2, 2) if linear else (5, 2)
            self.alphabet = "ACGT" + CODES
            self.matrix = parasail.matrix_create(self.alphabet, match, mismatch)
            for code in range(4, len(self.alphabet)):
                self.matrix[code, code] = mismatch
            self.options = [f"--match={match}", f"--mismatch={mismatch}"]
        self.options += [f"--gap={self.gap[0]}"] if linear else [f"--gap-open={self.gap[0]}", f"--gap-extend={self.gap[1]}"]
        self.options += ["--mode", mode]
        self.places = {letter: place for place, letter in enumerate(self.alphabet)}
        self.table = numpy.array(self.matrix.matrix)

    def __str__(self):
        return " ".join([self.kind[0] + ":", *self.options])

    def score(self, letter, symbol):
        return int(self.table[self.places[letter], self.places[symbol]])

    def equal(self, letter, symbol):
        return letter == symbol and (self.kind is PROTEIN or letter in "ACGT")


def mutated(dice, letters, original):
    copy = []
    for letter in original:
        fate = dice.random()
        if fate < 0.06:
            copy.append(dice.choice(letters))
        elif fate < 0.08:
            copy.extend(dice.choices(letters, k=dice.randint(1, 6)) + [letter])
        elif fate > 0.1:
            copy.append(letter)
    return "".join(copy) or original


def draw(dice, letters):
    """A query and a target of 1 to 400 letters: unrelated, or one a mutated copy of the other or of a piece of it."""
    longest = dice.choice((8, 50, 400))
    query, target = ("".join(dice.choices(letters, k=dice.randint(1, longest))) for _ in range(2))
    related = dice.randrange(3)
    if related:
        start = dice.randrange(len(target)) if related == 2 else 0
        query = mutated(dice, letters, target[start:])[:400]
    return (query, target) if dice.random() < 0.5 else (target, query)


def run(program, scoring, pairs, device):
    """The rows that the program writes, as dictionaries."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("queries.fasta", "targets.fasta")]
        for side, file in enumerate(files):
            file.write_text("".join(f">{number}\n{pair[side]}\n" for number, pair in enumerate(pairs)))
        command = [program, "align", *files, *scoring.options, "--pairs", "zip", "--format", "tsv", "--device", device]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip()}")
    lines = [line.split("\t") for line in done.stdout.splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


ROUTINES = {
    "local": parasail.sw_table_scan_32,
    "global": parasail.nw_table_scan_32,
    "fit": parasail.sg_dx_table_scan_32,
    "overlap": parasail.sg_table_scan_32,
}


def solve(query, target, scoring):
    """The score and, by our rule, the end among the cells of parasail's table, to which the border is added."""
    found = ROUTINES[scoring.mode](query, target, *scoring.gap, scoring.matrix)
    left, top = gotoh.borders(len(query), len(target), scoring.mode, scoring.gap)
    table = numpy.empty((len(query) + 1, len(target) + 1), dtype=numpy.int64)
    table[:, 0] = [cell[0] for cell in left]
    table[0, :] = [cell[0] for cell in top]
    table[1:, 1:] = found.score_table
    allowed = numpy.zeros(table.shape, dtype=bool)
    for cell in gotoh.end_cells(len(query), len(target), scoring.mode) if scoring.mode != "local" else [...]:
        allowed[cell] = True
    worth = numpy.where(allowed, table, numpy.iinfo(numpy.int64).min)
    if worth[1:, 1:].max() != found.score:
        sys.exit(f"{scoring}: parasail's score {found.score} is not the best of its table: this script misreads it")
    end = divmod(int(worth.argmax()), len(target) + 1)  # of equal ones the first: smallest i, then smallest j
    return int(table[end]), end


def rescore(query, target, start, end, cigar, scoring):
    """The score that a CIGAR adds up to, or what is wrong with it."""
    runs = [(int(length), op) for length, op in re.findall(r"(\d+)([=XID])", cigar)]
    if "".join(f"{length}{op}" for length, op in runs) != cigar or any(a[1] == b[1] for a, b in zip(runs, runs[1:])):
        return f"no CIGAR of =, X, I and D with neighbours that differ: {cigar}"
    (i, j), score = start, 0
    for length, op in runs:
        if op in "ID":
            score -= gotoh.gap_cost(scoring.gap, length)
            i, j = (i + length, j) if op == "I" else (i, j + length)
            continue
        for letter, symbol in zip(query[i : i + length], target[j : j + length]):
            if scoring.equal(letter, symbol) != (op == "="):
                return f"{letter} over {symbol} is called {op}"
            score += scoring.score(letter, symbol)
        i, j = i + length, j + length
    return score if (i, j) == end else f"the CIGAR ends at {i}, {j}"


def differences(row, query, target, scoring):
    """What is wrong with a row of the program's."""
    score, end = solve(query, target, scoring)
    if int(row["score"]) != score:
        yield f"score {row['score']}, expected {score}"
    if scoring.mode == "local" and score == 0:
        if {row[name] for name in ("query_start", "query_end", "target_start", "target_end", "cigar")} != {"*"}:
            yield f"coordinates or a CIGAR with a score of 0: {row}"
        return
    starts = int(row["query_start"]), int(row["target_start"])
    ends = int(row["query_end"]), int(row["target_end"])
    if ends != end:
        yield f"end {ends}, expected {end}"
    cigar = "" if row["cigar"] == "*" else row["cigar"]
    sum_of_cigar = rescore(query, target, starts, ends, cigar, scoring)
    if sum_of_cigar != score:
        yield f"CIGAR {cigar} from {starts} to {ends}: {sum_of_cigar}, expected {score}"
    if len(query) * len(target) <= SHORT:
        _, start, _, columns = gotoh.align(query, target, scoring.mode, scoring.gap, scoring.score, scoring.equal)
        expected = re.sub(r"(.)\1*", lambda match: f"{len(match[0])}{match[1]}", columns)
        if (starts, cigar) != (start, expected):
            yield f"from {starts} {cigar}, expected from {start} {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program warpseq")
    parser.add_argument("--pairs", type=int, default=20_000, help="how many pairs [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="of the random pairs [default: %(default)s]")
    parser.add_argument("--device", default="cpu", help="what warpseq computes on [default: %(default)s]")
    told = parser.parse_args()
    kinds = (DNA, DNA_WITH_CODES, PROTEIN)
    scorings = [Scoring(kind, mode, linear) for kind in kinds for mode in MODES for linear in (True, False)]
    dice, wrong, compared = random.Random(told.seed), 0, 0
    for number, scoring in enumerate(scorings):
        count = told.pairs * (number + 1) // len(scorings) - compared
        pairs = [draw(dice, scoring.kind[1]) for _ in range(count)]
        rows = run(told.program, scoring, pairs, told.device)
        if len(rows) != count:
            sys.exit(f"{scoring}: {len(rows)} rows for {count} pairs")
        for row, (query, target) in zip(rows, pairs):
            for difference in differences(row, query, target, scoring):
                wrong += 1
                if wrong <= 10:
                    print(f"{scoring}\n  query {query}\n  target {target}\n  {difference}", file=sys.stderr)
        compared += count
    if wrong:
        sys.exit(f"{wrong} differences in {compared} pairs (seed {told.seed})")
    print(f"{compared} pairs as parasail {parasail.__version__} aligns them")


if __name__ == "__main__":
    main()
