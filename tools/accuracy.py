#!/usr/bin/env python3
"""Measures how often the nearest reference by signatures is the right one, by bytes a genome, k, bits and windows.

    tools/accuracy.py WARPSEQ GENOMES REFERENCES --folder bench/record --svg docs/sign-accuracy.svg

The right reference of a genome is the one with the largest sum of bit scores by blastn (NCBI BLAST+); a genome without a hit is left
out. Beside it stand the cosine of all k-mer counts, which signatures estimate; MinHash sketches by mash and sourmash, where these are
installed, whose bytes are 8 a hash, or 4 where mash needs no more (k up to 16); and copies of references in which each base is
another one with a given probability. The average nucleotide identity by `sign dist --metric ani` is held against that of
global alignments by `align`.

Writes sign-accuracy.csv (one row for each way), sign-misses.csv (each miss at 8 KB with the defaults' k, and what the cosine says
of it) and sign-ani.csv into the folder, and a picture.
"""

import argparse
import collections
import csv
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from sensitivity import mutated, records

K = [9, 11, 13, 15, 17, 21]
BITS = [1024, 2048, 4096, 8192, 16384, 32768, 65536]
WINDOWS = [500, 1000, 2000, 4000]
IDENTITIES = [100, 99, 98, 96, 94, 92, 90, 85, 80, 75, 70]
HASHES = [16, 64, 128, 256, 1000]
CHOSEN_K = 11


def out(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


def write(path, genomes):
    path.write_text("".join(f">{name}\n{bases}\n" for name, bases in genomes.items()))


def by_blast(folder, genomes, references):
    """The reference with the largest sum of bit scores, of each genome that has a hit."""
    plain = {name: "".join(base if base in "ACGTRYSWKMBDHVN" else "N" for base in bases) for name, bases in genomes.items()}
    numbered = {f"g{number}": name for number, name in enumerate(plain)}
    targets = {f"r{number}": name for number, name in enumerate(references)}
    write(folder / "plain.fa", {number: plain[name] for number, name in numbered.items()})
    write(folder / "targets.fa", {number: references[name] for number, name in targets.items()})
    out("makeblastdb", "-in", folder / "targets.fa", "-dbtype", "nucl", "-out", folder / "blast")
    query = ["-task", "blastn", "-query", folder / "plain.fa", "-evalue", "1e-5", "-outfmt", "6 qseqid sseqid bitscore"]
    scores = collections.defaultdict(collections.Counter)
    for line in out("blastn", "-db", folder / "blast", *query, "-num_threads", 2).splitlines():
        genome, target, score = line.split("\t")
        scores[numbered[genome]][targets[target]] += float(score)
    return {name: counts.most_common(1)[0][0] for name, counts in scores.items()}


def by_signatures(program, folder, genomes, k, bits, window="whole"):
    """The nearest reference of each genome, and bytes a genome."""
    made = ["--alphabet", "dna", "--k", k, "--bits", bits, "--window", window]
    for name in (genomes, "references"):
        out(program, "sign", "build", folder / f"{name}.fa", *made, "-q", "-o", folder / f"{name}.wsig")
    search = ["--by", "sequence"] if window != "whole" else ["--max-evalue", "inf"]
    files = [folder / f"{genomes}.wsig", folder / "references.wsig"]
    table = out(program, "sign", "search", *files, "--top", 1, *search, "--columns", "query,target", "--no-header", "-q")
    info = out(program, "sign", "info", files[0], "--format", "tsv").splitlines()
    of = dict(zip(info[0].split("\t"), info[1].split("\t")))
    return dict(line.split("\t") for line in table.splitlines()), int(of["windows"]) * bits // 8 / int(of["sequences"])


def by_mash(folder, genomes, k, hashes):
    sketch = lambda name: out("mash", "sketch", "-i", "-k", k, "-s", hashes, "-o", folder / name, folder / f"{name}.fa")
    sketch(genomes), sketch("references")
    return nearest(
        (genome, reference, float(distance))
        for reference, genome, distance, *_ in (
            line.split("\t") for line in out("mash", "dist", folder / "references.msh", folder / f"{genomes}.msh").splitlines()
        )
    )


def by_sourmash(folder, genomes, k, hashes):
    for name in (genomes, "references"):
        made = ["-p", f"dna,k={k},num={hashes}", "--singleton", "-f", "-o", folder / f"{name}.sig"]
        out("sourmash", "sketch", "dna", *made, folder / f"{name}.fa")
    files = [folder / f"{genomes}.sig", folder / "references.sig"]
    out("sourmash", "compare", *files, "-k", k, "--csv", folder / "similarity.csv")
    with open(folder / "similarity.csv", newline="") as file:
        rows = list(csv.reader(file))
    names = [name.split()[0] for name in rows[0]]
    count = len(records(folder / f"{genomes}.fa"))
    similar = numpy.array(rows[1:], dtype=float)[:count, count:]
    return {names[row]: names[count + similar[row].argmax()] for row in range(count)}


def nearest(distances):
    found = {}
    for genome, reference, distance in distances:
        if distance < found.get(genome, (float("inf"),))[0]:
            found[genome] = (distance, reference)
    return {genome: reference for genome, (_, reference) in found.items()}


def counts(bases, k):
    """The canonical k-mers of a sequence and how often each occurs."""
    codes = numpy.full(256, 4, dtype=numpy.uint64)
    codes[[ord(base) for base in "ACGT"]] = range(4)
    of = codes[numpy.frombuffer(bases.encode(), dtype=numpy.uint8)]
    length = max(0, len(of) - k + 1)
    there, back, usable = numpy.zeros((2, length), dtype=numpy.uint64), 0, numpy.ones(length, dtype=bool)
    there, back = there
    for place in range(k):
        part = of[place : place + length]
        usable &= part < 4
        there = there << numpy.uint64(2) | part & numpy.uint64(3)
        back = back | (numpy.uint64(3) - (part & numpy.uint64(3))) << numpy.uint64(2 * place)
    return numpy.unique(numpy.minimum(there, back)[usable], return_counts=True)


def cosines(genomes, references, k):
    """The cosine of the k-mer counts of each genome and each reference."""
    theirs = {name: counts(bases, k) for name, bases in references.items()}
    norm = lambda of: numpy.sqrt(float((of.astype(float) ** 2).sum())) or 1.0
    found = {}
    for name, bases in genomes.items():
        words, many = counts(bases, k)
        row = {}
        for other, (others, times) in theirs.items():
            _, ours, same = numpy.intersect1d(words, others, assume_unique=True, return_indices=True)
            row[other] = float((many[ours].astype(float) * times[same]).sum()) / norm(many) / norm(times)
        found[name] = row
    return found


def identity_of_alignments(program, folder):
    """Matches by columns of the global alignment of record k with record k."""
    files = [folder / "originals.fa", folder / "copies.fa"]
    table = out(program, "align", *files, "--mode", "global", "--columns", "query,identity", "--no-header", "-q")
    return [float(line.split("\t")[1]) for line in table.splitlines()]


def ani(program, folder, references, chance):
    """Rows of identity asked for, k, bits, that of the alignment, and by signatures."""
    chosen = {name: bases for name, bases in references.items() if 5000 <= len(bases) <= 30000}
    names = list(chosen)[:: max(1, len(chosen) // 10)][:10]
    rows = []
    for identity in IDENTITIES:
        copies = {name: mutated(chosen[name], identity, chance) for name in names}
        write(folder / "originals.fa", {name: chosen[name] for name in names})
        write(folder / "copies.fa", copies)
        exact = identity_of_alignments(program, folder)
        for k in (11, 15, 21):
            for bits in (1024, 8192, 65536):
                made = ["--alphabet", "dna", "--k", k, "--bits", bits, "--metric", "ani", "--columns", "query,target,ani"]
                files = [folder / "originals.fa", folder / "copies.fa"]
                table = out(program, "sign", "dist", *files, *made, "--no-header", "-q")
                found = {(a, b): value for a, b, value in (line.split("\t") for line in table.splitlines())}
                for name, truth in zip(names, exact):
                    rows.append((identity, k, bits, name.split("|")[0], f"{truth:.6f}", found[name, name]))
    return rows


def picture(rows, total):
    """The share of genomes that are right, by bytes a genome; a line for each k."""
    width, height, left, bottom = 760, 420, 70, 360
    colours = ["#1b4f8a", "#c4501b", "#3a7d44", "#7a3e9d", "#8a6d1b", "#606060", "#b01f5c", "#1f8a8a", "#333333"]
    series = collections.defaultdict(list)
    for row in rows:
        if row["set"] == "real" and row["window"] == "whole":
            name = f'{row["method"]}, k {row["k"]}' if row["method"] != "cosine" else ""
            if name and row["k"] in (11, 15, 21) and not (row["method"] == "sourmash" and row["k"] == 11):
                series[name].append((row["bytes"], row["right"] / total))
    place = lambda size: left + (numpy.log2(size) - 6) * 75
    level = lambda share: bottom - (max(share, 0.6) - 0.6) / 0.4 * 310
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 170} {height}" font-family="sans-serif" font-size="12" role="img">',
        "<title>Genomes whose nearest reference is the right one, by bytes of a signature</title>",
        f'<rect width="{width + 170}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="24" font-size="14">Genomes whose nearest reference is the right one, of {total}</text>',
    ]
    for share in (0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0):
        y = level(share)
        text.append(f'<line x1="{left}" x2="{width - 30}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d8d8d8"/>')
        text.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
    for size in (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384):
        label = f"{size} B" if size < 1024 else f"{size // 1024} KB"
        text.append(f'<text x="{place(size):.1f}" y="{bottom + 20}" text-anchor="middle">{label}</text>')
    text.append(f'<text x="{(left + width) // 2}" y="{height - 12}" text-anchor="middle">bytes a genome</text>')
    for number, (name, points) in enumerate(sorted(series.items())):
        points.sort()
        colour, dash = colours[number % len(colours)], "" if name.startswith("signatures") else ' stroke-dasharray="5 4"'
        path = " ".join(f"{place(size):.1f},{level(share):.1f}" for size, share in points)
        text.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        for size, share in points:
            text.append(f'<circle cx="{place(size):.1f}" cy="{level(share):.1f}" r="3" fill="{colour}"><title>{name}, {size:.0f} bytes: {share:.4f}</title></circle>')
        y = 60 + 20 * number
        text.append(f'<line x1="{width - 10}" x2="{width + 14}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"{dash}/>')
        text.append(f'<text x="{width + 20}" y="{y}">{name}</text>')
    return "\n".join(text + ["</svg>\n"])


class Table:
    """Rows of how many genomes are right."""

    def __init__(self):
        self.rows = []

    def add(self, which, method, k, bits, window, size, found, truth):
        right = sum(found.get(genome) == reference for genome, reference in truth.items())
        row = dict(set=which, method=method, k=k, bits=bits, window=window, bytes=round(size), genomes=len(truth), right=right)
        self.rows.append(row)
        print(*row.values(), flush=True)


def real(program, folder, truth, genomes, references, table):
    """All ways, on the genomes that blastn knows."""
    for k in K:
        exact = cosines(genomes, references, k)
        table.add("real", "cosine", k, "", "whole", 0, {name: max(row, key=row.get) for name, row in exact.items()}, truth)
        for bits in BITS:
            found, size = by_signatures(program, folder, "genomes", k, bits)
            table.add("real", "signatures", k, bits, "whole", size, found, truth)
            if (k, bits) == (CHOSEN_K, BITS[-1]):
                wrong = [name for name in truth if found.get(name) != truth[name]]
                misses = [
                    (name, truth[name], found.get(name, ""), max(exact[name], key=exact[name].get))
                    + tuple(f"{exact[name].get(which, 0):.6f}" for which in (truth[name], found.get(name, "")))
                    for name in wrong
                ]
    for window in WINDOWS:
        for bits in (256, 1024, 4096):
            found, size = by_signatures(program, folder, "genomes", CHOSEN_K, bits, window)
            table.add("real", "signatures", CHOSEN_K, bits, window, size, found, truth)
    for method, sketch in (("mash", by_mash), ("sourmash", by_sourmash)):
        if not shutil.which(method):
            print(f"not measured: {method} is not installed", file=sys.stderr)
            continue
        for k in (11, 15, 21):
            for hashes in HASHES:
                size = hashes * (4 if method == "mash" and k <= 16 else 8)
                table.add("real", method, k, "", "whole", size, sketch(folder, "genomes", k, hashes), truth)
    return misses


def simulated(program, folder, references, chance, table):
    for identity in IDENTITIES:
        copies = {name: mutated(bases, identity, chance) for name, bases in references.items()}
        write(folder / "copies.fa", copies)
        truth = {name: name for name in references}
        for k, bits in [(k, bits) for k in (11, 15, 21) for bits in (1024, 8192, 65536)]:
            found, size = by_signatures(program, folder, "copies", k, bits)
            table.add(identity, "signatures", k, bits, "whole", size, found, truth)
        if shutil.which("mash"):
            for k, hashes in ((11, 256), (21, 128), (11, 2000), (21, 1000)):
                size = hashes * (4 if k <= 16 else 8)
                table.add(identity, "mash", k, "", "whole", size, by_mash(folder, "copies", k, hashes), truth)


def save(path, header, rows):
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("genomes", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--svg", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    program, chance, table = asked.program.resolve(), random.Random(7), Table()
    genomes, references = records(asked.genomes), records(asked.references)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write(folder / "genomes.fa", genomes)
        write(folder / "references.fa", references)
        truth = by_blast(folder, genomes, references)
        print(f"{len(truth)} of {len(genomes)} genomes have a hit", flush=True)
        misses = real(program, folder, truth, genomes, references, table)
        simulated(program, folder, references, chance, table)
        identities = ani(program, folder, references, chance)
    save(asked.folder / "sign-accuracy.csv", list(table.rows[0]), [row.values() for row in table.rows])
    save(asked.folder / "sign-misses.csv", ["genome", "right", "found", "by_cosine", "cosine_of_right", "cosine_of_found"], misses)
    save(asked.folder / "sign-ani.csv", ["identity", "k", "bits", "reference", "aligned", "ani"], identities)
    asked.svg.write_text(picture(table.rows, len(truth)))


if __name__ == "__main__":
    main()
