"""Samples of random genomes, and what one run of the program makes of them."""

import random
import subprocess

SAMPLES = {"one": 1500, "two": 900, "water": 300}
GENOMES, BASES = 6, 3000
SCAN = "-m 2"
SUMMARY = "--negative-control water"
ALIGN = "--pairs all --top 3 --min-score 30"
SIGN = "--k 11"


class Inputs:
    """The files in a folder, and the outputs of one run, beside each other."""

    def __init__(self, program, folder, pairs=None):
        self.program, self.folder = program, folder
        self.folder.mkdir()
        self.genomes("genomes.fasta", 1)
        self.genomes("queries.fasta", 2)
        self.warpseq("probes genomes.fasta -o probes.fasta")
        rows = ["sample\tr1\tr2"]
        for seed, (name, count) in enumerate((pairs or SAMPLES).items()):
            # One sample is compressed: it is cut by its text, the others by the bytes of their files.
            stored = "" if name == "one" else " --uncompressed"
            ending = "fastq.gz" if name == "one" else "fastq"
            self.warpseq(f"simulate reads genomes.fasta {count} --seed {seed} -o {name}{stored}")
            rows.append(f"{name}\t{name}_R1.{ending}\t{name}_R2.{ending}")
        (self.folder / "sheet.tsv").write_text("\n".join(rows) + "\n")

    def genomes(self, name, seed):
        dice = random.Random(seed)
        with open(self.folder / name, "w") as file:
            for k in range(GENOMES):
                bases = "".join(dice.choices("ACGT", k=BASES))
                file.write(f">genome{k}\n{bases}\n")

    def warpseq(self, arguments):
        subprocess.run([self.program, *arguments.split()], cwd=self.folder, check=True, capture_output=True)

    def whole(self):
        """The outputs of one run on one machine, by their names in the workflow's results."""
        if not (self.folder / "summary.tsv").exists():
            self.warpseq(f"scan -s probes.fasta --samples sheet.tsv {SCAN} --counts counts.tsv -o scan.tsv")
            self.warpseq(f"align queries.fasta genomes.fasta {ALIGN} --format sam --no-pg -o align.sam")
            self.warpseq(f"sign build genomes.fasta {SIGN} -o sign.wsig")
            self.warpseq(f"summary counts.tsv -s probes.fasta {SUMMARY} --html page.html -o summary.tsv")
        names = ["scan.tsv", "counts.tsv", "summary.tsv", "align.sam", "sign.wsig", "page.html"]
        return {name: (self.folder / name).read_bytes() for name in names}
