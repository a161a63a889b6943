"""`Engine.align` has the rows of `warpseq align`."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import warpseq
from conftest import DATA, options, records, text_of

QUERIES, TARGETS = DATA / "pairs.queries.fasta", DATA / "pairs.targets.fasta"


def evalue(value):
    """As BLAST writes it."""
    for limit, form in [(1e-180, "0.0"), (0.0009, "{:.2e}"), (0.1, "{:.3f}"), (1, "{:.2f}"), (10, "{:.1f}")]:
        if value < limit:
            return form.format(value)
    return f"{value:.0f}"


def bits(value):
    if value > 99_999:
        return f"{value:.3e}"
    return str(int(value)) if value > 99.9 else f"{value:.1f}"


DECIMALS = {
    "identity": ("{:.4f}".format, ""),
    "evalue": (evalue, "*"),
    "bits": (bits, "*"),
    "score": (lambda score: f"{score:g}", ""),
}

CASES = [
    {},
    {"pairs": "all"},
    {"pairs": "all", "top": 2},
    {"mode": "global", "gap_open": 5, "gap_extend": 2},
    {"mode": "fit", "strand": "both"},
    {"mode": "overlap", "match": 2, "mismatch": -3, "gap": 2.5},
    {"gap_open": 5, "gap_extend": 2, "gap_model": "blast", "cigar": "m"},
    {"literal": True, "through_zero": True},
    {"score_only": True},
    {"pairs": "all", "score_only": True, "top": 1, "strand": "reverse"},
    {"pairs": "all", "min_score": 12, "min_identity": 0.7, "min_query_cover": "0.3"},
    {"pairs": "all", "evalue": 10, "match": 1, "mismatch": -3, "gap_open": 4, "gap_extend": 2},
    {"matrix": "NUC.4.4", "pairs": "all", "top": 3, "min_score": 40},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(options(case)) or "default")
def test_rows_of_files_are_those_of_the_program(engine, program, case):
    expected = program("align", QUERIES, TARGETS, *options(case))
    assert text_of(engine.align(QUERIES, TARGETS, **case), DECIMALS) == expected
    assert len(expected[1]) > 0


def arrays(sequences):
    residues = np.frombuffer("".join(sequences).encode(), dtype=np.uint8)
    return residues, np.cumsum([0, *map(len, sequences)])


def test_memory_gives_the_rows_of_files(engine):
    of_files = pyarrow.table(engine.align(str(QUERIES), TARGETS, strand="both"))
    queries, targets = records(QUERIES), records(TARGETS)
    assert pyarrow.table(engine.align(queries, targets, strand="both")) == of_files
    by_place = of_files
    for k, name in enumerate(["query", "target"]):
        by_place = by_place.set_column(k, name, [[str(row) for row in range(len(of_files))]])
    lists = [list(queries.values()), list(targets.values())]
    binary = [[one.encode() for one in many] for many in lists]
    unsigned = [(residues, offsets.astype(np.uint64)) for residues, offsets in map(arrays, lists)]
    spread = [(np.repeat(residues, 2)[::2], offsets.astype(np.int32)) for residues, offsets in map(arrays, lists)]
    for form in [lists, binary, [tuple(many) for many in lists], [arrays(many) for many in lists], unsigned, spread]:
        assert pyarrow.table(engine.align(*form, strand="both")) == by_place


def test_one_query_goes_with_every_target_and_none_with_none(engine):
    assert engine.align(["ACGT"], ["ACGT", "AC", "G"]).num_rows == 3
    assert engine.align(["ACGT", "AC", "G"], ["ACGT"]).num_rows == 3
    none = engine.align([], ["ACGT"])
    assert (none.num_rows, none.column_names[:2]) == (0, ["query", "target"])
    assert pyarrow.table(none).num_rows == 0


def test_types_and_nulls(engine):
    table = pyarrow.table(engine.align(["ACGT", "A"], ["ACGT", "C"]))
    assert table.schema.field("score").type == pyarrow.int64()
    assert table.column("query_start").to_pylist() == [0, None]
    assert table.column("cigar").to_pylist() == ["4=", None]
    halves = pyarrow.table(engine.align(["ACGT"], ["ACGT"], gap=1.5))
    assert (halves.schema.field("score").type, halves.column("score").to_pylist()) == (pyarrow.float64(), [4.0])


def test_frames_read_a_table(engine):
    table = engine.align(QUERIES, TARGETS)
    arrow = pyarrow.table(table)
    assert polars.DataFrame(table).to_arrow().to_pydict() == arrow.to_pydict()
    assert list(pandas.DataFrame.from_arrow(table)["score"]) == arrow.column("score").to_pylist()
    assert len(table) == arrow.num_rows and "rows" in repr(table)
    assert pyarrow.schema(table) == arrow.schema


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "sideways"},
        {"match": 0},
        {"match": "two"},
        {"gap_open": 1},
        {"top": 1},
        {"top": 0, "pairs": "all"},
        {"evalue": 1},
        {"evalue": -1, "pairs": "all"},
        {"min_identity": 0.5, "score_only": True},
        {"matrix": "BLOSUM63"},
        {"matrix": "BLOSUM62", "literal": True},
        {"matrix": "BLOSUM62", "strand": "both"},
        {"through_zero": True, "mode": "global"},
    ],
    ids=str,
)
def test_arguments_that_make_no_sense(engine, wrong):
    with pytest.raises(warpseq.UsageError) as raised:
        engine.align(["ACGT"], ["ACGT"], **wrong)
    error = raised.value
    assert isinstance(error, ValueError) and isinstance(error, warpseq.Error)
    assert (error.kind, error.file, error.line, error.record) == ("usage", None, None, None)
    assert "--" not in str(error)


@pytest.mark.parametrize("wrong", [1, None, "", b"ACGT", [1], [b"A", None], [DATA, "ACGT"], (np.zeros(2), [0, 2])], ids=repr)
def test_what_is_no_sequences(engine, wrong):
    with pytest.raises((TypeError, warpseq.Error)):
        engine.align(wrong, ["ACGT"])


def test_offsets_that_leave_the_residues(engine):
    residues = np.frombuffer(b"ACGT", dtype=np.uint8)
    for offsets in [[0, 5], [1, 4], [0, -1, 4], [0, 3, 2, 4], []]:
        with pytest.raises(warpseq.UsageError):
            engine.align((residues, np.array(offsets, dtype=np.int64)), ["ACGT"])


def test_errors_tell_the_place(engine, tmp_path):
    file = tmp_path / "bad.fa"
    file.write_text(">a\nACGT\n>b\nAC\nG!\n")
    with pytest.raises(warpseq.Error) as raised:
        engine.align(file, ["ACGT"])
    error = raised.value
    assert (error.kind, error.file, error.line, error.record) == ("input", str(file), 5, 2)
    with pytest.raises(warpseq.Error) as raised:
        engine.align(["ACGT", "AC!"], ["ACGT"])
    error = raised.value
    assert (error.kind, error.file, error.line, error.record) == ("input", None, None, 2)
    assert str(error).startswith("queries, record 2: '!'")
    absent = tmp_path / "absent--mode.fa"
    with pytest.raises(warpseq.Error) as raised:
        engine.align(absent, ["ACGT"])
    assert (raised.value.kind, raised.value.file) == ("file", str(absent))
    assert str(absent) in str(raised.value)
    with pytest.raises(warpseq.Error) as raised:
        engine.align(["A", "C"], ["A", "C", "G"])
    assert (raised.value.file, "2 records" in str(raised.value)) == (None, True)
    with pytest.raises(warpseq.Error, match="no targets"):
        engine.align(["A"], [])
