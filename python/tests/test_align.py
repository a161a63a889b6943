"""`Engine.align` has the rows of `warpseq align`."""

import random

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


RANDOM = random.Random(7)


def written(path, named):
    path.write_text("".join(f">{name}\n{residues}\n" for name, residues in named.items()))
    return path


def altered(residues, letters):
    return "".join(RANDOM.choice(letters) if RANDOM.random() < 0.2 else residue for residue in residues)


def complement(residues):
    return residues[::-1].translate(str.maketrans("ACGT", "TGCA"))


@pytest.fixture(scope="module", params=["nucleotides", "proteins"])
def searched(request, tmp_path_factory):
    """Queries and targets in memory and in files: related, on both strands, equal targets, lengths of all kinds, none at all."""
    letters, scoring = {
        "nucleotides": ("ACGT", {"match": 1, "mismatch": -3, "gap_open": 4, "gap_extend": 2}),
        "proteins": ("ARNDCQEGHILKMFPSTWYV", {"matrix": "BLOSUM62"}),
    }[request.param]
    families = ["".join(RANDOM.choices(letters, k=length)) for length in (30, 90, 250, 700)]
    queries = {f"q{k}": altered(one, letters)[: RANDOM.randrange(20, 800)] for k, one in enumerate(families * 3)}
    queries["nothing"] = ""
    targets = {}
    for k in range(150):
        target = altered(families[k % 4], letters)[RANDOM.randrange(20) :]
        targets[f"t{k}"] = complement(target) if request.param == "nucleotides" and k % 3 == 0 else target
        targets[f"same{k}"] = targets[f"t{k % 8}"]
    targets["nothing"] = ""
    folder = tmp_path_factory.mktemp(request.param)
    files = written(folder / "queries.fa", queries), written(folder / "targets.fa", targets)
    return (queries, targets), files, scoring


SEARCHES = [
    {"top": 1},
    {"top": 7},
    {"top": 1000},
    {"min_score": 60},
    {"min_score": 5, "min_identity": 0.8, "top": 20},
    {"evalue": 1e-5},
    {"evalue": 10, "top": 3},
    {"top": 5, "score_only": True},
    {"evalue": 1, "score_only": True},
    {"top": 4, "strand": "both"},
    {"min_score": 40, "strand": "reverse", "cigar": "m"},
]


@pytest.mark.parametrize("case", SEARCHES, ids=lambda case: " ".join(options(case)))
def test_a_search_has_the_rows_of_the_program(engine, program, searched, case):
    held, files, scoring = searched
    if "strand" in case and "matrix" in scoring:
        pytest.skip("proteins have no strands")
    case = {"pairs": "all", **scoring, **case}
    expected = program("align", *files, *options(case))
    assert len(expected[1]) > 0
    assert text_of(engine.align(*files, **case), DECIMALS) == expected
    assert text_of(engine.align(*held, **case), DECIMALS) == expected
    names = [list(named) for named in held]
    listed = [list(named.values()) for named in held]
    for form in [listed, [files[0], listed[1]], list(map(arrays, listed))]:
        columns, rows = text_of(engine.align(*form, **case), DECIMALS)
        for row in rows:
            row[0] = row[0] if form[0] is files[0] else names[0][int(row[0])]
            row[1] = names[1][int(row[1])]
        assert (columns, rows) == expected


@pytest.mark.parametrize("case", [{"top": 3}, {"top": 500}, {"min_score": 25}, {"top": 9, "evalue": 1e-2}], ids=lambda case: " ".join(options(case)))
def test_targets_of_several_parts_have_the_rows_of_one(engine, program, tmp_path, case):
    """The CPU searches a million residues at a time. Here the best, and as many that are as good, are in different ones."""
    queries = {f"q{k}": "".join(RANDOM.choices("ACGT", k=40 + k // 2)) for k in range(6)}
    once = [altered(queries[f"q{k % 6}"], "ACGT") + "".join(RANDOM.choices("ACGT", k=k % 900)) for k in range(3000)]
    targets = {f"t{k}": residues for k, residues in enumerate(once * 2 + once[::-1])}
    files = written(tmp_path / "queries.fa", queries), written(tmp_path / "targets.fa", targets)
    case = {"pairs": "all", "match": 1, "mismatch": -3, "gap_open": 4, "gap_extend": 2, **case}
    expected = program("align", *files, *options(case))
    assert text_of(engine.align(*files, **case), DECIMALS) == expected
    assert len(expected[1]) > 0
    for other in [warpseq.Engine(device="cpu", memory="48M"), warpseq.Engine(device="cpu", threads=1)]:
        assert text_of(other.align(queries, targets, **case), DECIMALS) == expected


def test_searches_of_nothing_and_for_nothing(engine, tmp_path):
    columns = engine.align(["A"], ["A"]).column_names
    none = engine.align([], ["ACGT"], pairs="all", top=1)
    assert (none.num_rows, none.column_names) == (0, columns)
    assert engine.align(written(tmp_path / "none.fa", {}), ["ACGT"], pairs="all", top=1).num_rows == 0
    # A target without an alignment is a target of score 0.
    rows = pyarrow.table(engine.align(["", "A"], ["", "C"], pairs="all", top=2))
    assert rows.column("score").to_pylist() == [0] * 4 and rows.column("cigar").null_count == 4
    for targets in [[], written(tmp_path / "none.fa", {})]:
        with pytest.raises(warpseq.Error, match="no targets"):
            engine.align(["A"], targets, pairs="all", top=1)
    with pytest.raises(warpseq.Error) as raised:
        engine.align(["A"], ["A", "C", "!"], pairs="all", top=1)
    assert (raised.value.record, str(raised.value).startswith("targets, record 3: '!'")) == (3, True)


def test_targets_that_change_between_two_searches(engine):
    residues, offsets = arrays(["ACGTACGT", "CCCC", "ACGTTT"])

    def best(**more):
        return pyarrow.table(engine.align(["ACGTTT"], (residues, offsets), pairs="all", top=1, **more)).to_pylist()[0]

    residues = residues.copy()
    assert [best()[key] for key in ("target", "score")] == ["2", 6]
    assert best(match=2, mismatch=-2, gap=3)["score"] == 12
    residues[12:] = np.frombuffer(b"GGGGGG", dtype=np.uint8)
    assert [best()[key] for key in ("target", "score")] == ["0", 4]
    offsets[1] = 1
    assert [best()[key] for key in ("target", "score")] == ["1", 4]
    assert pyarrow.table(engine.align(["GG"], {"a": "ACGT", "b": "GG"}, pairs="all", top=1))["target"].to_pylist() == ["b"]
    assert pyarrow.table(engine.align(["GG"], {"a": "ACGT", "c": "GG"}, pairs="all", top=1))["target"].to_pylist() == ["c"]


def test_targets_that_memory_does_not_hold(program):
    small = warpseq.Engine(device="cpu", memory="48M")
    with pytest.raises(warpseq.Error, match="more memory"):
        small.align(["ACGT"], ["ACGT" * 1000] * 5000, pairs="all", top=1)
    assert small.align(["ACGT"], ["ACGT" * 1000] * 1000, pairs="all", top=1).num_rows == 1


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
