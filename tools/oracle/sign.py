#!/usr/bin/env python3
"""Compares `warpseq sign` with its rules once more in Python (signatures.py), on random sequences and parameters.

Of every input:
- the bytes of `sign build --raw` and `--raw --ids`;
- the rows of `sign search`, in order, of that input against another of the same parameters;
- the distances of `sign dist` between their sequences, within half a unit of the last decimal.

Before that signatures.py is held against known vectors; without a program that is all. Needs Python 3.10 and nothing else.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import signatures
from signatures import Parameters

SEARCH = "query query_start query_end target target_start target_end distance bits evalue".split()
# Letters to draw from: also lower case, and such as make no words.
LETTERS = {
    "raw": "ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYacgtNX*-",
    "protein": "ACDEFGHIKLMNPQRSTVWY" * 4 + "acdwyBJOUXZ*-",
    "dna": "ACGT" * 20 + "acgtUuNRY-",
}


def draw_parameters(dice):
    """A preset now and then; else anything that the program takes."""
    if dice.random() < 0.1:
        return signatures.QUT
    alphabet = dice.choice(("raw", "protein", "dna"))
    name = dice.choice(("pcg", "isaac", "mix64"))
    k = dice.randint(1, 4) if name == "pcg" else dice.choice((1, 2, 3, 4, 5, 8, 11, 16, 21, 31, 32))
    window = dice.choice((None, 4, 6, 16, 34, 64, 100))
    if window and window < k:
        window = k + k % 2
    bits = dice.choice((64, 64, 128, 192, 1024, 4096))
    density = dice.choice((4, 21, 21, 50, 100 if bits < 1000 else 60)) if name != "mix64" else 0
    return Parameters(alphabet, k, window, bits, name, density, alphabet == "dna" and dice.random() < 0.7)


def draw_sequences(dice, parameters):
    """Some sequences, of which some share pieces, so that searches find something; the more bits, the fewer letters."""
    letters = LETTERS[parameters.alphabet]
    longest = 60 if parameters.bits > 1000 else 250
    piece = dice.choices(letters, k=longest // 2)
    sequences = []
    for _ in range(dice.randint(1, 6)):
        sequence = dice.choices(letters, k=dice.choice((0, parameters.k - 1, parameters.k, dice.randint(0, longest))))
        if dice.random() < 0.5:
            sequence += piece
        sequences.append("".join(sequence).encode())
    return sequences


def fasta(dice, sequences):
    """The text of a file: lines of any length, LF or CRLF."""
    end, width = dice.choice((b"\n", b"\r\n")), dice.choice((7, 60, 10_000))
    lines = []
    for number, letters in enumerate(sequences):
        lines.append(b">s%d some words" % number)
        lines += [letters[at : at + width] for at in range(0, len(letters), width)]
    return end.join(lines) + end


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip()}")


def rows(path):
    """The header and the rows of a TSV file."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    return lines[0], lines[1:]


def expected_raw(signed, parameters, ids):
    zeros = bytes(parameters.bits // 8)
    numbered = ((number, window[2]) for number, sequence in enumerate(signed) for window in sequence)
    return b"".join((number.to_bytes(4, "little") if ids else b"") + (bits or zeros) for number, bits in numbered)


def points(signed):
    """(sequence, start, end, signature) of all windows that have words."""
    return [(f"s{number}", *window) for number, sequence in enumerate(signed) for window in sequence if window[2]]


def expected_search(queries, targets, parameters, top, most, evalue):
    """The rows: by query, then by distance, then by target."""
    windows = points(targets)
    for query in points(queries):
        near = [(signatures.hamming(query[3], target[3]), number) for number, target in enumerate(windows)]
        for distance, number in sorted(near)[:top]:
            target = windows[number]
            expected = signatures.evalue(query[3], target[3], distance, len(windows))
            if distance <= most and expected <= evalue:
                # 1.50e-03 is 1.50e-3 there.
                digits, exponent = f"{float(expected):.2e}".split("e")
                fields = (*query[:3], *target[:3], distance, parameters.bits, f"{digits}e{int(exponent)}")
                yield [str(field) for field in fields]


class Input:
    """Two files of sequences under the same parameters, and what the program makes of them."""

    def __init__(self, dice, told, folder):
        self.dice, self.told, self.folder = dice, told, Path(folder)
        self.parameters = draw_parameters(dice)
        self.files = [draw_sequences(dice, self.parameters) for _ in range(2)]
        self.signed = [[signatures.sign(letters, self.parameters) for letters in file] for file in self.files]
        for name, file in zip(("a", "b"), self.files):
            self.path(name, "fasta").write_bytes(fasta(dice, file))

    def path(self, name, extension):
        return self.folder / f"{name}.{extension}"

    def build(self, name, extension, *options):
        output = self.path(name, extension)
        options = (*self.parameters.options(), *options, "--device", self.told.device, "-t", self.dice.randint(1, 3))
        run(self.told.program, "sign", "build", self.path(name, "fasta"), "-o", output, *options)
        return output

    def differences(self):
        for name, signed in zip(("a", "b"), self.signed):
            for options in ((), ("--ids",)):
                found = self.build(name, "raw", "--raw", *options).read_bytes()
                expected = expected_raw(signed, self.parameters, bool(options))
                if found != expected:
                    yield f"{name}, --raw {' '.join(options)}: {first_difference(found, expected)}"
        a, b = (self.build(name, "sign") for name in ("a", "b"))
        yield from self.search(a, b)
        yield from self.dist(a, b)

    def search(self, a, b):
        output, top = self.path("found", "tsv"), self.dice.randint(1, 8)
        most = self.dice.choice((0, self.parameters.bits // 4, self.parameters.bits))
        asked = self.dice.choice((None, "0", "0.5", "inf"))
        usual = "0.001" if self.parameters.hash == "mix64" else "inf"
        options = ("--top", top, "--max-distance", most, "--device", self.told.device)
        options += ("--max-evalue", asked) if asked else ()
        run(self.told.program, "sign", "search", a, b, *options, "-o", output)
        header, found = rows(output)
        expected = list(expected_search(*self.signed, self.parameters, top, most, float(asked or usual)))
        if header != SEARCH or found != expected:
            yield f"search --top {top} --max-distance {most} --max-evalue {asked}: {first_difference([header, *found], [SEARCH, *expected])}"

    def dist(self, a, b):
        """Rows of the query's name, the target's, and the last column."""
        output = self.path("distances", "tsv")
        run(self.told.program, "sign", "dist", a, b, "--device", self.told.device, "-o", output)
        _, found = rows(output)
        found = {(row[0], row[1]): row[-1] for row in found}
        bits = [[[window[2] for window in sequence if window[2]] for sequence in file] for file in self.signed]
        for i, query in enumerate(bits[0]):
            for j, target in enumerate(bits[1]):
                distance, text = signatures.distance(query, target), found.pop((f"s{i}", f"s{j}"), "nothing")
                if not agrees(text, distance and distance / self.parameters.bits):
                    yield f"distance of s{i} and s{j}: {text}, expected {distance} / {self.parameters.bits}"
        if found:
            yield f"distances of sequences that are not there: {found}"


def agrees(text, distance):
    if distance is None or text in ("NA", "nothing"):
        return distance is None and text == "NA"
    return len(text.partition(".")[2]) == 6 and abs(Fraction(text) - distance) <= Fraction(500_001, 10**12)


def first_difference(found, expected):
    at = next((at for at, both in enumerate(zip(found, expected)) if both[0] != both[1]), min(len(found), len(expected)))
    return f"{len(found)} found, {len(expected)} expected; number {at}: {found[at : at + 1]}, expected {expected[at : at + 1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", help="the program warpseq; none: only check the rules in Python")
    parser.add_argument("--inputs", type=int, default=500, help="how many inputs [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="of the random inputs [default: %(default)s]")
    parser.add_argument("--device", default="cpu", help="what warpseq computes on [default: %(default)s]")
    told = parser.parse_args()
    signatures.check()
    if not told.program:
        print("the rules in Python give the known vectors")
        return
    dice, wrong = random.Random(told.seed), 0
    for number in range(told.inputs):
        with tempfile.TemporaryDirectory() as folder:
            drawn = Input(dice, told, folder)
            for difference in drawn.differences():
                wrong += 1
                if wrong <= 10:
                    print(f"input {number}, {' '.join(drawn.parameters.options())}\n  {difference}", file=sys.stderr)
    if wrong:
        sys.exit(f"{wrong} differences in {told.inputs} inputs (seed {told.seed})")
    print(f"{told.inputs} inputs signed, searched and compared as the rules in Python do")


if __name__ == "__main__":
    main()
