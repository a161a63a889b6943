#!/usr/bin/env python3
"""Compares `warpseq scan --max-mismatch` with `seqkit locate --max-mismatch` (Shen et al. 2016), which counts mismatches, too.

Both search for pieces of the sequences, some of them with bases changed, on both strands. seqkit takes an ambiguous base of a
sequence for a mismatch, so places with one are left out of both. Prints how many places there are, and the processor time of both.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def records(path):
    name, bases = None, []
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            if name:
                yield name, "".join(bases)
            name, bases = line[1:].split()[0], []
        else:
            bases.append(line.upper().replace("-", ""))
    yield name, "".join(bases)


def pieces(dice, sequences, count, length, changes):
    """Pieces of the sequences without ambiguous bases, each with up to `changes` of them drawn again."""
    found = []
    while len(found) < count:
        sequence = dice.choice(sequences)
        start = dice.randrange(max(1, len(sequence) - length))
        piece = list(sequence[start:start + length])
        if len(piece) == length and set(piece) <= set("ACGT"):
            for at in dice.sample(range(length), dice.randint(0, changes)):
                piece[at] = dice.choice("ACGT")
            found.append("".join(piece))
    return found


def run(command):
    """The lines that a command prints, tab-separated, and the processor time it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout.splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return [line.split("\t") for line in lines[1:]], sum(after[:2]) - sum(before[:2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("genomes", type=Path, help="FASTA")
    parser.add_argument("--binary", default="warpseq")
    parser.add_argument("--count", type=int, default=200, help="signatures of each length")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    # seqkit and warpseq both want names that differ.
    sequences = {f"{k}_{name}": bases for k, (name, bases) in enumerate(records(asked.genomes)) if bases}
    with tempfile.TemporaryDirectory() as folder:
        genomes, signatures = Path(folder, "genomes.fa"), Path(folder, "signatures.fa")
        genomes.write_text("".join(f">{name}\n{bases}\n" for name, bases in sequences.items()))
        for length, most in ((18, 0), (20, 1), (20, 2), (25, 3), (60, 4)):
            drawn = pieces(dice, list(sequences.values()), asked.count, length, most + 1)
            signatures.write_text("".join(f">q{k}\n{bases}\n" for k, bases in enumerate(drawn)))
            theirs, their_time = run(["seqkit", "locate", "-m", most, "-f", signatures, genomes])
            ours, our_time = run([asked.binary, "scan", genomes, signatures, "-m", most, "--report", "all", "--max-n-frac", 0,
                                  "--device", "cpu"])
            places = [{(row[0], row[1], row[3], int(row[4]) - 1) for row in theirs},
                      {(row[1], row[3], row[4], int(row[5])) for row in ours}]
            theirs, ours = ({place for place in of if set(sequences[place[0]][place[3]:place[3] + length]) <= set("ACGT")}
                            for of in places)
            if ours != theirs:
                example = next(iter(ours ^ theirs))
                sys.exit(f"{length} bases, {most} mismatches: {len(ours - theirs)} places are warpseq's alone, "
                         f"{len(theirs - ours)} seqkit's, such as {example}")
            print(f"{length} bases, {most} mismatches: {len(ours)} places, {our_time:.2f} s and {their_time:.2f} s of seqkit")


if __name__ == "__main__":
    main()
