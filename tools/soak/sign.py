"""A round of `sign`: sequences of every alphabet are signed, searched, compared, grouped and shown."""

import computing
import inputs
from inputs import Record, log_uniform

LETTERS = {
    "raw": "ACDEFGHIKLMNPQRSTVWYacgtNX*-0_",
    "protein": "ACDEFGHIKLMNPQRSTVWYacdwyBJOUXZ*-",
    "dna": "ACGTACGTacgtUuNRY-",
}
WHOLE = "whole"


def round(dice, program, size):
    folder = program.folder
    parameters, alphabet, cost = draw_parameters(dice)
    most = (300, 3_000, 30_000, 300_000)[size] // cost + 1
    files = {name: draw_records(dice, program, alphabet, most) for name in ("a", "b")}
    shared = files["b"][: dice.randint(0, 5)]
    files["a"] += [Record(f"shared{k}", record.letters) for k, record in enumerate(shared)]
    for name, records in files.items():
        inputs.write(folder / f"{name}.fa", records)
        build(dice, program, name, parameters, records)
    for asked in dice.sample((search, search, dist, cluster, show), dice.randint(1, 2)):
        asked(dice, program, parameters, most)


def draw_parameters(dice):
    """Options, the alphabet, and how much a letter costs, above all the naive reference."""
    if dice.random() < 0.15:
        return ["--preset", "qut"], "raw", 10
    alphabet, kind = dice.choice(("dna", "protein", "raw")), dice.choice(("pcg", "isaac", "mix64", "mix64"))
    k = dice.randint(1, 4) if kind == "pcg" else dice.choice((1, 2, 3, 4, 5, 8, 11, 16, 21, 31, 32))
    window = dice.choice((WHOLE, WHOLE, 4, 6, 16, 34, 100, 1000))
    if window != WHOLE and window < k:
        window = k + k % 2
    bits = dice.choice((64, 64, 128, 192, 1024, 4096))
    density = dice.choice((4, 21, 50, 60))
    if kind != "mix64" and bits > 200:
        # Up to 65,536 words are drawn at once, whatever the input: seconds, if their vectors are full.
        k, density = min(k, 3) if k < 11 else k, 4
    words = ["--alphabet", alphabet, "--hash", kind, "--k", k, "--window", window, "--bits", bits]
    if kind != "mix64":
        words += ["--density", density]
    if alphabet == "dna":
        words += dice.choice(([], ["--canonical"], ["--no-canonical"]))
    windows = 1 if window == WHOLE else max(1, 200 // window)
    return words, alphabet, windows * (10 if kind != "mix64" else 1) * (4 if bits > 1000 else 1)


def draw_records(dice, program, alphabet, most):
    """Sequences of `most` letters in all, some of no letter and some of one."""
    count, seed = log_uniform(dice, 1, min(500, most)), dice.randrange(1 << 32)
    length = max(1, most // count)
    if alphabet == "dna":
        program.run(["simulate", "signatures", count, 1, 2 * length, 0.01, "--seed", seed, "-o", "made.fa"])
    else:
        program.run(["simulate", "proteins", count, 1, 2 * length, "--seed", seed, "-o", "made.fa"])
    records = inputs.mutate(dice, inputs.read(program.folder / "made.fa"), LETTERS[alphabet])
    return [Record(f"s{k}_{k % 3}", record.letters) for k, record in enumerate(records)]


def build(dice, program, name, parameters, records):
    """A signature file of these sequences: `name`.wsig."""
    folder = program.folder
    work = 50 * sum(len(record.letters) for record in records)
    bare = dice.choice(([], [], ["--raw"], ["--raw", "--ids"]))
    base = program.verified(["sign", "build", f"{name}.fa", *parameters, *bare])
    for _ in range(dice.randint(1, 2)):
        words, kinds = computing.draw(dice, program, work)
        place, stdin = f"{name}.fa", None
        if dice.random() < 0.6:
            inputs.write(folder / "other", records, inputs.draw_form(dice))
            place, kinds = "other", [*kinds, "form"]
        if dice.random() < 0.3:
            stdin, place, kinds = place, "-", [*kinds, "pipe"]
        words = ["sign", "build", place, *parameters, *bare, *words, *computing.placed(dice, "wsig")]
        program.same(base, kinds, words, stdin)
    file = f"{name}.wsig"
    program.run(["sign", "build", f"{name}.fa", *parameters, "-o", file, "--device", dice.choice(program.others)])
    program.run(["sign", "info", file])
    if dice.random() < 0.3:
        damaged = inputs.damage(dice, folder / file, folder / "damaged.in")
        program.run(["sign", "info", damaged, "-o", "damaged.out"], codes=(0, 1))
        program.damaged(["sign", "dist", damaged])


def search(dice, program, parameters, work):
    top = dice.choice(([], ["--top", 1], ["--top", 3], ["--top", 100], ["--top", "all", "--max-distance", 20]))
    near = ["--max-distance", dice.choice((0, 5, 30, 500))] if "all" not in top and dice.random() < 0.4 else []
    words = [*top, *near, "--by", dice.choice(("window", "window", "sequence")), "--format", dice.choice(("tsv", "jsonl"))]
    compare(dice, program, ["search", *words], (["a", "b"], parameters), work)


def dist(dice, program, parameters, work):
    names = dice.choice((["a"], ["a", "b"]))
    words = ["--format", "phylip"] if len(names) == 1 and dice.random() < 0.5 else []
    compare(dice, program, ["dist", *words], (names, parameters), work)


def cluster(dice, program, parameters, work):
    # More clusters than windows are refused, so this asks for what any file with two windows has.
    words = ["--k", dice.choice((1, 2, 3, 10)), "--seed", dice.randrange(100), "--summary", "sizes.tsv"]
    asked = ["sign", "cluster", "a.wsig", *words]
    tried = program.run([*asked, "--device", program.device], codes=(0, 1, 2))
    if tried.code:
        program.counts["refused"] += 1
        return
    base = program.verified(asked)
    sizes = (program.folder / "sizes.tsv").read_bytes()
    for _ in range(dice.randint(1, 2)):
        words, kinds = computing.draw(dice, program, work)
        again = program.same(base, kinds, [*asked, *words, *computing.placed(dice, "tsv")])
        program.require_same((sizes, (program.folder / "sizes.tsv").read_bytes()), base, again)


def show(dice, program, parameters, work):
    groups = dice.choice(([], ["--group-by", "_:2"], ["--group-by", "_:-1"]))
    words = ["map", "--seed", dice.randrange(100), *groups, "--svg", "map.svg"]
    compare(dice, program, words, (["a"], parameters), work, picture=True)


def compare(dice, program, asked, of, work, picture=False):
    """Asks it of signature files with a check, and then of these or of the sequences, computed in other ways."""
    names, parameters = of
    signed, sequences = ([f"{name}.{kind}" for name in names] for kind in ("wsig", "fa"))
    question, first = asked[1:], ["sign", asked[0]]
    base = program.run([*first, *signed, *question, "--device", program.device], codes=(0, 1))
    if base.code:
        # No sequences to compare with.
        program.counts["refused"] += 1
        return
    base = program.verified([*first, *signed, *question, *computing.placed(dice, "out")])
    for _ in range(dice.randint(1, 2)):
        words, kinds = computing.draw(dice, program, work)
        files = signed
        if dice.random() < 0.4:
            files, words, kinds = sequences, [*words, *parameters], [*kinds, "signed on the fly"]
        program.same(base, kinds, [*first, *files, *question, *words, *computing.placed(dice, "out")])
