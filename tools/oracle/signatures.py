"""The rules of `warpseq sign` in a few lines of Python: k-mers, vectors, windows, signatures, distances and metrics.

Written from docs/sign.md alone ("What sign computes", "E-values", "Metrics" and "dist"), with numbers of any size, cut to 32 or
64 bits where the rules say so.
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

LETTERS = {"dna": b"ACGT", "protein": b"ACDEFGHIKLMNPQRSTVWY"}
COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")
MOST_DRAWS = 1000


class Parameters(NamedTuple):
    alphabet: str
    k: int
    window: int | None  # None is the whole sequence
    bits: int
    hash: str
    density: int
    canonical: bool
    complex: bool = False  # words without repeats; for DNA with mix64

    def options(self):
        """As the program takes them; the preset by its name."""
        if self == QUT:
            return ["--preset", "qut"]
        told = ["--alphabet", self.alphabet, "--k", self.k, "--window", self.window or "whole", "--bits", self.bits]
        told += ["--hash", self.hash] + (["--density", self.density] if self.hash != "mix64" else [])
        if self.alphabet == "dna":
            told.append("--canonical" if self.canonical else "--no-canonical")
            told += ["--words", "complex" if self.complex else "all"] if self.hash == "mix64" else []
        return [str(word) for word in told]


QUT = Parameters("raw", 3, 16, 64, "pcg", 21, False)


def low32(number):
    return number & 0xFFFFFFFF


def low64(number):
    return number & 0xFFFFFFFFFFFFFFFF


def pcg(x):
    s = low32(x * 747796405 + 2891336453)
    t = low32(((s >> ((s >> 28) + 4)) ^ s) * 277803737)
    return (t >> 22) ^ t


def pcg_numbers(word):
    seed = low32(int.from_bytes(word, "big"))
    while True:
        number = pcg(seed)
        seed ^= number
        yield number


def isaac_mix(a, b, c, d, e, f, g, h):
    a = a ^ low32(b << 11); d = low32(d + a); b = low32(b + c)
    b = b ^ (c >> 2); e = low32(e + b); c = low32(c + d)
    c = c ^ low32(d << 8); f = low32(f + c); d = low32(d + e)
    d = d ^ (e >> 16); g = low32(g + d); e = low32(e + f)
    e = e ^ low32(f << 10); h = low32(h + e); f = low32(f + g)
    f = f ^ (g >> 4); a = low32(a + f); g = low32(g + h)
    g = g ^ low32(h << 8); b = low32(b + g); h = low32(h + a)
    h = h ^ (a >> 9); c = low32(c + h); a = low32(a + b)
    return a, b, c, d, e, f, g, h


def isaac_numbers(word):
    """Jenkins's rand.c: randinit(TRUE) with the word in randrsl, then rand(), which takes the last result first."""
    seed = word.ljust(1024, b"\0")
    results = [int.from_bytes(seed[at : at + 4], "little") for at in range(0, 1024, 4)]
    memory, state = [0] * 256, (0x9E3779B9,) * 8
    for _ in range(4):
        state = isaac_mix(*state)
    for source in (results, memory):
        for at in range(0, 256, 8):
            state = isaac_mix(*(low32(word + more) for word, more in zip(state, source[at : at + 8])))
            memory[at : at + 8] = state
    a = b = c = 0
    while True:
        c = low32(c + 1)
        b = low32(b + c)
        for i in range(256):
            x = memory[i]
            a = low32((a ^ (low32(a << 13), a >> 6, low32(a << 2), a >> 16)[i % 4]) + memory[(i + 128) % 256])
            memory[i] = y = low32(memory[(x >> 2) % 256] + a + b)
            results[i] = b = low32(memory[(y >> 10) % 256] + x)
        yield from reversed(results)


def draw(numbers, bits, count):
    """`count` positions, each by at most 1000 numbers, and then the next free one."""
    positions = {}  # in the order in which they are drawn
    for _ in range(count):
        for number in islice(numbers, MOST_DRAWS):
            position = number % bits
            if position not in positions:
                break
        while position in positions:
            position = (position + 1) % bits
        positions[position] = True
    return list(positions)


def sparse(word, parameters):
    """The positions of +1 and those of -1, in the order in which they are drawn."""
    half = parameters.bits * parameters.density // 100 // 2
    numbers = {"pcg": pcg_numbers, "isaac": isaac_numbers}[parameters.hash](word)
    positions = draw(numbers, parameters.bits, 2 * half)
    return positions[:half], positions[half:]


def mix64_key(word, alphabet):
    if alphabet == "dna":
        return int("".join(str(b"ACGT".index(letter)) for letter in word), 4)
    key = 0xCBF29CE484222325
    for byte in word:
        key = low64((key ^ byte) * 0x100000001B3)
    return key


def splitmix64(state):
    z = low64((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9)
    z = low64((z ^ (z >> 27)) * 0x94D049BB133111EB)
    return z ^ (z >> 31)


def dense(word, parameters):
    key = mix64_key(word, parameters.alphabet)
    numbers = (splitmix64(low64(key + (v + 1) * 0x9E3779B97F4A7C15)) for v in range(parameters.bits // 64))
    return [1 if bit == "1" else -1 for number in numbers for bit in f"{number:064b}"]


@lru_cache(maxsize=4096)
def vector(word, parameters):
    if parameters.hash == "mix64":
        return dense(word, parameters)
    plus, minus = sparse(word, parameters)
    elements = [0] * parameters.bits
    for position in plus:
        elements[position] = 1
    for position in minus:
        elements[position] = -1
    return elements


def repeats(word):
    """Whether it has a period of at most 6 and of at most a third of it."""
    return any(word[period:] == word[:-period] for period in range(1, min(6, len(word) // 3) + 1))


def words(window, parameters):
    for at in range(len(window) - parameters.k + 1):
        word = window[at : at + parameters.k]
        if parameters.alphabet != "raw":
            word = word.upper()
            if parameters.alphabet == "dna":
                word = word.replace(b"U", b"T")
            if any(letter not in LETTERS[parameters.alphabet] for letter in word):
                continue
        if parameters.complex and repeats(word):
            continue
        if parameters.canonical:
            word = min(word, word.translate(COMPLEMENT)[::-1])
        yield word


def windows(length, w):
    """Their starts and ends."""
    if w is None:
        return [(0, length)]
    starts = range(0, max(1, length - w // 2), w // 2)
    return [(start, min(start + w, length)) for start in starts]


def signature(window, parameters):
    """The signature as bytes; None when there is no word."""
    vectors = [vector(word, parameters) for word in words(window, parameters)]
    if not vectors:
        return None
    bits = "".join("1" if sum(elements) > 0 else "0" for elements in zip(*vectors))
    return int(bits, 2).to_bytes(parameters.bits // 8, "big")


def sign(sequence, parameters):
    """(start, end, signature, number of words) of each window."""
    places = [(start, end, sequence[start:end]) for start, end in windows(len(sequence), parameters.window)]
    return [(start, end, signature(piece, parameters), len(list(words(piece, parameters)))) for start, end, piece in places]


def hamming(a, b):
    return bin(int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).count("1")


def evalue(a, b, distance, windows):
    """How many of so many unrelated windows one expects to be as near: exactly."""
    x, y = (bin(int.from_bytes(signature, "big")).count("1") for signature in (a, b))
    return chance(8 * len(a), *sorted((x, y)), distance) * windows


@lru_cache(maxsize=None)
def chance(bits, x, y, most):
    """That at most so many bits differ: of k ones, (bits over k) differ^k same^(bits - k) of all ways."""
    differ, same = x * (bits - y) + y * (bits - x), x * y + (bits - x) * (bits - y)
    if same == 0:
        return Fraction(most == bits)
    ways, all_ways = same**bits, 0
    for k in range(most + 1):
        all_ways += ways
        ways = ways * (bits - k) * differ // ((k + 1) * same)
    return Fraction(all_ways, bits ** (2 * bits))


def distance(a, b):
    """Of two sequences by the signatures of their windows that have words, in bits; None when one has none."""
    if not a or not b:
        return None

    def directed(here, there):
        return Fraction(sum(min(hamming(one, other) for other in there) for one in here), len(here))

    return (directed(a, b) + directed(b, a)) / 2


def metric(name, distance, parameters, query_words, target_words):
    """What a distance in bits says; None where chance may be behind it."""
    cosine = math.cos(math.pi * distance / parameters.bits)
    if name == "cosine":
        return cosine
    if name == "ani":
        chance = 5 * (math.pi / 2) / math.sqrt(parameters.bits)
        return cosine ** (1 / parameters.k) if cosine > chance else None
    assert name == "containment", name
    return min(1.0, cosine * math.sqrt(target_words / query_words))


# Hash, word, positions of +1, positions of -1.
KNOWN = (
    ("pcg", b"CCC", [21, 36, 15, 8, 37, 53], [63, 30, 6, 48, 24, 47]),
    ("pcg", b"VGM", [13, 23, 28, 49, 24, 40], [1, 5, 33, 36, 3, 47]),
    ("pcg", b"AAA", [55, 33, 16, 4, 52, 30], [17, 63, 9, 5, 45, 56]),
    ("pcg", b"WWW", [37, 46, 60, 13, 51, 7], [9, 49, 57, 54, 40, 14]),
    ("pcg", b"\x1a\xce\x07\xef", [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]),
    ("isaac", b"CCC", [61, 63, 58, 46, 42, 21], [41, 18, 1, 55, 29, 48]),
    ("isaac", b"VGM", [58, 38, 5, 8, 2, 45], [23, 12, 30, 33, 37, 62]),
    ("isaac", b"AAA", [33, 36, 24, 60, 35, 28], [45, 25, 2, 1, 15, 54]),
)


def check():
    """Holds the rules as written here against known numbers.

    Raises AssertionError, with the word, for one that differs.
    """
    for name, word, plus, minus in KNOWN:
        found = sparse(word, QUT._replace(hash=name, k=len(word)))
        assert found == (plus, minus), f"{name} of {word}: {found}"
    number = int("".join("01"[element > 0] for element in dense(b"A", QUT._replace(alphabet="dna"))), 2)
    assert number == 0xE220A8397B1DCDAF, f"mix64 of A: {number:x}"
    assert mix64_key(b"foobar", "raw") == 0x85944171F73967E8, "FNV-1a of foobar"
    assert windows(0, 16) == [(0, 0)] and windows(17, 16) == [(0, 16), (8, 17)], "windows of 16"
