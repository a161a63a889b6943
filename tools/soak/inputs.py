"""Inputs: what `warpseq simulate` makes, mutated, and written in the forms that mean the same."""

import gzip
from dataclasses import dataclass, replace


@dataclass
class Record:
    name: str
    letters: bytes
    quality: bytes | None = None


@dataclass(frozen=True)
class Form:
    """How records are written; no form changes what they mean."""

    end: bytes = b"\n"
    width: int = 0
    packed: bool = False
    unended: bool = False


PLAIN = Form()


def draw_form(dice):
    end = dice.choice((b"\n", b"\r\n"))
    return Form(end, dice.choice((0, 0, 1, 7, 60, 61)), dice.random() < 0.4, dice.random() < 0.3)


def log_uniform(dice, low, high):
    """A whole number from low to high, of which small ones are as likely as large ones."""
    return min(high, int(low * (high / low) ** dice.random() + dice.random()))


def read(path):
    """The records of a FASTA or four-line FASTQ file as `warpseq simulate` writes them."""
    text = path.read_bytes()
    if not text.startswith(b"@"):
        parts = (part.split(b"\n", 1) for part in text.split(b">")[1:])
        return [Record(header.decode(), letters.replace(b"\n", b"")) for header, letters in parts]
    lines = text.split(b"\n")
    return [Record(lines[k][1:].decode(), lines[k + 1], lines[k + 3]) for k in range(0, len(lines) - 3, 4)]


def write(path, records, form=PLAIN):
    """Writes them; FASTQ when the first has qualities."""
    text = b"".join(text_of(record, form) for record in records)
    if form.unended and records and records[-1].letters:
        text = text.removesuffix(form.end)
    if form.packed:
        # Two members, which are one file.
        half = len(text) // 2
        text = gzip.compress(text[:half], 1) + gzip.compress(text[half:], 1)
    path.write_bytes(text)


def text_of(record, form):
    def wrapped(symbols):
        width = form.width or len(symbols) or 1
        return form.end.join(symbols[k : k + width] for k in range(0, len(symbols), width))

    name = record.name.encode() + b" and more"
    if record.quality is None:
        return b">" + name + form.end + (wrapped(record.letters) + form.end if record.letters else b"")
    return form.end.join((b"@" + name, wrapped(record.letters), b"+", wrapped(record.quality), b""))


def mutate(dice, records, letters):
    """Puts in what real files have: other letters, lower case, runs of one letter, empty records and very short ones."""
    for record in records:
        kind = dice.choice(("as it is",) * 3 + ("lower case", "letters", "letters", "run", "cut"))
        text = bytearray(record.letters)
        if kind == "lower case":
            text = text.lower()
        if kind == "letters":
            for place in range(len(text)):
                if dice.random() < 0.05:
                    text[place] = ord(dice.choice(letters))
        if kind == "run" and text:
            start = dice.randrange(len(text))
            text[start : start + dice.randint(1, 40)] = dice.choice(letters).encode() * len(text[start : start + 40])
            text = text[: len(record.letters)]
        if kind == "cut" and dice.random() < 0.4:
            text = text[: dice.choice((0, 1, 1, 2, 3))]
        quality = record.quality and record.quality[: len(text)]
        yield replace(record, letters=bytes(text), quality=quality)


def damage(dice, path, damaged):
    """A copy of a file with some bytes changed, doubled or missing."""
    text = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 1, 2, 5))):
        place, kind = dice.randrange(len(text) + 1), dice.choice(("change", "change", "cut", "take", "put"))
        if kind == "change" and place < len(text):
            text[place] = dice.choice((dice.randrange(256), *b"\n\r>@+ \t\0A"))
        if kind == "cut" and dice.random() < 0.3:
            del text[place:]
        if kind == "take":
            del text[place : place + dice.randint(1, 5)]
        if kind == "put":
            text[place:place] = bytes(dice.choices(b"\n\r>@+ ACGT\xff", k=dice.randint(1, 5)))
    damaged.write_bytes(text)
    return damaged.name
