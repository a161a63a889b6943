#!/usr/bin/env python3
"""Compares `warpseq sign` with its rules once more in Python (signatures.py), on random sequences and parameters.

Of every input:
- the bytes of `sign build --raw` and `--raw --ids`;
- the rows of `sign search`, in order, of that input against another of the same parameters, by window and by sequence;
- the distances of `sign dist` between their sequences.

Both also with a metric, which may differ by half a unit of the last decimal; all else is compared as text.

Before that signatures.py is held against known vectors; without a program that is all. Needs Python 3.10 and nothing else.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import signatures
from signatures import Parameters

SEARCH = "query query_start query_end target target_start target_end distance bits evalue".split()
SEQUENCES = "query target distance bits".split()
METRICS = ("hamming", "cosine", "ani", "containment")
# E-values below are 0.
LEAST = Fraction(1, 10**308)
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
    name = dice.choice(("pcg", "isaac", "mix64", "mix64", "mix64"))
    k = dice.randint(1, 4) if name == "pcg" else dice.choice((1, 2, 3, 4, 5, 8, 11, 16, 21, 31, 32))
    window = dice.choice((None, None, None, 4, 6, 16, 34, 64, 100))
    if window and window < k:
        window = k + k % 2
    bits = dice.choice((64, 64, 128, 192, 1024, 4096))
    density = dice.choice((4, 21, 21, 50, 100 if bits < 1000 else 60)) if name != "mix64" else 0
    canonical, no_repeats = (alphabet == "dna" and dice.random() < 0.7 for _ in range(2))
    return Parameters(alphabet, k, window, bits, name, density, canonical, no_repeats and name == "mix64")


def draw_sequences(dice, parameters, known):
    """Some sequences, of which some are like known ones, so that searches find something; the more bits, the fewer letters."""
    letters = LETTERS[parameters.alphabet]
    longest = 60 if parameters.bits > 1000 else 250
    piece = dice.choices(letters, k=longest // 2)
    sequences = []
    for _ in range(dice.randint(1, 6)):
        sequence = dice.choices(letters, k=dice.choice((0, parameters.k - 1, parameters.k, dice.randint(0, longest))))
        if known and dice.random() < 0.5:
            sequence = relative(dice, letters, dice.choice(known).decode())
        elif dice.random() < 0.5:
            sequence += piece
        if dice.random() < 0.2:
            sequence += dice.choices(letters, k=dice.randint(1, 7)) * 5
        sequences.append("".join(sequence).encode())
    return sequences


def relative(dice, letters, sequence):
    """All of a sequence or a part, with some letters changed or none."""
    start = dice.choice((0, dice.randint(0, len(sequence))))
    end = dice.choice((len(sequence), dice.randint(start, len(sequence))))
    changed = dice.choice((0, 0.02, 0.1))
    return [dice.choice(letters) if dice.random() < changed else letter for letter in sequence[start:end]]


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


def expected_search(queries, targets, parameters, top, most, metric, evalue):
    """The rows: by query, then by distance, then by target."""
    windows = points(targets)
    for query in points(queries):
        near = [(signatures.hamming(query[3], target[3]), number) for number, target in enumerate(windows)]
        for distance, number in sorted(near)[:top]:
            if distance > most:
                break
            target = windows[number]
            expected = signatures.evalue(query[3], target[3], distance, len(windows))
            expected = expected if expected >= LEAST else 0
            if expected <= evalue:
                # 1.50e-03 is 1.50e-3 there.
                digits, exponent = f"{float(expected):.2e}".split("e")
                fields = (*query[:3], *target[:3], distance, parameters.bits, f"{digits}e{int(exponent)}")
                yield [str(field) for field in fields] + column(metric, distance, parameters, query[4], target[4])


def expected_sequences(pairs, parameters, top, most, metric):
    """The rows of a search by sequence, in the same order."""
    for query in sorted({pair[0] for pair in pairs}):
        near = sorted((pair[2], pair[1], *pair[3:]) for pair in pairs if pair[0] == query and pair[2] is not None)
        for distance, target, *words in near[:top]:
            if distance <= most:
                fields = [f"s{query}", f"s{target}", decimals(distance), str(parameters.bits)]
                yield fields + column(metric, distance, parameters, *words)


def expected_distances(pairs, parameters, metric):
    for query, target, distance, *words in pairs:
        last = [None]
        if distance is not None:
            last = column(metric, distance, parameters, *words) or [decimals(distance / parameters.bits)]
        yield [f"s{query}", f"s{target}"] + last


def sequence_pairs(queries, targets):
    """(query, target, distance in bits, words of the query, words of the target) of all sequences."""
    for i, query in enumerate(queries):
        for j, target in enumerate(targets):
            a, b = ([window[2] for window in sequence if window[2]] for sequence in (query, target))
            yield i, j, signatures.distance(a, b), *(sum(window[3] for window in sequence) for sequence in (query, target))


def column(metric, *of):
    """The column of the metric, if it has one."""
    return [] if metric == "hamming" else [signatures.metric(metric, *of)]


def decimals(fraction):
    """Six of them, the nearest; of two as near, the even one."""
    millionths = round(fraction * 10**6)
    return f"{millionths // 10**6}.{millionths % 10**6:06}"


class Input:
    """Two files of sequences under the same parameters, and what the program makes of them."""

    def __init__(self, dice, told, folder):
        self.dice, self.told, self.folder = dice, told, Path(folder)
        self.parameters = draw_parameters(dice)
        known = draw_sequences(dice, self.parameters, [])
        self.files = [known, draw_sequences(dice, self.parameters, known)]
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
        yield from self.search_windows(a, b)
        pairs = list(sequence_pairs(*self.signed))
        yield from self.search_sequences(a, b, pairs)
        yield from self.dist(a, b, pairs)

    def search_windows(self, a, b):
        asked = self.dice.choice((None, "0", "1e-9", "0.5", "inf"))
        usual = "0.001" if self.parameters.hash == "mix64" else "inf"
        top, most, metric, options = self.draw_search(METRICS)
        expected = expected_search(*self.signed, self.parameters, top, most, metric, float(asked or usual))
        options += ("--max-evalue", asked) if asked else ()
        yield from self.compare(("search", a, b, *options), SEARCH, metric, expected)

    def search_sequences(self, a, b, pairs):
        top, most, metric, options = self.draw_search(self.sequence_metrics())
        expected = expected_sequences(pairs, self.parameters, top, most, metric)
        yield from self.compare(("search", a, b, "--by", "sequence", *options), SEQUENCES, metric, expected)

    def dist(self, a, b, pairs):
        for metric in self.sequence_metrics():
            expected = expected_distances(pairs, self.parameters, metric)
            header = ["query", "target"] + (["distance"] if metric == "hamming" else [])
            yield from self.compare(("dist", a, b, "--metric", metric), header, metric, expected)

    def sequence_metrics(self):
        """The containment of sequences is for whole windows alone."""
        return METRICS[:3] if self.parameters.window else METRICS

    def draw_search(self, metrics):
        """How many, how far and which metric, and the options that say so."""
        top, metric, bits = self.dice.choice((None, *range(1, 7))), self.dice.choice(metrics), self.parameters.bits
        most = self.dice.choice((0, bits // 4, bits * 3 // 8, bits))
        return top, most, metric, ("--top", top or "all", "--max-distance", most, "--metric", metric)

    def compare(self, command, header, metric, expected):
        output = self.path("found", "tsv")
        try:
            run(self.told.program, "sign", *command, "--device", self.told.device, "-o", output)
        except SystemExit as refused:
            yield str(refused)
            return
        found = list(rows(output))
        header = header + ([metric] if metric != "hamming" else [])
        expected = list(expected)
        expected = [as_found(row, other) for row, other in zip_longest(expected, found[1][: len(expected)], fillvalue=[])]
        if found != [header, expected]:
            options = " ".join(str(word) for word in command if not isinstance(word, Path))
            yield f"{options}: {first_difference([found[0], *found[1]], [header, *expected])}"


def as_found(row, found):
    """A row as text: its metric, if it has one, as it was found where that is right, else as Python writes it."""
    last, text = row[-1], found[-1] if found else ""
    if last is None:
        last = "NA"
    elif not isinstance(last, str):
        last = text if agrees(text, last) else f"{last:.6f} (unlike what was found)"
    return row[:-1] + [last]


def agrees(text, number):
    if not re.fullmatch(r"-?\d+\.\d{6}", text):
        return False
    return abs(Fraction(text) - Fraction(number)) <= Fraction(500_001, 10**12)


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
    print(f"{told.inputs} inputs signed, searched and compared, metrics included, as the rules in Python do")


if __name__ == "__main__":
    main()
