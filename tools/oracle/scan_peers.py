#!/usr/bin/env python3
"""Compares `warpseq scan` with seqkit locate (Shen et al. 2016), sassy (Beeloo and Groot Koerkamp 2025) and cutadapt (Martin 2011).

Sequences are real genomes where `--shared FOLDER` has them, else drawn at random. Signatures are pieces of them, up to four bases
of each drawn again, on either strand. The sets of places must be equal, and every difference is printed. The rules differ in this:

- all: a signature that is its own reverse complement has one place on + here, and one on each strand there. It is doubled.
- seqkit -m compares bytes, as `--wildcards n` does, but for `N`: so both read a file that has `n` for `N`. Nothing is left out.
- seqkit -i -m takes an ambiguous base of a sequence for a mismatch: places with one are left out of both.
- seqkit -d finds codes in signatures, not in sequences: places with one there are left out of ours. It allows no mismatches.
- sassy counts edits. `crispr --allow-pam-edits --pam-length 0` has one alignment for each end (on -, start) of at most K edits.
  Each of its alignments without insertions and deletions is a place here, with as many mismatches. Each place here is an end
  there, with as many edits or fewer: so without edits, the places are equal. Both read `N` in runs of 8 at most (else everything
  matches in all runs), and no gaps, which sassy takes for a code.
- cutadapt has one place a read: the first from left to right, or one with fewer errors that begins at most half a signature behind;
  of several adapters, that with the fewest errors, then the first in the file (`--no-index`: else none of two that are alike). It is
  chosen from our places in this way, on one strand. Reads have no `N`; with `--match-read-wildcards`, they do. Without errors, and
  one adapter at a time, its place is that of `--report first`.

seqkit is a package of Debian, sassy of Rust's registry (`RUSTFLAGS="-C target-cpu=native" cargo install sassy`), cutadapt of PyPI. What
is not there, program or file, is named, and the script ends with code 3. `--time` measures, and compares nothing.
"""

import argparse
import itertools
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from locate import pieces

COMPLEMENTS = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")
CODES = {"A": "RWMDHVN", "C": "YSMBHVN", "G": "RSKBDVN", "T": "YWKBDHN"}
LENGTHS, MOST, REPEATS = (20, 60, 150), (0, 1, 2, 3), 200
# How many signatures of which length are timed, and with how many mismatches.
TIMED = ((10, 20, (2,)), (100, 20, (2,)), (1000, 20, (0, 2, 3)), (1000, 60, (2,)), (1000, 150, (2,)))
# How cutadapt searches, and the forms of its adapters: option, what stands before and behind.
CUTADAPT = ["-j", 2, "--quiet", "--no-indels", "--action", "none"]
WHERE = {"anywhere": ("-a", "", ";min_overlap={}"), "first": ("-g", "^", ""), "last": ("-a", "", "$")}


def opposite(bases):
    return bases.translate(COMPLEMENTS)[::-1]


def is_plain(bases):
    return not set(bases.upper()) - set("ACGT")


# Inputs -------------------------------------------------------------------------------------------------------------------------------


def records(path):
    """The sequences of a FASTA file, letters as they are."""
    return ["".join(record.split("\n")[1:]) for record in path.read_text().split(">")[1:]]


def relatives(dice):
    """Random genomes of five families, with runs of N."""
    found = []
    for ancestor in ("".join(dice.choices("ACGT", k=20000)) for _ in range(5)):
        for _ in range(4):
            child = "".join(dice.choice("ACGT") if dice.random() < 0.02 else base for base in ancestor)
            found.append(child[:7000] + "N" * dice.choice((0, 1, 300)) + child[7000:])
    return found


def as_bytes(sequences):
    """Sequences in which no letter is wild under `--wildcards n`."""
    return numbered(bases.upper().replace("N", "n") for bases in sequences)


class Inputs:
    """Genomes, circles and signatures."""

    def __init__(self, dice, shared):
        self.dice, self.left_out = dice, []
        self.genomes = self.real(shared, "virus_genomes.fasta", "virus_references.fasta") or relatives(dice)
        self.circles = self.real(shared, "MT-human.fa", "MT-orang.fa", "lambda_virus.fa") or relatives(dice)[:3]
        self.capitals = [bases.upper() for bases in self.genomes]

    def real(self, shared, *names):
        missing = [name for name in names if not shared or not (shared / name).exists()]
        self.left_out += [f"{name}: no such file; sequences are random ones" for name in missing]
        return [] if missing else [bases for name in names for bases in records(shared / name)]

    def signatures(self, count, length, codes=0):
        """Pieces on either strand, all different; among them a run of A and one that is its own reverse complement."""
        half = pieces(self.dice, self.capitals, 1, length // 2, 0)[0]
        found = {"A" * length: 0, half + opposite(half): 0}
        while len(found) < count:
            for piece in pieces(self.dice, self.capitals, count - len(found), length, 4):
                coded = list(piece)
                for at in self.dice.sample(range(length), codes):
                    coded[at] = self.dice.choice(CODES[coded[at]])
                found[self.dice.choice((str, opposite))("".join(coded))] = 0
        return named(found)


def numbered(sequences):
    return {f"s{k}": bases for k, bases in enumerate(sequences)}


def named(signatures):
    return {f"q{k}": bases for k, bases in enumerate(signatures)}


def fasta(path, sequences):
    path.write_text("".join(f">{name}\n{bases}\n" for name, bases in sequences.items()))
    return path


# Programs -----------------------------------------------------------------------------------------------------------------------------


def measured(command):
    """What a command prints, its time by the clock, and its processor time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout, clock, sum(after[:2]) - sum(before[:2])


def rows(command):
    return [line.split("\t") for line in measured(command)[0].splitlines()]


class Search:
    """Sequences and signatures in files, and the places that the programs find: (sequence, signature, strand, start)."""

    def __init__(self, told, folder, sequences, signatures):
        self.told, self.folder, self.sequences, self.signatures = told, folder, sequences, signatures
        self.files = [fasta(folder / "sequences.fa", sequences), fasta(folder / "signatures.fa", signatures)]

    def command(self, most, *options):
        return [self.told.program, "scan", *self.files, "-m", most, "--device", self.told.device, "--threads", 2, *options]

    def ours(self, most, *options):
        """Each place, and its mismatches."""
        columns = "sequence,signature,strand,start,mismatches"
        found = {}
        for *place, start, mismatches in rows(self.command(most, "--report", "all", "--columns", columns, "--no-header", *options)):
            found[*place, int(start)] = int(mismatches)
            if opposite(self.signatures[place[1]]) == self.signatures[place[1]]:
                found[*place[:2], "-", int(start)] = int(mismatches)
        return found

    def seqkit(self, *options):
        """A list of places."""
        found = rows([self.told.seqkit, "locate", "-j", 2, "-M", "-f", self.files[1], *options, self.files[0]])
        return [(row[0], row[1], row[3], int(row[4]) - 1) for row in found[1:]]

    def sassy(self, most):
        """Each end (on -, start) that at most so many edits lead to, with edits, start, and CIGAR."""
        names = {bases: name for name, bases in self.signatures.items()}
        guides, output = self.folder / "guides.txt", self.folder / "ends.tsv"
        guides.write_text("".join(f"{bases}\n" for bases in names))
        measured([self.told.sassy, "crispr", "-g", guides, "-k", most, "--max-n-frac", 1, "-j", 2, "--allow-pam-edits",
                  "--pam-length", 0, "-o", output, self.files[0]])
        found = {}
        for line in output.read_text().splitlines()[1:]:
            guide, sequence, edits, strand, start, end, _, cigar = line.split("\t")
            found[sequence, names[guide], strand, int(end if strand == "+" else start)] = (int(edits), int(start), cigar)
        return found

    def cutadapt(self, most, adapter, *options):
        """The place of each read that has one, and its errors."""
        adapters, output = self.folder / "adapters.fa", self.folder / "places.tsv"
        kind, before, after = adapter
        fasta(adapters, {name: before + bases + after for name, bases in self.signatures.items()})
        measured([self.told.cutadapt, *CUTADAPT, "-e", most, kind, f"file:{adapters}", *options, "--info-file", output,
                  "-o", self.folder / "trimmed.fa", self.files[0]])
        found = (line.split("\t") for line in output.read_text().splitlines())
        return {row[0]: ((row[0], row[7], "+", int(row[2])), int(row[1])) for row in found if row[1] != "-1"}

    def under(self, place):
        """The bases of a sequence at a place."""
        sequence, start, length = self.sequences[place[0]], place[3], len(self.signatures[place[1]])
        return (sequence + sequence)[start:start + length] if start + length > len(sequence) else sequence[start:start + length]


# Comparisons --------------------------------------------------------------------------------------------------------------------------


def unequal(ours, theirs, peer):
    """Lines about what is not in both, or there twice."""
    for place in sorted(place for place, times in Counter(theirs).items() if times > 1):
        yield f"{peer} has {place} twice"
    for place in sorted(set(ours) - set(theirs)):
        yield f"warpseq alone has {place}"
    for place in sorted(set(theirs) - set(ours)):
        yield f"{peer} alone has {place}"


def seqkit_cases(told, inputs, folder):
    """For each comparison with seqkit: what it is, how many places there are, and the differences."""
    for count in told.counts:
        for length in LENGTHS:
            search = Search(told, folder, as_bytes(inputs.genomes), inputs.signatures(count, length))
            for most in MOST:
                ours = search.ours(most, "--wildcards", "n")
                yield f"-m {most}, {count} of {length}", len(ours), list(unequal(ours, search.seqkit("-m", most), "seqkit"))
    search = Search(told, folder, numbered(inputs.genomes), inputs.signatures(100, 20))
    for most in MOST:
        ours, theirs = search.ours(most, "--max-n-frac", 0), search.seqkit("-i", "-m", most)
        ours, theirs = ([place for place in of if is_plain(search.under(place))] for of in (ours, theirs))
        yield f"-i -m {most}, 100 of 20", len(ours), list(unequal(ours, theirs, "seqkit"))
    search = Search(told, folder, numbered(inputs.capitals), inputs.signatures(100, 20, codes=2))
    # Two of 20 symbols are wild where the sequence has none.
    ours = [place for place in search.ours(0, "--max-n-frac", 0.1) if is_plain(search.under(place))]
    yield "-d, 100 of 20 with two codes", len(ours), list(unequal(ours, search.seqkit("-d"), "seqkit"))


def circular_cases(told, inputs, folder):
    """As seqkit_cases, over the ends of circles."""
    circles = as_bytes(inputs.circles)
    for length in LENGTHS:
        ends = (1, length // 2, length - 1)
        over = {f"{name}-{at}": (bases[-at:] + bases)[:length] for name, bases in circles.items() for at in ends}
        drawn = pieces(inputs.dice, list(circles.values()), 20, length, 4)
        search = Search(told, folder, circles, {**over, **named(drawn)})
        for most in MOST:
            ours, theirs = search.ours(most, "--wildcards", "n", "--circular"), search.seqkit("-c", "-m", most)
            yield f"-c -m {most}, {len(search.signatures)} of {length}", len(ours), list(unequal(ours, theirs, "seqkit"))


def sassy_cases(told, inputs, folder):
    """As seqkit_cases, for sassy."""
    short = numbered(re.sub("N{9,}", "N" * 8, bases.replace("-", "")) for bases in inputs.capitals)
    for count in told.counts:
        for length in LENGTHS:
            for codes in (0, 2):
                search = Search(told, folder, short, inputs.signatures(count, length, codes))
                for most in MOST:
                    ours, theirs = search.ours(most, "--max-n-frac", 1), search.sassy(most)
                    which = f"-k {most}, {count} of {length}" + " with two codes" * (codes > 0)
                    yield which, len(ours), list(inconsistent(ours, theirs, length))


def inconsistent(ours, theirs, length):
    """Lines about places that edits contradict."""
    for (*which, strand, start), mismatches in sorted(ours.items()):
        end = (*which, strand, start + length if strand == "+" else start)
        if end not in theirs:
            yield f"warpseq alone has {(*which, strand, start)} with {mismatches} mismatches"
        elif theirs[end][0] > mismatches:
            yield f"{(*which, strand, start)} has {mismatches} mismatches and, says sassy, {theirs[end][0]} edits"
    for (*which, end), (edits, start, cigar) in sorted(theirs.items()):
        if not set(cigar) & set("ID") and ours.get((*which, start)) != edits:
            yield f"sassy has {(*which, start)} with {edits} mismatches, warpseq {ours.get((*which, start))}"


def reads(told, inputs, folder, count):
    """Reads of 150 of the circles, some bases of which are N, as FASTA."""
    dice, genomes = inputs.dice, folder / "genomes.fa"
    spotted = ("".join("N" if dice.random() < 0.004 else base for base in bases.upper()) for bases in inputs.circles)
    measured([told.program, "simulate", "reads", fasta(genomes, numbered(spotted)), count, "--error", 0.02, "--uncompressed",
              "-o", folder / "r"])
    lines = (folder / "r_R1.fastq").read_text().splitlines()
    return numbered(lines[1::4] + [repeat(dice) for _ in range(REPEATS)])


def repeat(dice):
    """A read of one short unit again and again, with errors: an adapter of it has many places that overlap."""
    unit = dice.choices("ACGT", k=dice.randint(2, 12))
    return "".join(dice.choice("ACGT") if dice.random() < 0.1 else base for base in (unit * 75)[:150])


def cutadapt_cases(told, inputs, folder):
    """As seqkit_cases, for cutadapt."""
    drawn = reads(told, inputs, folder, told.reads)
    plain = {name: bases for name, bases in drawn.items() if is_plain(bases)}
    for length, (where, (kind, before, after)) in itertools.product(LENGTHS[:2], WHERE.items()):
        begins = {"first": slice(length), "last": slice(-length, None)}.get(where)
        signatures = adapters(inputs.dice, list(plain.values()), length, begins)
        for sequences, options in ((plain, ["--no-index"]), (drawn, ["--match-read-wildcards"])):
            search = Search(told, folder, sequences, signatures)
            for most in MOST:
                ours = expected(search, search.ours(most, "--strand", "forward", "--max-n-frac", 1), where)
                theirs = search.cutadapt(most, (kind, before, after.format(length)), *options)
                which = f"-e {most}, {len(signatures)} of {length}, {where}, {' '.join(options)}"
                yield which, len(ours), list(unequal(ours.items(), theirs.items(), "cutadapt"))


def adapters(dice, drawn, length, begins):
    """Pieces of reads, or of their begins or ends; some of repeats."""
    drawn = [bases[begins] + "A" if begins else bases for bases in drawn]
    found = pieces(dice, drawn, 20, length, 2) + pieces(dice, drawn[-REPEATS:], 20, length, 2)
    return named(dict.fromkeys(found))


def expected(search, ours, where):
    """The place that cutadapt chooses in each read, and its errors."""
    length, order = len(search.signatures["q0"]), list(search.signatures)
    of_pair = defaultdict(list)
    for place, errors in ours.items():
        begins = {"anywhere": place[3], "first": 0, "last": len(search.sequences[place[0]]) - length}[where]
        if place[3] == begins:
            of_pair[place[:2]].append((place, errors))
    of_read = defaultdict(list)
    for (read, signature), found in of_pair.items():
        place, errors = walked(found, length)
        of_read[read].append((errors, order.index(signature), place))
    return {read: (min(found)[2], min(found)[0]) for read, found in of_read.items()}


def walked(found, length):
    """The first place, or a better one that overlaps with it by half."""
    best = None
    for place, errors in sorted(found, key=lambda each: each[0][3]):
        if best is None or place[3] <= best[0][3] + length // 2 and errors < best[1]:
            best = place, errors
            if errors == 0:
                break
    return best


def first_cases(told, inputs, folder):
    """Without errors, cutadapt's place is that of `--report first`."""
    plain = {name: bases for name, bases in reads(told, inputs, folder, told.reads).items() if is_plain(bases)}
    for length in LENGTHS[:2]:
        drawn, ours, theirs = adapters(inputs.dice, list(plain.values()), length, None), set(), set()
        for name, bases in drawn.items():
            search = Search(told, folder, plain, {name: bases})
            columns = ["--columns", "sequence,signature,start", "--no-header"]
            ours |= set(map(tuple, rows(search.command(0, "--strand", "forward", "--report", "first", *columns))))
            found = search.cutadapt(0, ("-a", "", f";min_overlap={length}"))
            theirs |= {(read, name, str(place[3])) for read, (place, _) in found.items()}
        yield f"-e 0, one by one, {len(drawn)} of {length}, --report first", len(ours), list(unequal(ours, theirs, "cutadapt"))


CASES = {"seqkit": [seqkit_cases, circular_cases], "sassy": [sassy_cases], "cutadapt": [cutadapt_cases, first_cases]}


def compare(told, inputs, folder, peer):
    """How many differences there are, each of which is printed."""
    wrong = 0
    for cases in CASES[peer]:
        for which, places, differences in cases(told, inputs, folder):
            wrong += len(differences)
            print(f"{peer} {which}: {places} places" + f", {len(differences)} differences" * bool(differences), flush=True)
            for difference in differences:
                print(f"  {difference}")
    return wrong


# Times --------------------------------------------------------------------------------------------------------------------------------


def median(command, runs):
    """Medians of clock and processor time, and of how many runs: one of what takes longer than 30 s."""
    found = [measured(command)[1:]]
    if found[0][1] < 30:
        found += [measured(command)[1:] for _ in range(1, runs)]
    return [statistics.median(times) for times in zip(*found)] + [len(found)]


def works(told, inputs, folder):
    """What is measured, and the command of each program that can do it."""
    genomes = numbered(bases.replace("-", "") for bases in inputs.capitals)
    for count, length, allowed in TIMED:
        search = Search(told, folder, genomes, inputs.signatures(count, length))
        for most in allowed:
            yield f"{count} of {length}, `-m {most}`", {
                "warpseq": search.command(most, "--report", "all", "--max-n-frac", 0),
                "seqkit": [told.seqkit, "locate", "-j", 2, "-M", *(["-m", most] if most else ["-F"]), "-f", *search.files[::-1]],
                "sassy": [told.sassy, "search", "-j", 2, "-k", most, "--max-n-frac", 0, "-f", search.files[1], search.files[0]]}
    drawn = reads(told, inputs, folder, 10 * told.reads)
    for count in (10, 100):
        search = Search(told, folder, drawn, named(pieces(inputs.dice, list(drawn.values()), count, 20, 2)))
        for most in (0, 2):
            yield f"{len(drawn):,} reads of 150, {count} adapters of 20, `-m {most}`", {
                "warpseq": search.command(most, "--strand", "forward", "--max-n-frac", 0),
                "cutadapt": [told.cutadapt, *CUTADAPT, "-e", most, "-o", "/dev/null", "-a",
                             f"file:{search.files[1]};min_overlap=20", search.files[0]]}


def measure(told, inputs, folder, peers):
    """Prints a table: seconds by the clock, and of processor time in brackets; with a star, of one run."""
    names = ["warpseq", *peers]
    print("| work | " + " | ".join(f"`{name}`" for name in names) + " |\n|" + "---|" * (len(names) + 1))
    for work, commands in works(told, inputs, folder):
        if len(set(commands) & set(peers)):
            times = [median(commands[name], told.runs) if name in commands else None for name in names]
            cells = (f"{of[0]:.2f} ({of[1]:.2f})" + "*" * (of[2] == 1) if of else "" for of in times)
            print(f"| {work} | " + " | ".join(cells) + " |", flush=True)


def counts(text):
    return [int(count) for count in text.split(",")]


def asked():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program warpseq")
    parser.add_argument("--shared", type=Path, help="a folder with real genomes [default: random ones]")
    parser.add_argument("--peers", nargs="+", choices=CASES, default=list(CASES), help="which of them [default: all]")
    for peer in CASES:
        parser.add_argument(f"--{peer}", default=peer, help="that program [default: %(default)s]")
    parser.add_argument("--counts", type=counts, default=counts("10,100,1000"), help="how many signatures [default: 10,100,1000]")
    parser.add_argument("--reads", type=int, default=10000, help="how many reads [default: %(default)s]")
    parser.add_argument("--time", action="store_true", help="measure, on two threads, instead of comparing")
    parser.add_argument("--runs", type=int, default=3, help="medians of so many [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn [default: %(default)s]")
    parser.add_argument("--device", default="cpu", help="what warpseq computes on [default: %(default)s]")
    return parser.parse_args()


def main():
    told = asked()
    peers = [peer for peer in told.peers if shutil.which(getattr(told, peer))]
    inputs, wrong = Inputs(random.Random(told.seed), told.shared), 0
    inputs.left_out += [f"{peer}: no such program" for peer in told.peers if peer not in peers]
    with tempfile.TemporaryDirectory() as folder:
        if told.time:
            measure(told, inputs, Path(folder), peers)
        else:
            wrong = sum(compare(told, inputs, Path(folder), peer) for peer in peers)
    for what in inputs.left_out:
        print(f"left out: {what}", file=sys.stderr)
    if wrong:
        sys.exit(f"{wrong} differences (seed {told.seed})")
    sys.exit(3 if inputs.left_out else 0)


if __name__ == "__main__":
    main()
