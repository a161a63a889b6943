"""A round of `align`: simulated pairs and proteins, mutated, and every option."""

import computing
import inputs
from inputs import Record, log_uniform

NUCLEOTIDES = "ACGTUNRYSWKMBDHVacgtun"
LITERAL = "ACGTNacgt-*.XYZ123"
RESIDUES = "ARNDCQEGHILKMFPSTWYVBZXJOUarnd"
MATRICES = "BLOSUM45 BLOSUM50 BLOSUM62 BLOSUM80 BLOSUM90 PAM30 PAM70 PAM250".split()
TSV, SAM = ["--format", "tsv"], ["--format", "sam", "--no-pg"]
FORMATS = ([], TSV, SAM, ["--format", "paf"], ["--format", "jsonl"], ["--format", "text"], ["--format", "pretty"])


def round(dice, program, size):
    folder = program.folder
    kind = dice.choice(("nucleotides", "nucleotides", "nucleotides", "literal", "matrix", "own matrix"))
    queries, targets, letters = draw_records(dice, program, size, kind)
    queries, targets = (list(inputs.mutate(dice, records, letters)) for records in (queries, targets))
    pairing, cells = draw_pairing(dice, size, queries, targets)
    if dice.random() < 0.3:
        for record in queries:
            record.quality = bytes(dice.choices(range(33, 127), k=len(record.letters)))
    inputs.write(folder / "queries.fa", queries)
    inputs.write(folder / "targets.fa", targets)
    question = draw_scores(dice, program, kind) + draw_path(dice, kind) + pairing
    ask(dice, program, question, (queries, targets), cells)


def draw_records(dice, program, size, kind):
    seed = dice.randrange(1 << 32)
    count = log_uniform(dice, 1, (4, 40, 120, 400)[size])
    length = log_uniform(dice, 1, (40, 200, 300, 1_200)[size])
    if kind in ("matrix", "own matrix"):
        for name in ("queries.fa", "targets.fa"):
            made = ["simulate", "proteins", count, (length + 1) // 2, length, "--seed", seed]
            program.run([*made, "-o", name])
            seed += dice.randrange(2)
        letters = RESIDUES
    else:
        related = dice.choice(([], ["--divergence", 0], ["--divergence", 0.05], ["--divergence", 0.3]))
        made = ["simulate", "pairs", count, length, "--alphabet", "ACGT", *related, "--seed", seed]
        program.run([*made, "--output", "p"])
        (program.folder / "p.queries.fasta").rename(program.folder / "queries.fa")
        (program.folder / "p.targets.fasta").rename(program.folder / "targets.fa")
        letters = LITERAL if kind == "literal" else NUCLEOTIDES
    queries, targets = (inputs.read(program.folder / name) for name in ("queries.fa", "targets.fa"))
    # Names are one file's own, so that no SAM header names two targets alike.
    rename = lambda records, start: [Record(f"{start}{k}", record.letters) for k, record in enumerate(records)]
    return rename(queries, "q"), rename(targets, "t"), letters


def draw_pairing(dice, size, queries, targets):
    """Options, and the cells of all pairs; some records go where the pairs would be too many."""
    most = (20_000, 1_000_000, 6_000_000, 60_000_000)[size]
    lengths = lambda records: sum(len(record.letters) for record in records)
    if dice.random() < 0.4:
        while len(targets) > 1 and lengths(queries) * lengths(targets) > most:
            del queries[max(1, len(queries) // 2) :], targets[len(targets) // 2 :]
        top = ["--top", dice.choice((1, 2, 5, 1000))] if dice.random() < 0.5 else []
        return ["--pairs", "all", *top], lengths(queries) * lengths(targets)
    if dice.random() < 0.2:
        del targets[1:]
        while len(queries) > 1 and lengths(queries) * lengths(targets) > most:
            del queries[len(queries) // 2 :]
        return [], lengths(queries) * lengths(targets)
    each = [len(query.letters) * len(target.letters) for query, target in zip(queries, targets)]
    while len(each) > 1 and sum(each) > most:
        del each[len(each) // 2 :]
    del queries[len(each) :], targets[len(each) :]
    return [], sum(each)


def draw_scores(dice, program, kind):
    extend = dice.choice((1, 1, 2, 3, 10, 0.5))
    gaps = dice.choice(
        (
            [],
            ["--gap", dice.choice((1, 2, 7, 2.5))],
            ["--gap-open", extend + dice.choice((0, 1, 4, 10, 100)), "--gap-extend", extend],
            ["--gap-open", dice.choice((0, 3, 5)) + extend, "--gap-extend", extend, "--gap-model", "blast"],
        )
    )
    if kind == "matrix":
        return ["--matrix", dice.choice(MATRICES), *gaps]
    if kind == "own matrix":
        letters = "ARNDCQEGHILKMFPSTWYVBZX*"
        rows = (" ".join([letter, *(str(dice.randint(-20, 20)) for _ in letters)]) for letter in letters)
        (program.folder / "matrix").write_text("\n".join(["# random", " ".join(letters), *rows, ""]))
        return ["--matrix", "matrix", *gaps]
    literal = ["--literal"] if kind == "literal" else []
    if dice.random() < 0.4:
        return [*literal, *gaps]
    scores = ["--match", dice.choice((1, 2, 5, 0.5, 100, 1000)), "--mismatch", dice.choice((0, -1, -4, -0.5, -3, -200))]
    return [*literal, *scores, *gaps]


def draw_path(dice, kind):
    mode = dice.choice(("local", "global", "fit", "overlap"))
    words = ["--mode", mode] if mode != "local" or dice.random() < 0.5 else []
    if mode == "local" and dice.random() < 0.3:
        words.append("--through-zero")
    if kind == "nucleotides" and dice.random() < 0.4:
        words += ["--strand", dice.choice(("both", "reverse", "forward"))]
    least = ["--min-score", dice.choice((-50, 0, 7.5, 20, 100))] if dice.random() < 0.2 else []
    if dice.random() < 0.2:
        return [*words, *least, "--score-only"]
    for option in ("--min-identity", "--min-query-cover"):
        least += [option, dice.choice((0, 0.3, 0.55, 0.9, 1))] if dice.random() < 0.1 else []
    return [*words, *least, *dice.choice(FORMATS), "--cigar", dice.choice(("eq", "m"))]


def ask(dice, program, question, files, cells):
    folder = program.folder
    verify = ("--verify",) if dice.random() < 0.8 else ("--verify", "cpu")
    align = ["align", "queries.fa", "targets.fa", *question]
    base = program.verified([*align, *computing.placed(dice, "out")], verify)
    for _ in range(dice.randint(1, 3)):
        # Targets that every query meets are held, in two fifths of it.
        words, kinds = computing.draw(dice, program, cells, ("8M", "16M", "64M", "256M", "4G"))
        names, stdin = ["queries.fa", "targets.fa"], None
        if dice.random() < 0.6:
            for name, records in zip(("queries.other", "targets.other"), files):
                inputs.write(folder / name, records, inputs.draw_form(dice))
            names, kinds = ["queries.other", "targets.other"], [*kinds, "form"]
        if dice.random() < 0.3:
            stdin, names[0], kinds = names[0], "-", [*kinds, "pipe"]
        program.same(base, kinds, ["align", *names, *question, *words, *computing.placed(dice, "out")], stdin)
    if dice.random() < 0.3:
        damaged = inputs.damage(dice, folder / "queries.fa", folder / "damaged.in")
        program.damaged(["align", damaged, "targets.fa", *question])
