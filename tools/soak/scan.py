"""A round of `scan`: simulated samples with signatures in them, mutated, and every option."""

import computing
import inputs
from inputs import log_uniform

LETTERS = {"iupac": "ACGTNRYSWKMBDHVU.acgtn-", "n": "ACGTNacgtn.*-XYZ"}
OFFSETS = {"33": 33, "64": 64, "solexa": 59}


def round(dice, program, size):
    folder, seed = program.folder, dice.randrange(1 << 32)
    samples, longest = (log_uniform(dice, 1, most) for most in ((4, 60), (60, 600), (300, 5_000), (1_500, 20_000))[size])
    signatures, least = log_uniform(dice, 1, (3, 20, 60, 200)[size]), dice.choice((1, 3, 12, 30))
    most = least + log_uniform(dice, 1, longest)
    ratio = dice.choice((0, 0.01, 0.1, 0.4))
    made = ["simulate", "signatures", signatures, least, most, ratio, "--seed", seed, "-o", "signatures.fa"]
    program.run(made)
    # The sample is called `stdin`, as it is when it comes from there, so that there is one answer.
    room = most * 2
    made = ["simulate", "samples", "signatures.fa", samples, samples // 3, 1, min(2, signatures), room, room + longest]
    program.run([*made, 0, 62, ratio, "--both-strands", "--seed", seed, "-o", "stdin.fq", "--truth", "truth.tsv"])

    question, rule, offset = draw_question(dice)
    records = drawn_samples(dice, inputs.read(folder / "stdin.fq"), rule, OFFSETS[offset])
    inputs.write(folder / "stdin.fq", records)
    letters = LETTERS[rule].replace("-", "")
    patterns = list(inputs.mutate(dice, inputs.read(folder / "signatures.fa"), letters))
    patterns = [pattern for pattern in patterns if pattern.letters] or [inputs.Record("one", b"ACGT")]
    inputs.write(folder / "signatures.fa", patterns)
    ask(dice, program, question, records, patterns)


def draw_question(dice):
    """Options, the rule of wildcards, the offset of qualities."""
    rule, offset = dice.choice(("iupac", "iupac", "n")), dice.choice(("33", "33", "64", "solexa"))
    question = ["--phred-offset", offset]
    preset = dice.choice((None, None, "cs3210-2024", "cs3210-2025"))
    if preset:
        question += ["--preset", preset]
    options = {
        "--report": ("best", "first", "all"),
        "--strand": ("both", "forward", "reverse"),
        "--max-n-frac": (0, 0.1, 0.5, 1),
        "--format": ("tsv", "jsonl", "bed", "text", "text-2024"),
    }
    for option, values in options.items():
        if dice.random() < 0.6:
            question += [option, dice.choice(values)]
    question += ["--circular"] if dice.random() < 0.2 else []
    return [*question, "--wildcards", rule], rule, offset


def drawn_samples(dice, records, rule, lowest):
    """The samples with other letters, and qualities of that offset or none."""
    fasta = dice.random() < 0.2
    records = list(inputs.mutate(dice, records, LETTERS[rule]))
    for record in records:
        shifted = bytes(min(126, symbol - 33 + lowest) for symbol in record.quality)
        record.quality = None if fasta else shifted
    return records


def ask(dice, program, question, records, patterns):
    folder = program.folder
    # Both strands of each pattern at each place.
    work = 2 * sum(len(record.letters) for record in records) * len(patterns)
    base = program.verified(["scan", "stdin.fq", "signatures.fa", *question, *computing.placed(dice, "out")])
    for _ in range(dice.randint(1, 3)):
        words, kinds = computing.draw(dice, program, work // 4)
        algorithm = dice.choice(([], ["--algorithm", "anchor"], ["--algorithm", "brute"]))
        kinds += ["algorithm"] if algorithm else []
        names, stdin = ["stdin.fq", "signatures.fa"], None
        if dice.random() < 0.6:
            inputs.write(folder / "stdin.fastq", records, inputs.draw_form(dice))
            inputs.write(folder / "signatures.other", patterns, inputs.draw_form(dice))
            names, kinds = ["stdin.fastq", "signatures.other"], [*kinds, "form"]
        if dice.random() < 0.3:
            place = dice.randrange(2)
            stdin, names[place], kinds = names[place], "-", [*kinds, "pipe"]
        program.same(base, kinds, ["scan", *names, *question, *words, *algorithm, *computing.placed(dice, "out")], stdin)
    if dice.random() < 0.3:
        damaged = inputs.damage(dice, folder / "stdin.fq", folder / "damaged.in")
        program.damaged(["scan", damaged, "signatures.fa", *question])
