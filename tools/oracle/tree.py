#!/usr/bin/env python3
"""Compares `warpseq sign tree` with PHYLIP's neighbor (Felsenstein 1989), which joins neighbours, too.

The first tree is that of `data/families.fastq`, the others are of random sequences that come from one another. neighbor reads the
distances that `sign dist` writes. Compared are the two sides of every branch, and its length: to 0.00002, as neighbor writes five
decimals and reads six. Where several pairs are equally near, the programs may join others; such a tree is the naive one's of
Fractions, in the order that warpseq's documents give. Says how many those are.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

FAMILIES = Path(__file__).resolve().parents[2] / "data/families.fastq"
NEAR = 0.00002


def run(command, folder=None, said=None):
    done = subprocess.run(command, cwd=folder, input=said, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def evolved(dice, count):
    """Sequences, each a mutated copy of an earlier one."""
    sequences = ["".join(dice.choices("ACGT", k=dice.randint(300, 3000)))]
    while len(sequences) < count:
        rate = dice.choice((0.001, 0.01, 0.03, 0.1))
        sequences.append("".join(dice.choice("ACGT") if dice.random() < rate else base for base in dice.choice(sequences)))
    return "".join(f">x{k}\n{sequence}\n" for k, sequence in enumerate(sequences))


def tree(text):
    """The branches of a tree without quotes: the leaves behind each, and its length. The three at the root count as all others."""
    branches, stack, word = {}, [[]], ""
    behind = None
    for letter in text:
        if letter in "(),;":
            if word.strip():
                name, _, length = word.strip().partition(":")
                leaves = behind if behind is not None else frozenset([name])
                stack[-1].append(leaves)
                branches[leaves] = float(length) if length else None
            word, behind = "", None
            if letter == "(":
                stack.append([])
            elif letter == ")":
                behind = frozenset().union(*stack.pop())
        elif letter not in "\n\r":
            word += letter
    return {leaves: length for leaves, length in branches.items() if length is not None}


def splits(text, first):
    """Each branch by its side without the record `first`."""
    branches = tree(text)
    everything = frozenset().union(*branches)
    return {(everything - leaves if first in leaves else leaves): length for leaves, length in branches.items()}


def differ(one, other):
    return one.keys() != other.keys() or any(abs(length - other[split]) > NEAR for split, length in one.items())


def naive(names, rows):
    """The tree in exact numbers, and whether pairs were equally near while more than four nodes were left."""
    nodes, rows, tied = list(names), [list(row) for row in rows], False
    while len(nodes) > 3:
        count = len(nodes)
        sums = [sum(row) for row in rows]
        pairs = sorted(((count - 2) * rows[i][j] - sums[i] - sums[j], i, j) for i in range(count) for j in range(i + 1, count))
        tied |= count > 4 and pairs[0][0] == pairs[1][0]
        _, i, j = pairs[0]
        first = rows[i][j] / 2 + (sums[i] - sums[j]) / (2 * (count - 2))
        joined = [(rows[i][k] + rows[j][k] - rows[i][j]) / 2 for k in range(count)]
        nodes[i] = f"({nodes[i]}:{float(first):.9f},{nodes[j]}:{float(rows[i][j] - first):.9f})"
        for k in range(count):
            rows[i][k] = rows[k][i] = joined[k]
        rows[i][i] = Fraction(0)
        del nodes[j], rows[j]
        for row in rows:
            del row[j]
    a, b, c = ((rows[i][j] + rows[i][k] - rows[j][k]) / 2 for i, j, k in ((0, 1, 2), (1, 0, 2), (2, 0, 1)))
    return f"({nodes[0]}:{float(a):.9f},{nodes[1]}:{float(b):.9f},{nodes[2]}:{float(c):.9f});", tied


def compare(program, fasta, options, folder):
    """Whether several pairs were equally near. Ends the program where trees differ."""
    found = run([program, "sign", "tree", str(fasta), "--device", "cpu", "-q", *options])
    bits = int(options[options.index("--bits") + 1])
    lines = run([program, "sign", "dist", str(fasta), "--format", "phylip", "--device", "cpu", "-q", *options]).splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    names = [row[0] for row in rows]
    # Of whole sequences, a distance is a number of bits.
    exact = [[Fraction(round(float(cell) * bits), bits) for cell in row[1:]] for row in rows]
    (folder / "infile").write_text(f"{len(rows)}\n" + "".join(f"{row[0]:<10} {' '.join(row[1:])}\n" for row in rows))
    for name in ("outfile", "outtree"):
        (folder / name).unlink(missing_ok=True)
    run(["phylip", "neighbor"], folder, "Y\n")
    ours, theirs = splits(found, names[0]), splits((folder / "outtree").read_text(), names[0])
    expected, tied = naive(names, exact)
    if differ(ours, splits(expected, names[0])):
        sys.exit(f"{fasta} {options}: not the tree of exact numbers:\n{found}{expected}")
    if differ(ours, theirs) and not tied:
        sys.exit(f"{fasta} {options}: not the tree of PHYLIP:\n{found}{(folder / 'outtree').read_text()}")
    return tied and differ(ours, theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        subprocess.run(["phylip", "--help"], capture_output=True)
    except FileNotFoundError:
        print("skipped: there is no phylip; with it, trees would be compared")
        return
    dice, other = random.Random(arguments.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        compare(arguments.program, FAMILIES, ["--k", "11", "--bits", "1024"], folder)
        for _ in range(arguments.trees - 1):
            (folder / "x.fasta").write_text(evolved(dice, dice.choice((3, 4, 5, 8, 20, 60))))
            options = ["--k", dice.choice(("11", "21")), "--bits", dice.choice(("64", "1024", "8192"))]
            other += compare(arguments.program, folder / "x.fasta", options, folder)
    print(f"{arguments.trees} trees, as PHYLIP's neighbor joins them; of {other}, several pairs were equally near, and it joined others")


if __name__ == "__main__":
    main()
