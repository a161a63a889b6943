#!/usr/bin/env python3
"""Compares `warpseq amplicon` with EMBOSS `primersearch` (Rice et al. 2000), which reports every combination of two places, too.

Primers are pieces of the genomes on either side of a stretch, with bases changed. Those with IUPAC codes are compared without
mismatches only: with some allowed, primersearch 6.6 loses products of such primers, which it finds without. Compared are sequence, start,
length, strand and the mismatches of both primers. primersearch knows no least and no greatest length and no exact 3' end: those that
the rules of warpseq leave out are taken from its list. It has another rule for ambiguous bases of a genome, so products of which
a primer lies on one are left out of both. Prints how many products there are, and the processor time of both programs.
"""

import argparse
import random
import re
import sys
import tempfile
from pathlib import Path

from locate import records, run

SETS = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC", "B": "CGT",
        "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT"}
COMPLEMENTS = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")
LENGTH, LEAST, GREATEST = 20, 60, 1500
AMPLIMER = re.compile(r"Sequence: (\S+).*?(\S+) hits forward strand at (\d+) with (\d+) mismatches\s+"
                      r"(\S+) hits reverse strand at \[\d+\] with (\d+) mismatches\s+Amplimer length: (\d+) bp", re.DOTALL)


def opposite(bases):
    return bases.translate(COMPLEMENTS)[::-1]


def primers(dice, sequences, count, changes, codes):
    """Pairs of pieces of one sequence, with up to `changes` bases of each drawn again, and up to `codes` replaced by codes."""
    found = []
    while len(found) < count:
        sequence = dice.choice(sequences)
        ends = sorted(dice.randrange(max(1, len(sequence) - LENGTH)) for _ in range(2))
        pieces = [list(sequence[at:at + LENGTH]) for at in ends]
        if any(len(piece) < LENGTH or not set(piece) <= set("ACGT") for piece in pieces):
            continue
        for piece in pieces:
            for at in dice.sample(range(LENGTH), dice.randint(0, changes)):
                piece[at] = dice.choice("ACGT")
            for at in dice.sample(range(LENGTH), dice.randint(0, codes)):
                piece[at] = dice.choice([code for code, bases in SETS.items() if piece[at] in bases])
        pair = ["".join(pieces[0]), opposite("".join(pieces[1]))]
        found.append(pair if dice.random() < 0.5 else pair[::-1])
    return found


def spelled(expression):
    """A primer as it was given, of the expression that primersearch prints for it."""
    codes = {bases: code for code, bases in SETS.items()}
    of_group = lambda group: codes["".join(sorted(set(group[1]) & set("ACGT")))]
    return re.sub(r"\[([A-Z]+)\]", of_group, expression.replace("?", "N"))


def is_exact(primer, place, count):
    """Whether the last symbols of a primer have no mismatch at its place."""
    return all(base in SETS[code] for code, base in zip(primer[LENGTH - count:], place[LENGTH - count:]))


def searched(folder, genomes, pairs, most, exact, sequences):
    """The products of primersearch, and the processor time it takes."""
    table, output = Path(folder, "primers.txt"), Path(folder, "amplimers.txt")
    table.write_text("".join(f"p{k}\t{forward}\t{reverse}\n" for k, (forward, reverse) in enumerate(pairs)))
    _, time = run(["primersearch", "-seqall", genomes, "-infile", table, "-mismatchpercent", most * 100 // LENGTH, "-outfile", output])
    found = set()
    for of_pair in output.read_text().split("Primer name ")[1:]:
        pair = int(of_pair.split()[0][1:])
        for name, opening, start, opened, closing, closed, length in AMPLIMER.findall(of_pair):
            opening, closing, start, length = spelled(opening), spelled(closing), int(start) - 1, int(length)
            product = sequences[name][start:start + length]
            places = [product[:LENGTH], opposite(product[length - LENGTH:])]
            if not LEAST <= length <= GREATEST or not all(is_exact(*each, exact) for each in zip((opening, closing), places)):
                continue
            plus = opening == pairs[pair][0]
            mismatches = (int(opened), int(closed)) if plus else (int(closed), int(opened))
            found.add((name, start, start + length, "+" if plus else "-", f"p{pair}", *mismatches))
    return found, time


def amplified(folder, genomes, pairs, most, exact, binary):
    """The products of warpseq, and the processor time it takes."""
    table = Path(folder, "pairs.tsv")
    table.write_text("".join(f"p{k}\t{forward}\t{reverse}\n" for k, (forward, reverse) in enumerate(pairs)))
    rows, time = run([binary, "amplicon", genomes, "-p", table, "-m", most, "--three-prime", exact, "--min-length", LEAST,
                      "--max-length", GREATEST, "--device", "cpu"])
    return {(row[0], int(row[1]), int(row[2]), row[3], row[4], int(row[6]), int(row[7])) for row in rows}, time


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("genomes", type=Path, help="FASTA")
    parser.add_argument("--binary", default="warpseq")
    parser.add_argument("--count", type=int, default=50, help="pairs for each number of mismatches")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    # EMBOSS reads names up to some characters only.
    sequences = {f"s{k}": bases for k, (_, bases) in enumerate(records(asked.genomes)) if bases}

    def is_plain(product):
        bases = sequences[product[0]][product[1]:product[2]]
        return set(bases[:LENGTH] + bases[-LENGTH:]) <= set("ACGT")

    with tempfile.TemporaryDirectory() as folder:
        genomes = Path(folder, "genomes.fa")
        genomes.write_text("".join(f">{name}\n{bases}\n" for name, bases in sequences.items()))
        for most, exact in ((0, 0), (1, 0), (2, 3), (3, 5), (4, 1)):
            pairs = primers(dice, list(sequences.values()), asked.count, most + 1, 0 if most else 2)
            theirs, their_time = searched(folder, genomes, pairs, most, exact, sequences)
            ours, our_time = amplified(folder, genomes, pairs, most, exact, asked.binary)
            theirs, ours = ({product for product in of if is_plain(product)} for of in (theirs, ours))
            if ours != theirs:
                example = next(iter(ours ^ theirs))
                sys.exit(f"{most} mismatches, the last {exact} exact: {len(ours - theirs)} products are warpseq's alone, "
                         f"{len(theirs - ours)} primersearch's, such as {example}")
            print(f"{most} mismatches, the last {exact} exact: {len(ours)} products, {our_time:.2f} s and {their_time:.2f} s of "
                  "primersearch")


if __name__ == "__main__":
    main()
