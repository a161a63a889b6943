#!/usr/bin/env python3
"""Measures which viruses `scan` finds, by how near they are to a reference, how many pairs there are, and -m.

    tools/sensitivity.py WARPSEQ REFERENCES --csv docs/sensitivity.csv --svg docs/sensitivity.svg

Probes are cut from all references. Of some references, spread evenly over those of at least 5 kb, copies are made in which each base
is another one with a given probability, and pairs of reads of each copy, with 1 % errors, are a sample. So that something can be
found that is not there, a pair of each of three other references lies in every sample. A sample is right when the group of its
reference is positive; a group is wrong when it is positive in a sample of another reference.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import tempfile
import time

IDENTITIES = [100, 99, 98, 97, 96, 95, 93, 90, 85]
PAIRS = [10, 30, 100, 300, 1000]
MISMATCHES = [0, 1, 2, 3]
HOPPED = 3


def records(path):
    """The names and bases of a FASTA file."""
    found = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith(">"):
            name = line[1:].split()[0]
            found[name] = []
        else:
            found[name].append(line.upper())
    return {name: "".join(bases) for name, bases in found.items()}


def mutated(bases, identity, chance):
    """A copy in which this percentage of the bases stays."""
    other = {base: "ACGT".replace(base, "") for base in "ACGT"}
    change = lambda base: chance.choice(other[base]) if base in other and chance.random() >= identity / 100 else base
    return "".join(map(change, bases))


class Lab:
    """A folder in which the program runs."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *words):
        subprocess.run([self.program, *map(str, words)], cwd=self.folder, check=True)

    def reads(self, name, bases, pairs, seed, output):
        (self.folder / "genome.fa").write_text(f">{name}\n{bases}\n")
        self.run("simulate", "reads", "genome.fa", pairs, "--seed", seed, "--uncompressed", "-o", output)

    def table(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))


def make_samples(lab, chosen):
    """Writes all samples and their sheet. Of each, its reference, identity and pairs."""
    samples, rows = {}, ["sample\tr1\tr2"]
    names = list(chosen)
    for number, name in enumerate(names):
        others = [names[(number + k) % len(names)] for k in range(1, HOPPED + 1)]
        for k, other in enumerate(others):
            lab.reads(other, chosen[other], 1, number, f"hopped{k}")
        hopped = [
            b"".join((lab.folder / f"hopped{k}_R{mate}.fastq").read_bytes() for k in range(HOPPED)) for mate in (1, 2)
        ]
        for identity in IDENTITIES:
            bases = mutated(chosen[name], identity, random.Random(f"{name} {identity}"))
            for pairs in PAIRS:
                label = f"{number}_{identity}_{pairs}"
                lab.reads(name, bases, pairs, number, label)
                for mate in (1, 2):
                    with open(lab.folder / f"{label}_R{mate}.fastq", "ab") as file:
                        file.write(hopped[mate - 1])
                samples[label] = (name, identity, pairs)
                rows.append(f"{label}\t{label}_R1.fastq\t{label}_R2.fastq")
    (lab.folder / "sheet.tsv").write_text("\n".join(rows) + "\n")
    return samples


def measure(lab, samples, mismatches):
    """Of each identity and number of pairs: samples, those whose reference is positive, other groups that are."""
    start = time.monotonic()
    scan = ["scan", "-s", "probes.fa", "--samples", "sheet.tsv", "-m", mismatches, "--report", "none"]
    lab.run(*scan, "--groups", "groups.tsv", "--summary", "summary.tsv")
    print(f"-m {mismatches}: {time.monotonic() - start:.1f} s", flush=True)
    counts = {}
    for row in lab.table("summary.tsv"):
        name, identity, pairs = samples[row["sample"]]
        count = counts.setdefault((identity, pairs), [0, 0, 0])
        is_own, is_positive = row["genome"] == name, row["call"] == "positive"
        count[0] += is_own
        count[1] += is_own and is_positive
        count[2] += not is_own and is_positive
    return counts


def picture(measured):
    """A panel for each -m: identity by pairs, the share of samples that are right."""
    cell, top, left = (46, 24), 66, 58
    width, panel = left + 4 * (len(PAIRS) * cell[0] + 30), len(PAIRS) * cell[0] + 30
    height = top + len(IDENTITIES) * cell[1] + 42
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">',
        "<title>Viruses found, by identity to the reference, pairs of reads, and -m</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="20" font-size="14">Samples in which the virus is called positive, in percent</text>',
        f'<text x="14" y="{top - 8}">identity</text>',
    ]
    for row, identity in enumerate(IDENTITIES):
        text.append(f'<text x="{left - 8}" y="{top + row * cell[1] + 16}" text-anchor="end">{identity} %</text>')
    for number, mismatches in enumerate(MISMATCHES):
        x = left + number * panel
        text.append(f'<text x="{x}" y="44" font-weight="bold">-m {mismatches}</text>')
        for column, pairs in enumerate(PAIRS):
            middle = x + column * cell[0] + cell[0] // 2
            text.append(f'<text x="{middle}" y="{height - 26}" text-anchor="middle">{pairs}</text>')
            for row, identity in enumerate(IDENTITIES):
                samples, right, _ = measured[mismatches][identity, pairs]
                share = right / samples
                # From nearly white to dark blue; the number says the same.
                red, green, blue = (round(light + (dark - light) * share) for light, dark in [(240, 20), (244, 80), (248, 140)])
                ink = "#ffffff" if share > 0.5 else "#202020"
                y = top + row * cell[1]
                text.append(f'<rect x="{x + column * cell[0]}" y="{y}" width="{cell[0] - 2}" height="{cell[1] - 2}" fill="rgb({red},{green},{blue})"/>')
                text.append(f'<text x="{middle - 1}" y="{y + 16}" text-anchor="middle" fill="{ink}">{100 * share:.0f}</text>')
        text.append(f'<text x="{x + (panel - 30) // 2}" y="{height - 8}" text-anchor="middle">pairs</text>')
    return "\n".join(text + ["</svg>\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--viruses", type=int, default=10, help="references to make copies of")
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    parser.add_argument("--svg", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(asked.program.resolve(), folder)
        references = records(asked.references)
        (lab.folder / "groups.tsv").write_text("".join(f"{name}\t{name.split('|')[0]}\n" for name in references))
        probes = ["probes", asked.references.resolve(), "--groups", "groups.tsv", "--unique=4"]
        lab.run(*probes, "--table", "table.tsv", "-o", "probes.fa")
        kept = {row["group"]: int(row["kept"]) for row in lab.table("table.tsv")}
        long = [name for name, bases in references.items() if len(bases) >= 5000 and kept[name.split("|")[0]] >= 100]
        step = max(1, len(long) // asked.viruses)
        chosen = {name: references[name] for name in long[::step][: asked.viruses]}
        print(f"{len(chosen)} viruses: {', '.join(name.split('|')[0] for name in chosen)}", flush=True)
        samples = make_samples(lab, chosen)
        measured = {mismatches: measure(lab, samples, mismatches) for mismatches in MISMATCHES}
    with open(asked.csv, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["max_mismatch", "identity", "pairs", "samples", "positive", "others_positive"])
        for mismatches, counts in measured.items():
            for (identity, pairs), count in counts.items():
                table.writerow([mismatches, identity, pairs, *count])
    asked.svg.write_text(picture(measured))


if __name__ == "__main__":
    main()
