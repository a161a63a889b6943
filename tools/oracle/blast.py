#!/usr/bin/env python3
"""Compares the statistics and `--format blast6` of `warpseq align` with NCBI BLAST+ (Camacho et al. 2009).

BLAST is heuristic and may find other alignments, so rows are compared where it found the same one: the same query and target,
score and coordinates. Of these
- E-value and bits are what BLAST prints;
- where the columns are the same, too, so is the whole row.

Queries are from 10 to 5,000 residues. They are pieces of random sequences that are mutated and planted in the targets, and with
`--shared FOLDER` pieces of real proteins and genomes. `makeblastdb` makes a database, as `-subject` has statistics of its own.
"""

import argparse
import itertools
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

AMINO_ACIDS, BASES = "ARNDCQEGHILKMFPSTWYV", "ACGT"
LENGTHS = (10, 12, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000)
# Matrix as warpseq calls it, existence and extension as BLAST counts them.
PROTEINS = [("BLOSUM62", 11, 1), ("BLOSUM62", 9, 2), ("BLOSUM62", 9, 1), ("BLOSUM45", 14, 2), ("BLOSUM45", 16, 1), ("BLOSUM50", 13, 2),
            ("BLOSUM50", 15, 1), ("BLOSUM80-BLAST", 10, 1), ("BLOSUM80-BLAST", 25, 2), ("BLOSUM90", 10, 1), ("BLOSUM90", 6, 2),
            ("PAM30", 9, 1), ("PAM30", 5, 2), ("PAM70", 10, 1), ("PAM250", 14, 2), ("PAM250", 17, 1)]
# Match, mismatch, existence and extension; 0 and 0 are BLAST's for megablast's linear gaps.
NUCLEOTIDES = [(2, -3, 5, 2), (2, -3, 2, 2), (1, -1, 0, 2), (1, -1, 3, 2), (1, -2, 2, 1), (1, -3, 2, 2), (1, -3, 1, 1), (1, -4, 1, 2),
               (1, -5, 3, 3), (2, -5, 2, 4), (2, -7, 4, 2), (3, -4, 5, 2), (4, -5, 6, 5), (3, -2, 5, 5), (5, -4, 8, 6),
               (2, -2, 4, 2), (4, -6, 10, 4), (2, -5, 0, 0), (4, -5, 0, 0)]
FIELDS = "qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore".split()
PLACES = ("qaccver", "saccver", "qstart", "qend", "sstart", "send")


def mutated(dice, letters, original, rate):
    copy = []
    for letter in original:
        fate = dice.random()
        if fate < 0.8 * rate:
            copy.append(dice.choice(letters))
        elif fate < 0.9 * rate:
            copy += [letter, *dice.choices(letters, k=dice.randint(1, 4))]
        elif fate > rate:
            copy.append(letter)
    return "".join(copy)


def planted(dice, letters):
    """Queries, and targets that hold mutated pieces of them; some on the other strand."""
    queries = ["".join(dice.choices(letters, k=length)) for length in LENGTHS]
    targets = ["".join(dice.choices(letters, k=dice.choice((30, 300, 2000)))) for _ in range(40)]
    for query in queries:
        for rate in (0.05, 0.3, 0.5):
            start = dice.randrange(max(1, len(query) // 2))
            piece = mutated(dice, letters, query[start:start + dice.randint(10, 1500)], rate)
            if letters == BASES and dice.random() < 0.4:
                piece = piece[::-1].translate(str.maketrans("ACGT", "TGCA"))
            place = dice.randrange(len(targets))
            targets[place] += piece + "".join(dice.choices(letters, k=50))
    # Databases leave out sequences without letters.
    return queries, targets + [""] * 20


def records(path):
    for record in Path(path).read_text().split(">")[1:]:
        yield "".join(record.split("\n")[1:]).upper()


def real_proteins(dice, folder, most):
    """Whole proteins, at most so many, and pieces."""
    queries = list(records(folder / "swissprot_queries.fasta"))
    pieces = [query[start:start + length] for query in queries[:12] for length in (10, 25, 60) for start in [dice.randrange(80)]]
    return [query[:5000] for query in dice.sample(queries, min(most, len(queries)))] + pieces, list(records(folder / "proteins.fasta"))


def real_genomes(dice, folder):
    human, orang = (next(records(folder / f"MT-{name}.fa")) for name in ("human", "orang"))
    lambda_virus = next(records(folder / "lambda_virus.fa"))
    pieces = [source[start:start + length] for source in (human, lambda_virus) for length in LENGTHS
              for start in dice.sample(range(len(source) - length), 2)]
    return [mutated(dice, BASES, piece, 0.1) for piece in pieces], [orang, lambda_virus, orang[3000:3700]]


def fasta(path, prefix, sequences):
    path.write_text("".join(f">{prefix}{number}\n{sequence}\n" for number, sequence in enumerate(sequences)))
    return str(path)


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return [line.split("\t") for line in done.stdout.splitlines() if not line.startswith("#")]


def blast_columns(query, target):
    """M, I or D for each column."""
    return "".join("D" if q == "-" else "I" if t == "-" else "M" for q, t in zip(query, target))


def cigar_columns(cigar):
    return "".join(("M" if op in "=X" else op) * int(count) for count, op in re.findall(r"(\d+)(.)", cigar))


def compare(told, kind, scoring, files, tally):
    """Runs both programs and compares what both found."""
    queries, targets, database = files
    if kind == "prot":
        matrix, existence, extension = scoring
        blast = ["blastp", "-matrix", matrix.removesuffix("-BLAST"), "-comp_based_stats", 0, "-seg", "no", "-word_size", 2]
        ours = ["--matrix", matrix]
    else:
        match, mismatch, existence, extension = scoring
        blast = ["blastn", "-reward", match, "-penalty", mismatch, "-dust", "no"]
        greedy = existence == extension == 0
        blast += ["-task", "megablast", "-word_size", 12] if greedy else ["-task", "blastn", "-word_size", 7]
        ours = ["--match", match, f"--mismatch={mismatch}", "--strand", "both"]
    blast += ["-db", database, "-query", queries, "-gapopen", existence, "-gapextend", extension, "-evalue", 1000,
              "-max_target_seqs", 5000, "-outfmt", "6 " + " ".join(FIELDS) + " score qseq sseq"]
    if kind == "nucl" and greedy:
        extension = match // 2 - mismatch
    ours = [told.program, "align", "--pairs", "all", "--gap-model", "blast", "--gap-open", existence, "--gap-extend", extension, *ours,
            "--evalue", "inf", "--quiet", "--device", told.device, queries, targets]
    found = {}
    for *row, score, query, target in output(*blast):
        row = dict(zip(FIELDS, row))
        found[tuple(row[name] for name in PLACES), score] = row, blast_columns(query, target)
    table = output(*ours)
    header, *table = table
    for row, more in zip(output(*ours, "--format", "blast6"), table, strict=True):
        row, more = dict(zip(FIELDS, row)), dict(zip(header, more))
        tally["alignments"] += 1
        if (row["evalue"], row["bitscore"].strip()) != (more["evalue"], more["bits"]):
            yield f"blast6 {row}, but tsv {more}"
        theirs = found.get((tuple(row[name] for name in PLACES), more["score"]))
        if theirs is None:
            continue
        expected, columns = theirs
        same = columns == cigar_columns(more["cigar"])
        tally["same place"] += 1
        tally["same columns"] += same
        tally["reverse strand"] += more["strand"] == "-"
        for name in FIELDS if same else ("evalue", "bitscore"):
            if row[name] != expected[name] and not is_rounding(name, row[name], expected[name], tally):
                yield f"{name} {row[name]}, expected {expected[name]} ({more['query']}, {more['target']}, score {more['score']})"


def is_rounding(name, found, expected, tally):
    """Whether two printed numbers differ by 1 in their last digit alone."""
    if name not in ("evalue", "bitscore", "pident"):
        return False
    digits = [re.sub(r"e.*", "", number) for number in (found, expected)]
    exponents = [number.partition("e")[2] for number in (found, expected)]
    alike = exponents[0] == exponents[1] and len(digits[0]) == len(digits[1])
    near = alike and abs(int(digits[0].replace(".", "")) - int(digits[1].replace(".", ""))) == 1
    tally["last digit"] += near
    return near


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program warpseq")
    parser.add_argument("--shared", type=Path, help="a folder with real proteins and genomes")
    parser.add_argument("--proteins", type=int, default=100, help="at most so many whole proteins of it [default: all]")
    parser.add_argument("--scorings", type=int, default=100, help="at most so many of each kind [default: all]")
    parser.add_argument("--seed", type=int, default=1, help="of the random sequences [default: %(default)s]")
    parser.add_argument("--device", default="cpu", help="what warpseq computes on [default: %(default)s]")
    told = parser.parse_args()
    dice, tally, wrong = random.Random(told.seed), Counter(), 0
    kinds = [("prot", PROTEINS, planted(dice, AMINO_ACIDS)), ("nucl", NUCLEOTIDES, planted(dice, BASES))]
    if told.shared:
        kinds += [("prot", PROTEINS, real_proteins(dice, told.shared, told.proteins)), ("nucl", NUCLEOTIDES, real_genomes(dice, told.shared))]
    for kind, scorings, (queries, targets) in kinds:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            files = [fasta(folder / "q.fa", "q", queries), fasta(folder / "t.fa", "t", targets), folder / "db"]
            output("makeblastdb", "-in", files[1], "-dbtype", kind, "-out", files[2])
            for scoring in itertools.islice(scorings, told.scorings):
                before = tally["same place"]
                for difference in compare(told, kind, scoring, files, tally):
                    wrong += 1
                    if wrong <= 10:
                        print(f"{kind} {scoring}: {difference}", file=sys.stderr)
                if tally["same place"] == before:
                    sys.exit(f"{kind} {scoring}: BLAST found no alignment that warpseq has, too")
    if wrong:
        sys.exit(f"{wrong} differences (seed {told.seed})")
    print(f"{tally['same place']} alignments with BLAST's E-values and bits, {tally['same columns']} of them with all of its columns; "
          f"{tally['reverse strand']} on strand -; "
          f"{tally['last digit']} last digits differ by 1; {tally['alignments'] - tally['same place']} alignments that BLAST has not")


if __name__ == "__main__":
    main()
