#!/usr/bin/env python3
"""The rules of `warpseq scan` written down once more in Python: each signature symbol against each sequence symbol, at every start.

reference   prints the table that `warpseq scan` must print for these files
compare     runs the program on random small inputs, too, and stops at the first difference
check       holds the rules as written here against cases worked out by hand

It needs the standard library alone. Warnings are not printed.
"""

import argparse
import functools
import gzip
import random
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from fractions import Fraction
from math import floor
from pathlib import Path

COLUMNS_1 = "sample signature strand start end mean_phred informative wild integrity_hash".split()
COLUMNS_51 = "sample sequence mate signature strand start end mean_phred informative wild mismatches integrity_hash".split()
COUNTS = "sample signature sequences pairs mismatches".split()
OFFSETS = {"33": (33, 33), "64": (64, 64), "solexa": (64, 59)}  # what is taken off, and the lowest byte
SUFFIXES = r"\.(fa|fasta|fna|ffn|frn|fas|fsa|fq|fastq)"
FEATURES = "mismatch circular counts names algorithm"

Record = namedtuple("Record", "name line symbols qualities")  # qualities are None in FASTA
Place = namedtuple("Place", "start strand mismatches wild informative total")  # total: sum of the Phred qualities, or None


class Refused(Exception):
    """An input that the rules call an error."""


# Reading ------------------------------------------------------------------------------------------------------------------------------


def records(path):
    """The records of a FASTA or FASTQ file, plain or gzip; `-` is standard input."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    lines = [line.removesuffix("\r") for line in data.decode("latin-1").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    if lines[0][:1] not in ("@", ">"):
        raise Refused(f"{path}:1: expected > or @")
    return fastq(path, lines) if lines[0][0] == "@" else fasta(lines)


def first_word(header):
    return re.match(r"[^ \t]*", header[1:])[0]


def fasta(lines):
    found = []
    for number, line in enumerate(lines, 1):
        if line.startswith(">"):
            found.append(Record(first_word(line), number, "", None))
        else:
            found[-1] = found[-1]._replace(symbols=found[-1].symbols + line)
    return found


def fastq(path, lines):
    found, at = [], 0
    while at < len(lines):
        line, header, symbols, qualities = at + 1, lines[at], "", ""
        at += 1
        while at < len(lines) and not lines[at].startswith("+"):
            symbols += lines[at]
            at += 1
        if not header.startswith("@") or at == len(lines):
            raise Refused(f"{path}:{line}: expected a record of FASTQ")
        at += 1
        if not symbols and lines[at : at + 1] == [""]:
            at += 1
        while at < len(lines) and len(qualities) < len(symbols):
            qualities += lines[at]
            at += 1
        if len(qualities) != len(symbols):
            raise Refused(f"{path}:{line}: {len(symbols)} symbols, {len(qualities)} qualities")
        found.append(Record(first_word(header), line, symbols, qualities))
    return found


def phred(record, offset):
    """The qualities as numbers, or None."""
    if record.qualities is None:
        return None
    taken_off, lowest = OFFSETS[offset]
    for quality in record.qualities:
        if not lowest <= ord(quality) <= 126:
            raise Refused(f"{record.name}, line {record.line}: quality byte {ord(quality)} outside {lowest} to 126")
    return [ord(quality) - taken_off for quality in record.qualities]


def label(path):
    """What the sample is called: the file's name without folder, .gz, suffix of the format, and mate."""
    if path == "-":
        return "stdin"
    name = Path(path).name.removesuffix(".gz")
    return re.sub("_R?[12]$", "", re.sub(SUFFIXES + "$", "", name, flags=re.IGNORECASE))


# Symbols ------------------------------------------------------------------------------------------------------------------------------

MISMATCH, WILD, INFORMATIVE = "mismatch", "wild", "informative"
# A is 1, C is 2, G is 4, T is 8; the set of a code is their sum.
SETS = {"A": 1, "C": 2, "G": 4, "T": 8, "U": 8, "R": 5, "Y": 10, "S": 6, "W": 9, "K": 12, "M": 3,
        "B": 14, "D": 13, "H": 11, "V": 7, "N": 15, ".": 15}  # fmt: skip


class Iupac:
    """Symbols are sets of bases."""

    @staticmethod
    def symbols(record, gaps):
        sets = dict(SETS, **({"-": 0} if gaps else {}))
        for symbol in record.symbols:
            if symbol.upper() not in sets:
                raise Refused(f"{record.name}, line {record.line}: {symbol!r} is no IUPAC code")
        return [sets[symbol.upper()] for symbol in record.symbols]

    @staticmethod
    def complement(bases):
        return sum(there for here, there in ((1, 8), (2, 4), (4, 2), (8, 1)) if bases & here)

    @staticmethod
    @functools.cache
    def kind(one, other):
        if one & other == 0:
            return MISMATCH
        single = one in (1, 2, 4, 8) and other in (1, 2, 4, 8)
        return INFORMATIVE if single else WILD


class OnlyN:
    """Symbols are bytes, and N is wild. A file of sequences holds bytes 33 to 126."""

    @staticmethod
    def symbols(record, gaps):
        for symbol in record.symbols:
            if not 33 <= ord(symbol) <= 126:
                raise Refused(f"{record.name}, line {record.line}: byte {ord(symbol)}")
        return list(record.symbols)

    @staticmethod
    def complement(symbol):
        return dict(zip("ACGTacgt", "TGCAtgca")).get(symbol, symbol)

    @staticmethod
    @functools.cache
    def kind(one, other):
        if one == "N" or other == "N":
            return WILD
        return INFORMATIVE if one == other else MISMATCH


RULES = {"iupac": Iupac, "n": OnlyN}

# Matching -----------------------------------------------------------------------------------------------------------------------------


def allowed(text, length):
    """K, or P% of the length, rounded down."""
    return floor(Fraction(text[:-1]) * length / 100) if text.endswith("%") else int(text)


def mismatch_limit(text, signature):
    length = len(signature.symbols)
    limit = allowed(text, length)
    if limit >= length:
        raise Refused(f"{signature.name}, line {signature.line}: {limit} mismatches allowed in {length} symbols")
    return limit


def oriented(signature, rule, strand):
    """The strands that are searched, each with the symbols that are looked for on it."""
    forward = rule.symbols(signature, gaps=False)
    reverse = [rule.complement(symbol) for symbol in reversed(forward)]
    if forward == reverse:
        return [("+", forward)]
    return {"both": [("+", forward), ("-", reverse)], "forward": [("+", forward)], "reverse": [("-", reverse)]}[strand]


def places(record, signature, options):
    """Every place where the signature matches, by start, + first."""
    rule = RULES[options.wildcards]
    symbols, qualities = rule.symbols(record, gaps=True), phred(record, options.phred_offset)
    n, m = len(symbols), len(signature.symbols)
    if m > n:
        return []
    most_mismatches = mismatch_limit(options.max_mismatch, signature)
    most_wild = floor(Fraction(options.max_n_frac) * m)
    found = []
    for start in range(n if options.circular else n - m + 1):
        under = [at % n for at in range(start, start + m)]
        for strand, wanted in oriented(signature, rule, options.strand):
            kinds = [rule.kind(symbols[at], symbol) for at, symbol in zip(under, wanted)]
            mismatches, wild, informative = (kinds.count(kind) for kind in (MISMATCH, WILD, INFORMATIVE))
            if mismatches <= most_mismatches and wild <= most_wild:
                total = None if qualities is None else sum(qualities[at] for at in under)
                found.append(Place(start, strand, mismatches, wild, informative, total))
    return found


def reported(found, report):
    """Those of all matches of a signature in a sequence that are printed."""
    if report == "none" or not found:
        return []
    if report == "all":
        return sorted(found, key=lambda place: (place.start, place.strand))  # + sorts before -
    if report == "first":
        return [min(found, key=lambda place: (place.start, place.strand))]

    def rank(place):
        score = place.informative if place.total is None else place.total
        return place.mismatches, -score, place.start, place.strand

    return [min(found, key=rank)]


def read(options):
    """The sequences and the signatures, all of them checked."""
    sequences, signatures = records(options.sequences), records(options.signatures)
    rule, lines = RULES[options.wildcards], {}
    if not signatures:
        raise Refused(f"{options.signatures}: no signatures")
    for signature in signatures:
        if signature.qualities is not None:
            raise Refused(f"{options.signatures}: signatures must be FASTA")
        if not signature.symbols:
            raise Refused(f"{options.signatures}:{signature.line}: {signature.name} is empty")
        if options.unique_names and signature.name in lines:
            raise Refused(f"{options.signatures}: {signature.name} on lines {lines[signature.name]} and {signature.line}")
        lines[signature.name] = signature.line
        rule.symbols(signature, gaps=False)
        mismatch_limit(options.max_mismatch, signature)
    for sequence in sequences:
        rule.symbols(sequence, gaps=True)
        phred(sequence, options.phred_offset)
    return sequences, signatures


# Printing -----------------------------------------------------------------------------------------------------------------------------


def three_decimals(number):
    text = f"{number:.3f}"
    return "0.000" if text == "-0.000" else text


def row(sequence, signature, place, options):
    m, qualities = len(signature.symbols), phred(sequence, options.phred_offset)
    return {
        "sequence": sequence.name, "mate": ".", "signature": signature.name, "strand": place.strand,
        "start": place.start, "end": place.start + m,
        "mean_phred": "NA" if qualities is None else three_decimals(place.total / m),
        "informative": place.informative, "wild": place.wild, "mismatches": place.mismatches,
        "integrity_hash": "NA" if qualities is None else sum(qualities) % 97,
    }  # fmt: skip


def scan(options):
    """The rows, each a dictionary, and the lines of `--counts`."""
    sequences, signatures = read(options)
    rows, totals = [], {}
    for sequence in sequences:
        for signature in signatures:
            found = places(sequence, signature, options)
            rows += [row(sequence, signature, place, options) for place in reported(found, options.report)]
            if found:
                count, mismatches = totals.get(signature.name, (0, 0))
                totals[signature.name] = count + 1, mismatches + min(place.mismatches for place in found)
    sample, bases = label(options.sequences), sum(len(sequence.symbols) for sequence in sequences)
    counts = [f"# sample={sample} sequences={len(sequences)} pairs=0 bases={bases}", "\t".join(COUNTS)]
    for name in dict.fromkeys(signature.name for signature in signatures):
        if name in totals:
            counts.append("\t".join(map(str, (sample, name, totals[name][0], 0, totals[name][1]))))
    return rows, counts


def table(rows, columns, options):
    """The lines of the tsv. `sample` is the file's label where there is a column `sequence`, else the sequence's name."""
    named = "sequence" in columns
    lines = ["\t".join(columns)]
    for found in rows:
        found = dict(found, sample=label(options.sequences) if named else found["sequence"])
        lines.append("\t".join(str(found[column]) for column in columns))
    return lines


# Random inputs ------------------------------------------------------------------------------------------------------------------------

LENGTHS = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 300)
FRACTIONS = ("0", "0.05", "0.07", "0.1", "0.25", "0.29", "0.3", "0.50", "0.57", "0.7", "0.9", "1", "1.0")
PERCENTS = ("0%", "1%", "2.5%", "3.3%", "7%", "10%", "14.5%", "20%", "29%", "57%")
COMPLEMENT = str.maketrans("ACGTUacgtuRYKMBVDHrykmbvdh", "TGCAAtgcaaYRMKVBHDyrmkvbhd")


class Case:
    """Two files of random records, and options."""

    def __init__(self, dice, features, folder):
        self.dice, self.features, self.folder = dice, features, folder
        self.wildcards = dice.choice(("iupac", "iupac", "n"))
        self.circular = "circular" in features and dice.random() < 0.4
        self.offset = dice.choice(("33", "33", "64", "solexa"))
        self.bases = dice.choice(("ACGT", "ACGT", "ACGT", "AC", "AT", "A"))
        self.rates = {side: dice.choice((0, 0, 0.01, 0.05, 0.2, 0.5)) for side in ("sequence", "signature")}
        self.codes = "NNNRYSWKMBDHV." if self.wildcards == "iupac" and dice.random() < 0.5 else "N"
        self.gaps = dice.choice((0, 0, 0.01, 0.1))
        self.lower = dice.choice((0, 0, 0.1, 0.5, 1))
        self.allowed = dice.choice(("0", "1", "1", "2", "2", "3", "4", *PERCENTS)) if "mismatch" in features else "0"
        self.max_n_frac = dice.choice((*FRACTIONS, "0.5", "0.5", "0.5", "1", "1"))
        self.long = self.offset == "solexa" and not self.circular and dice.random() < 0.02
        self.signatures = [self.symbols(dice.randint(2001, 3000), "signature")] if self.long else self.drawn_signatures()
        self.sequences = self.drawn_sequences()

    def symbols(self, length, side):
        dice = self.dice
        period = dice.choice((1, 2, 3, 5)) if dice.random() < 0.1 else length
        drawn = (dice.choices(self.bases, k=period) * length)[:length] if period else []
        drawn = [dice.choice(self.codes) if dice.random() < self.rates[side] else symbol for symbol in drawn]
        if length and self.rates[side] and dice.random() < 0.3:
            start, run = dice.randrange(length), dice.randint(1, max(1, length // 2))
            drawn[start : start + run] = "N" * len(drawn[start : start + run])
        return "".join(drawn)

    def spelled(self, symbols, side):
        """The symbols with lower case, U and gaps, or with any bytes where only N is special."""
        dice, spelled = self.dice, []
        for symbol in symbols:
            if side == "sequence" and dice.random() < self.gaps:
                symbol = "-"
            if symbol == "T" and self.wildcards == "iupac" and dice.random() < self.lower / 3:
                symbol = "U"
            if self.wildcards == "n" and dice.random() < self.gaps / 5:
                symbol = dice.choice("acgtnRYU-.*x1~")
            if self.wildcards == "iupac" and dice.random() < self.lower:
                symbol = symbol.lower()
            if dice.random() < 0.00002:
                symbol = dice.choice("-ZXE*!\xe9")  # errors, most of them under `iupac` alone
            spelled.append(symbol)
        return "".join(spelled)

    def drawn_signatures(self):
        dice = self.dice
        shortest = 1 if self.allowed.endswith("%") or dice.random() < 0.02 else int(self.allowed) + 1
        longest = dice.choice((4, 8, 30, 30, 70, 300))
        drawn = []
        for _ in range(dice.randint(1, 7)):
            length = max(shortest, dice.choice((dice.choice(LENGTHS), dice.randint(1, longest), dice.randint(1, longest))))
            symbols = self.symbols(length, "signature")
            if dice.random() < 0.15:  # equal to its reverse complement
                half, middle = symbols[: length // 2], "" if length % 2 == 0 else "N"
                symbols = half + middle + half[::-1].translate(COMPLEMENT)
            elif dice.random() < 0.15:
                symbols = self.at_the_limit()
            elif drawn and dice.random() < 0.1:
                symbols = dice.choice(drawn)
            drawn.append(symbols)
        if dice.random() < 0.02:  # empty, or as many symbols as mismatches
            drawn[-1] = "A" * (0 if "%" in self.allowed else int(self.allowed))
        return drawn if dice.random() > 0.003 else []

    def at_the_limit(self):
        """A signature with as many N as a match may have, or one more."""
        length = self.dice.choice((10, 20, 50, 100, 100, 100, 200, 300))
        most = min(length, floor(Fraction(self.max_n_frac) * length) + self.dice.randint(0, 1))
        symbols = self.dice.choices(self.bases, k=length - most) + ["N"] * most
        self.dice.shuffle(symbols)
        return "".join(symbols)

    def drawn_sequences(self):
        dice, drawn = self.dice, []
        for _ in range(dice.choice((0, 1, 2, 3, 4, 5, 6, 7, 8)) if dice.random() < 0.3 else dice.randint(3, 8)):
            like = len(dice.choice(self.signatures or [""])) + dice.randint(-1, 1)
            length = dice.choice((0, max(0, like), dice.choice(LENGTHS), dice.randint(1, 40), dice.randint(1, 300), dice.randint(100, 400)))
            symbols = list(self.symbols(length, "sequence"))
            for _ in range(dice.choice((0, 1, 1, 2, 3)) if symbols else 0):
                self.plant(symbols)
            drawn.append("".join(symbols))
            if dice.random() < 0.1:
                drawn.append(dice.choice(drawn))
        return drawn

    def plant(self, symbols):
        """Writes a copy of a signature, with substitutions, over the symbols; it may go over an end."""
        dice, n = self.dice, len(symbols)
        copy = list(dice.choice(self.signatures or ["A"]))
        if dice.random() < 0.5:
            copy = list("".join(reversed(copy)).translate(COMPLEMENT))
        if self.wildcards == "iupac" and dice.random() < 0.8:
            copy = [dice.choice([base for base in "ACGT" if SETS[base] & SETS[symbol]]) for symbol in copy]
        most = allowed(self.allowed, len(copy))
        for _ in range(dice.choice((0, 0, most, most + 1, dice.randint(0, most + 2)))):
            if copy:
                copy[dice.randrange(len(copy))] = dice.choice("ACGT")
        inside = len(copy) <= n and not self.circular and dice.random() < 0.8
        start = dice.randint(0, n - len(copy)) if inside else dice.randrange(n)
        for at, symbol in enumerate(copy, start):
            if at < n or self.circular:
                symbols[at % n] = symbol

    def qualities(self, length):
        dice, (_, lowest) = self.dice, OFFSETS[self.offset]
        low = dice.choice((lowest, lowest, dice.randint(lowest, 126)))
        high = dice.choice((low, min(126, low + 1), dice.randint(low, 126), 126))
        drawn = [chr(dice.randint(low, high)) for _ in range(length)]
        if self.long:  # a mean just below 0
            drawn = ["@"] * (length - 1) + ["?"]
        if drawn and dice.random() < 0.002:
            drawn[dice.randrange(length)] = chr(dice.choice((lowest - 1, 127)))
        return "".join(drawn)

    def wrapped(self, text, width):
        return [text[at : at + width] for at in range(0, len(text), width)]

    def written(self, stem, sequences, side, quality):
        """Writes the records as FASTA or FASTQ, in one of the forms that must be read."""
        dice, lines = self.dice, []
        width = dice.choice((10_000, 10_000, 1, 7, 60))
        for number, symbols in enumerate(sequences):
            twin = side == "sequence" or ("names" in self.features and dice.random() < 0.02)
            name = f"{side}{dice.randrange(3) if twin and dice.random() < 0.3 else number}" + dice.choice(("", " more", "\tmore"))
            symbols = self.spelled(symbols, side)
            lines += ["@" + name if quality else ">" + name, *self.wrapped(symbols, width)]
            if quality:
                blank = [] if symbols else [""]
                lines += [*blank, dice.choice(("+", "+" + name)), *blank, *self.wrapped(self.qualities(len(symbols)), width)]
        end = dice.choice(("\n", "\n", "\n", "\r\n"))
        text = end.join(lines) + (dice.choice((end, end, end * 3, "")) if lines and lines[-1] else end if lines else "")
        data, zipped = text.encode("latin-1"), dice.random() < 0.1
        path = self.folder / (stem + (".fastq" if quality else ".fa") + (".gz" if zipped else ""))
        path.write_bytes(gzip.compress(data) if zipped else data)
        return str(path)

    def options(self):
        dice = self.dice
        stem = dice.choice(("reads", "a.b", "lane_R1", "lane_2", "x_R3"))
        options = [self.written(stem, self.sequences, "sequence", dice.random() < 0.6), self.written("wanted", self.signatures, "signature", False)]
        reports = ["best", "first", "all"] + ["none"] * ("counts" in self.features)
        for name, value, default in (("--wildcards", self.wildcards, "iupac"), ("--phred-offset", self.offset, "33"),
                                     ("--strand", dice.choice(("both", "both", "forward", "reverse")), "both"),
                                     ("--report", dice.choice(reports), "best"),
                                     ("--max-n-frac", self.max_n_frac, "0.5"),
                                     (dice.choice(("-m", "--max-mismatch")), self.allowed, "0")):  # fmt: skip
            if value != default or ("-m" not in name and dice.random() < 0.1):
                options += [name, value]
        return options + ["--circular"] * self.circular


# Comparing ----------------------------------------------------------------------------------------------------------------------------


def run(command):
    done = subprocess.run(command, capture_output=True)
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")


def difference(command, words, told, counts_file):
    """What the program does not do as the rules say, as text, and the number of rows; or None."""
    options = PARSER.parse_args(["reference", *words])
    options.unique_names = "names" in told.features
    code, out, err = run(command)
    try:
        rows, counts = scan(options)
    except Refused as refusal:
        if code not in (1, 2) or not err:
            return f"expected an error ({refusal}), found exit code {code}", None
        return None, None
    if code:
        return f"exit code {code}: {err}", None
    found = out.split("\n")[:-1] or [""]
    columns = found[0].split("\t")
    unknown = set(columns) - set(COLUMNS_51)
    if unknown and (found[0] or options.report != "none"):
        return f"unknown columns {', '.join(sorted(unknown))}", None
    wrong = first_difference(found[1:], table(rows, columns, options)[1:] if rows else [])
    if not wrong and counts_file:
        wrong = counts_difference(counts_file.read_text("latin-1").split("\n")[:-1], counts)
    return wrong, len(rows)


def counts_difference(found, expected):
    """Totals may be worded in any way, so long as they end in three numbers: sequences, pairs and bases."""

    def numbers(lines):
        return [re.findall(r"\d+", line)[-3:] for line in lines if line.startswith("#")]

    if numbers(found) != numbers(expected):
        return f"--counts: totals {found[:1]}, expected {expected[:1]}"
    wrong = first_difference(*([line for line in lines if not line.startswith("#")] for lines in (found, expected)))
    return wrong and "--counts: " + wrong


def first_difference(found, expected):
    if found == expected:
        return None
    at = next((at for at, both in enumerate(zip(found, expected)) if both[0] != both[1]), min(len(found), len(expected)))
    return f"{len(found)} rows, {len(expected)} expected; number {at}: {found[at : at + 1]}, expected {expected[at : at + 1]}"


def compare(told):
    rows = refused = matched = 0
    numbers = [told.case] if told.case is not None else range(told.cases)
    for number in numbers:
        folder = Path(tempfile.mkdtemp(prefix="scan-"))
        dice = random.Random(f"{told.seed}/{number}")
        words = Case(dice, told.features, folder).options()
        counts_file = folder / "counts.tsv" if "counts" in told.features and dice.random() < 0.5 else None
        command = [told.binary, "scan", *words, *told.options.split()]
        command += ["--counts", str(counts_file)] if counts_file else []
        command += ["--algorithm", dice.choice(("auto", "anchor", "brute"))] if "algorithm" in told.features else []
        wrong, count = difference(command, words, told, counts_file)
        if wrong:
            for path in words[:2]:
                data = Path(path).read_bytes()
                print(f"{path}:\n{gzip.decompress(data) if data[:2] == bytes((31, 139)) else data!r}\n")
            sys.exit(f"{' '.join(command)}\ncase {number}, seed {told.seed}: {wrong}")
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        refused += count is None
        matched += bool(count)
        rows += count or 0
    print(f"{len(numbers)} cases as in the rules: {rows} rows in {matched}, {refused} refused (seed {told.seed})")


# Cases by hand ------------------------------------------------------------------------------------------------------------------------

# Sequences, signatures, options, and rows: signature, strand, start, end, mean_phred, informative, wild, mismatches, integrity_hash.
# Signatures are a, b, ... A file that begins with @ is FASTQ.
BY_HAND = (
    ("ACGTACGT", "ACG", "--report all", "a + 0 3 NA 3 0 0 NA|a - 1 4 NA 3 0 0 NA|a + 4 7 NA 3 0 0 NA|a - 5 8 NA 3 0 0 NA"),
    ("ACGTACGT", "ACG", "--report all --strand reverse", "a - 1 4 NA 3 0 0 NA|a - 5 8 NA 3 0 0 NA"),
    ("ACGTACGT", "ACG", "", "a + 0 3 NA 3 0 0 NA"),
    ("ACGTACGT", "ACG", "--report none", ""),
    # Its own reverse complement: once a place, +.
    ("AACGTT", "ACGT", "--report all", "a + 1 5 NA 4 0 0 NA"),
    ("AACGTT", "acgu", "--report all --strand reverse", "a + 1 5 NA 4 0 0 NA"),
    ("AACRYGTT", "CRYG", "--report all", "a + 2 6 NA 2 2 0 NA"),
    # Sets that intersect: R is A or G, Y is C or T; R and Y have no base in common.
    ("GATTA", "RYB", "--report all --strand forward --max-n-frac 1", "a + 1 4 NA 0 3 0 NA"),
    ("R", "Y", "--max-n-frac 1 --strand forward", ""),
    ("R", "W", "--max-n-frac 1 --strand forward", "a + 0 1 NA 0 1 0 NA"),
    ("..nN", "ACGT", "--max-n-frac 1 --strand forward", "a + 0 4 NA 0 4 0 NA"),
    # A gap matches nothing, N included, and keeps its coordinate.
    ("AC-GT", "ACNGT", "", ""),
    ("A-CGTT", "CGTT", "--strand forward", "a + 2 6 NA 4 0 0 NA"),
    ("AC-GTA", "ACNGTA", "-m 1 --strand forward", "a + 0 6 NA 5 0 1 NA"),
    # 3 of 6 wild is half; 3 of 5 is more.
    ("ACGTTT", "ACGNNN", "--strand forward", "a + 0 6 NA 3 3 0 NA"),
    ("ACGTT", "ACNNN", "--strand forward", ""),
    # 0.29 x 100 is 29, which binary fractions make 28.999999999999996.
    ("A" * 100, "A" * 71 + "N" * 29, "--max-n-frac 0.29 --strand forward", "a + 0 100 NA 71 29 0 NA"),
    ("A" * 100, "A" * 70 + "N" * 30, "--max-n-frac 0.29 --strand forward", ""),
    # A wild position counts in one way only; two N are wild.
    ("ANGT", "ANNA", "-m 1 --strand forward --max-n-frac 0.5", "a + 0 4 NA 1 2 1 NA"),
    # Bytes: case counts, U is no T, every byte is legal, only N is wild.
    ("acgtACGT", "ACGT", "--wildcards n --report all", "a + 4 8 NA 4 0 0 NA"),
    ("acgtACGT", "acgt", "--wildcards n --report all", "a + 0 4 NA 4 0 0 NA"),
    ("AC-R*n", "C-R*n", "--wildcards n --report all", "a + 1 6 NA 5 0 0 NA"),
    ("AC-R*x", "CNRN", "--wildcards n --report all", "a + 1 5 NA 2 2 0 NA"),
    ("UUA", "TTA", "--wildcards n", ""),
    ("UAA", "TTU", "--wildcards n", "a - 0 3 NA 3 0 0 NA"),
    # Mismatches: K, and percent of the length rounded down.
    ("ACGTAC", "AGGTAG", "-m 1", ""),
    ("ACGTAC", "AGGTAG", "-m 2 --strand forward", "a + 0 6 NA 4 0 2 NA"),
    ("ACGTAC", "AGGTAG", "-m 33.4% --strand forward", "a + 0 6 NA 4 0 2 NA"),
    ("ACGTAC", "AGGTAG", "-m 33.3% --strand forward", ""),
    # best: fewest mismatches, then score, then start, then +.
    ("AAGTCAACGT", "AACGT", "-m 2 --strand forward", "a + 5 10 NA 5 0 0 NA"),
    ("AAGTCAACGT", "AACGT", "-m 3 --strand forward --report first", "a + 0 5 NA 2 0 3 NA"),
    ("@ACAC !!I!", "AC", "--strand forward", "a + 2 4 20.000 2 0 0 40"),
    ("@ACAC !!!!", "AC", "--strand forward", "a + 0 2 0.000 2 0 0 0"),
    ("ANAC", "AC", "--strand forward", "a + 2 4 NA 2 0 0 NA"),
    ("@ANAC IIII", "AC", "--strand forward", "a + 0 2 40.000 1 1 0 63"),
    ("@ACGN III!", "CGTN", "-m 3 --strand forward", "a + 0 4 30.000 0 1 3 23"),
    ("GTTTAC", "AC", "", "a - 0 2 NA 2 0 0 NA"),
    # 1/16 = 0.0625 and 3/16 = 0.1875 are exact: half to even. Solexa: (-1)/3000 is no -0.000.
    ("@" + "A" * 16 + " " + "!" * 15 + '"', "A" * 16, "", "a + 0 16 0.062 16 0 0 1"),
    ("@" + "A" * 16 + " " + "!" * 15 + "$", "A" * 16, "", "a + 0 16 0.188 16 0 0 3"),
    ("@" + "A" * 3000 + " " + "@" * 2999 + "?", "A" * 3000, "--phred-offset solexa", "a + 0 3000 0.000 3000 0 0 96"),
    ("@ACG ;;;", "ACG", "--phred-offset solexa", "a + 0 3 -5.000 3 0 0 82"),
    ("@ACG @AB", "ACG", "--phred-offset 64", "a + 0 3 1.000 3 0 0 3"),
    # Circular: over the end, every rotation, none that is longer than the sequence.
    ("GTTTAC", "ACGT", "--circular", "a + 4 8 NA 4 0 0 NA"),
    ("GTTTAC", "ACGT", "", ""),
    ("AAA", "AAA", "--circular --strand forward --report all", "a + 0 3 NA 3 0 0 NA|a + 1 4 NA 3 0 0 NA|a + 2 5 NA 3 0 0 NA"),
    ("AAA", "AAAA", "--circular", ""),
    ("@GAAC I!!!", "CG", "--circular --strand forward", "a + 3 5 20.000 2 0 0 40"),
    # Several records; empty ones and ones shorter than the signature have no match.
    ("ACG||AC|CGT", "ACG|CG", "--strand forward", "a + 0 3 NA 3 0 0 NA|b + 1 3 NA 2 0 0 NA|b + 0 2 NA 2 0 0 NA"),
    ("", "ACG", "", ""),
)
REFUSED = (("ACGT", "", ""), ("A\xe9", "A", "--wildcards n"), ("ACGT", "AC|", ""), ("ACGT", "A-C", ""), ("ACZT", "AC", ""), ("ACGT", "AZ", ""), ("ACGT", "AC", "-m 2"),
           ("ACGT", "AC", "-m 100%"), ("@AC I\x7f", "AC", ""), ("@AC @?", "AC", "--phred-offset 64"),
           ("@AC @:", "AC", "--phred-offset solexa"))  # fmt: skip
LABELS = {"a/b.c/s1_R1.fastq.gz": "s1", "s_2.fq": "s", "s_R1_R2.fa": "s_R1", "x.fasta": "x", "x.txt": "x.txt", "x_3.fa": "x_3", "-": "stdin"}


def by_hand(folder, sequences, signatures, options):
    """The rows as `BY_HAND` has them."""
    if sequences.startswith("@"):
        symbols, qualities = sequences[1:].split(" ")
        text = f"@s0\n{symbols}\n+\n{qualities}\n"
    else:
        text = "".join(f">s{number}\n{symbols}\n" for number, symbols in enumerate(sequences.split("|"))) if sequences else ""
    (folder / "s").write_bytes(text.encode("latin-1"))
    wanted = "".join(f">{name}\n{symbols}\n" for name, symbols in zip("abc", signatures.split("|"))) if signatures else ""
    (folder / "w").write_bytes(wanted.encode("latin-1"))
    told = PARSER.parse_args(["reference", str(folder / "s"), str(folder / "w"), *options.split()])
    return "|".join(line.replace("\t", " ") for line in table(scan(told)[0], COLUMNS_51[3:], told)[1:])


def check_reading(folder):
    """Multi-line FASTQ whose qualities look like headers, an empty record, Windows line ends, and what is counted."""
    path = folder / "lane_R1.fq"
    path.write_bytes(b"@s1 one\r\nAC\r\nGT\r\n+s1\r\n@!\r\n+!\r\n@s1\r\n\r\n+\r\n\r\n@s3\tx\r\nACGA\r\n+\r\nIIII")
    (folder / "w.fa").write_bytes(b">w1 first\nAC\nGT\n\n\n")
    told = PARSER.parse_args(["reference", str(path), str(folder / "w.fa"), "-m", "1", "--columns-51"])
    rows, counts = scan(told)
    assert table(rows, COLUMNS_51, told)[1:] == [
        "lane\ts1\t.\tw1\t+\t0\t4\t10.250\t4\t0\t0\t41", "lane\ts3\t.\tw1\t+\t0\t4\t40.000\t3\t0\t1\t63"], rows  # fmt: skip
    assert table(rows, COLUMNS_1, told)[1] == "s1\tw1\t+\t0\t4\t10.250\t4\t0\t41", rows
    assert counts == ["# sample=lane sequences=3 pairs=0 bases=8", "sample\tsignature\tsequences\tpairs\tmismatches", "lane\tw1\t2\t0\t1"], counts


def check(_told):
    """Raises AssertionError, with the case, for one that differs."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for *case, expected in BY_HAND:
            found = by_hand(folder, *case)
            assert found == expected, f"{case}: {found}"
        for case in REFUSED:
            try:
                found = by_hand(folder, *case)
            except Refused:
                continue
            raise AssertionError(f"{case}: {found}, expected an error")
        check_reading(folder)
    for path, expected in LABELS.items():
        assert label(path) == expected, f"{path}: {label(path)}"
    print(f"{len(BY_HAND)} cases, {len(REFUSED)} errors and {len(LABELS)} labels are as worked out by hand")


# Command line -------------------------------------------------------------------------------------------------------------------------


def reference(told):
    sys.stdout.reconfigure(encoding="latin-1")
    try:
        rows, counts = scan(told)
    except Refused as refusal:
        sys.exit(f"error: {refusal}")
    print("\n".join(table(rows, COLUMNS_51 if told.columns_51 else told.columns.split(","), told)))
    if told.counts:
        Path(told.counts).write_text("\n".join(counts) + "\n", "latin-1")


def command_line():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tasks = parser.add_subparsers(required=True)
    one = tasks.add_parser("reference", help="print the table")
    one.set_defaults(task=reference)
    one.add_argument("sequences", help="FASTA or FASTQ; -: standard input")
    one.add_argument("signatures", help="FASTA; -: standard input")
    one.add_argument("--wildcards", choices=RULES, default="iupac")
    one.add_argument("--strand", choices=("both", "forward", "reverse"), default="both")
    one.add_argument("--report", choices=("best", "first", "all", "none"), default="best")
    one.add_argument("--max-n-frac", default="0.5", metavar="F")
    one.add_argument("-m", "--max-mismatch", default="0", metavar="K or P%%")
    one.add_argument("--circular", action="store_true")
    one.add_argument("--phred-offset", choices=OFFSETS, default="33")
    one.add_argument("--columns", default=",".join(COLUMNS_1), metavar="NAMES", help="which columns [default: %(default)s]")
    one.add_argument("--columns-51", action="store_true", help=f"these columns: {','.join(COLUMNS_51)}")
    one.add_argument("--counts", metavar="FILE", help="write how many sequences have each signature")
    one.add_argument("--no-unique-names", dest="unique_names", action="store_false", help="let signatures have the same name")
    two = tasks.add_parser("compare", help="compare the program on random inputs")
    two.set_defaults(task=compare)
    two.add_argument("--binary", required=True, help="the program warpseq")
    two.add_argument("--cases", type=int, default=1000, help="how many inputs [default: %(default)s]")
    two.add_argument("--case", type=int, help="only the one of this number")
    two.add_argument("--seed", type=int, default=1, help="of the random inputs [default: %(default)s]")
    two.add_argument("--features", type=features, default=features("mismatch,circular"),
                     help=f"which of these to exercise, by comma: {FEATURES}; or none [default: mismatch,circular]")  # fmt: skip
    two.add_argument("--options", default="--device cpu", help="more options of the program [default: %(default)s]")
    three = tasks.add_parser("check", help="check the rules in Python")
    three.set_defaults(task=check)
    return parser


def features(text):
    chosen = set(text.split(",")) - {"none"}
    if chosen - set(FEATURES.split()):
        raise argparse.ArgumentTypeError(f"expected some of {FEATURES}, or none")
    return chosen


PARSER = command_line()


def main():
    told = PARSER.parse_args()
    told.task(told)


if __name__ == "__main__":
    main()
