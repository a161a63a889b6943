"""`Engine.sign`, `search` and `distances` have the signatures and the rows of `warpseq sign`."""

import pyarrow
import pytest
import warpseq
from conftest import DATA, options, records, text_of

FAMILIES, FOUNDERS = DATA / "families.fastq", DATA / "founders.fasta"
SIX = {name: ("{:.6f}".format, "NA") for name in ("distance", "cosine", "ani", "containment")}


def expected(value):
    digits, exponent = f"{value:.2e}".split("e")
    return f"{digits}e{int(exponent)}"


WINDOWS = {**SIX, "evalue": (expected, ""), "distance": (str, "")}

SEARCHES = [
    {"k": 11},
    {"k": 11, "top": 2, "max_distance": 400},
    {"k": 11, "by": "sequence", "top": 3},
    {"k": 9, "window": 64, "bits": 128, "top": 5},
    {"k": 9, "window": 64, "bits": 128, "by": "sequence", "max_distance": 60},
    {"alphabet": "raw", "k": 3, "hash": "pcg", "density": 30, "window": 16, "bits": 64},
    {"k": 11, "bits": 8192, "words": "all", "top": 2},
    {"bits": 1024, "top": 40, "metric": "ani"},
    {"bits": 1024, "top": 40, "max_evalue": 10.0, "metric": "cosine"},
    {"bits": 1024, "by": "sequence", "metric": "containment"},
]


@pytest.fixture(scope="session")
def signed(program, tmp_path_factory):
    """A file of signatures."""

    def build(case):
        path = tmp_path_factory.mktemp("signed") / "database.wsig"
        program("sign", "build", FAMILIES, "-o", path, *options(case), rows=False)
        return path

    return build


def signature(case):
    """The arguments that decide how sequences are signed."""
    return {name: value for name, value in case.items() if name not in ("by", "top", "max_distance", "max_evalue", "metric")}


@pytest.mark.parametrize("case", SEARCHES, ids=lambda case: " ".join(options(case)))
def test_a_search_has_the_rows_of_the_program(engine, program, signed, case):
    expected = program("sign", "search", FOUNDERS, FAMILIES, *options(case))
    decimals = SIX if case.get("by") == "sequence" else WINDOWS
    assert text_of(engine.search(FOUNDERS, FAMILIES, **case), decimals) == expected
    assert len(expected[1]) > 0
    made = signature(case)
    asked = {name: value for name, value in case.items() if name not in made}
    for database in [signed(made), engine.sign(FAMILIES, **made), engine.sign(records(FAMILIES), **made)]:
        for queries in [FOUNDERS, records(FOUNDERS), engine.sign(FOUNDERS, **made)]:
            assert text_of(engine.search(queries, database, **asked), decimals) == expected


@pytest.mark.parametrize("case", [{"k": 11}, {"k": 9, "window": 64, "bits": 128, "metric": "cosine"}, {"k": 21, "metric": "ani"}], ids=str)
def test_distances_are_those_of_the_program(engine, program, case):
    once = program("sign", "dist", FAMILIES, *options(case))
    assert text_of(engine.distances(FAMILIES, **case), SIX) == once
    of_metric = {"metric": case.get("metric", "hamming")}
    assert text_of(engine.distances(engine.sign(records(FAMILIES), **signature(case)), **of_metric), SIX) == once
    expected = program("sign", "dist", FAMILIES, FOUNDERS, *options(case))
    assert text_of(engine.distances(FAMILIES, FOUNDERS, **case), SIX) == expected
    assert text_of(engine.distances(records(FAMILIES), records(FOUNDERS), **case), SIX) == expected


def test_signatures_are_those_of_the_program(engine, program, tmp_path):
    path = tmp_path / "raw.bin"
    program("sign", "build", FAMILIES, "-o", path, "--raw", "--k", 11, "--bits", 64, rows=False)
    rows = pyarrow.table(engine.sign(FAMILIES, k=11, bits=64)).to_pylist()
    assert [row["sequence"] for row in rows] == list(records(FAMILIES))
    assert [row["end"] - row["start"] for row in rows] == list(map(len, records(FAMILIES).values()))
    assert b"".join(row["signature"] for row in rows) == path.read_bytes()


def test_what_has_no_signature(engine):
    table = engine.sign(["ACGTTGCAGGATCCAGTACG", "AC"], bits=1024)
    rows = pyarrow.table(table).to_pylist()
    assert [row["signature"] is None for row in rows] == [False, True]
    assert (rows[0]["words"], len(rows[0]["signature"]), rows[1]["words"]) == (10, 128, 0)
    assert pyarrow.table(engine.distances(table)).column("distance").to_pylist() == [None]
    assert engine.search(table, table).num_rows == 1
    assert engine.sign([]).num_rows == 0


def test_what_does_not_go_together(engine, signed):
    table = engine.sign(FAMILIES, k=11)
    with pytest.raises(warpseq.UsageError, match="other parameters are asked for"):
        engine.search(FOUNDERS, table, k=12)
    with pytest.raises(warpseq.Error, match="made with the same parameters"):
        engine.search(engine.sign(FOUNDERS, k=12), table)
    with pytest.raises(warpseq.UsageError, match="these are proteins"):
        engine.search(["MKVLATFEQIMKVLATFEQI"], table)
    with pytest.raises(warpseq.Error, match="no sequences"):
        engine.search(FOUNDERS, [])
    for wrong in [{"top": 0}, {"top": None, "by": "sequence"}, {"by": "row"}, {"max_evalue": -1.0}, {"metric": "mash"}, {"k": 33}, {"window": 15}, {"window": "half"}, {"bits": 100}]:
        with pytest.raises(warpseq.UsageError):
            engine.search(FOUNDERS, FAMILIES, **wrong)
