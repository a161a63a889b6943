"""`Engine.scan` has the rows of `warpseq scan`."""

import pyarrow
import pytest
import warpseq
from conftest import DATA, options, records, text_of

SAMPLES, SIGNATURES = DATA / "samples.fastq", DATA / "signatures.fasta"
DECIMALS = {
    "mate": (str, "."),
    "mean_phred": ("{:.3f}".format, "NA"),
    "integrity_hash": (str, "NA"),
}
CASES = [
    {},
    {"report": "all", "max_mismatch": 2},
    {"report": "first", "strand": "forward", "max_mismatch": "5%"},
    {"report": "all", "strand": "reverse", "max_n_frac": 1},
    {"report": "all", "circular": True, "algorithm": "brute"},
    {"wildcards": "n", "max_n_frac": 0.25, "phred_offset": 33},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(options(case)) or "default")
def test_rows_of_files_are_those_of_the_program(engine, program, case):
    expected = program("scan", SAMPLES, SIGNATURES, *options(case))
    assert text_of(engine.scan(SAMPLES, SIGNATURES, **case), DECIMALS) == expected
    assert len(expected[1]) > 0


def test_several_files_are_several_samples(engine, program):
    files = [SAMPLES, DATA / "families.fastq"]
    expected = program("scan", *files, "-s", SIGNATURES)
    assert text_of(engine.scan(files, str(SIGNATURES)), DECIMALS) == expected
    with pytest.raises(warpseq.UsageError, match="called samples"):
        engine.scan([SAMPLES, SAMPLES], SIGNATURES)


def fastq(path, reads):
    path.write_text("".join(f"@{name}\n{residues}\n+\n{'I' * len(residues)}\n" for name, residues in reads))
    return path


def mates(folder):
    """Two samples, each as files of mates 1 and of mates 2, and as one file."""
    reads = [(f"r{k}/{1 + k % 2}", residues) for k, residues in enumerate(records(SAMPLES).values())]
    halves = [[(name, residues[:300]) for name, residues in reads], [(name, residues[150:]) for name, residues in reads]]
    halves = [[(f"{name[:-2]}/{mate}", residues) for name, residues in half] for mate, half in enumerate(halves, 1)]
    firsts = [fastq(folder / f"{sample}_R1.fq", halves[0]) for sample in "ab"]
    seconds = [fastq(folder / f"{sample}_R2.fq", halves[1]) for sample in "ab"]
    return firsts, seconds, fastq(folder / "both.fq", [read for pair in zip(*halves) for read in pair])


def test_mates_have_the_rows_of_the_program(engine, program, tmp_path):
    firsts, seconds, both = mates(tmp_path)
    case = {"report": "all", "max_mismatch": 1}
    pairs = [argument for pair in zip(firsts, seconds) for argument in ("-1", pair[0], "-2", pair[1])]
    expected = program("scan", "-s", SIGNATURES, *pairs, *options(case))
    assert text_of(engine.scan(firsts, SIGNATURES, mates=seconds, **case), DECIMALS) == expected
    assert len(expected[1]) > 0
    expected = program("scan", "-s", SIGNATURES, "--interleaved", both, *options(case))
    assert text_of(engine.scan(str(both), SIGNATURES, interleaved=True, **case), DECIMALS) == expected
    one = pyarrow.table(engine.scan(str(firsts[0]), SIGNATURES, mates=str(seconds[0]), **case))
    assert one.drop_columns("sample").to_pylist() == pyarrow.table(
        engine.scan(both, SIGNATURES, interleaved=True, **case)
    ).drop_columns("sample").to_pylist()
    assert set(one.column("mate").to_pylist()) == {1, 2}


def test_mates_that_do_not_fit_are_refused(engine, tmp_path):
    (first, _), seconds, _ = mates(tmp_path)
    short = fastq(tmp_path / "short.fq", [("r0", "ACGT")])
    others = fastq(tmp_path / "others.fq", [(f"x{k}", "ACGT") for k in range(len(records(SAMPLES)))])
    for wrong, told in [
        ({"mates": [seconds[0]] * 2}, "2 files for 1 file of sequences"),
        ({"mates": ["ACGT"]}, "expected a path"),
        ({"mates": seconds[0], "interleaved": True}, "exclude each other"),
    ]:
        with pytest.raises(warpseq.UsageError, match=told):
            engine.scan(first, SIGNATURES, **wrong)
    for wrong in [{"mates": seconds[0]}, {"interleaved": True}]:
        with pytest.raises(warpseq.UsageError, match="are for files"):
            engine.scan(["ACGT"], SIGNATURES, **wrong)
    with pytest.raises(warpseq.Error, match="this record has no mate") as raised:
        engine.scan(first, SIGNATURES, mates=short)
    assert (raised.value.kind, raised.value.file, raised.value.record) == ("input", str(first), 2)
    with pytest.raises(warpseq.Error, match="this record has no mate"):
        engine.scan(short, SIGNATURES, interleaved=True)
    with pytest.raises(warpseq.Error, match="expected the mate of"):
        engine.scan(first, SIGNATURES, mates=others)


def test_memory_gives_the_rows_of_a_file_without_qualities(engine, tmp_path):
    sequences, signatures = records(SAMPLES), records(SIGNATURES)
    fasta = tmp_path / "samples.fasta"
    fasta.write_text("".join(f">{name}\n{residues}\n" for name, residues in sequences.items()))
    of_file = pyarrow.table(engine.scan(fasta, SIGNATURES, report="all"))
    held = pyarrow.table(engine.scan(sequences, signatures, report="all"))
    assert held.column("sample").null_count == held.column("mate").null_count == held.num_rows > 0
    assert held.drop_columns("sample") == of_file.drop_columns("sample")
    listed = pyarrow.table(engine.scan(list(sequences.values()), list(signatures.values()), report="all"))
    names, wanted = list(sequences), list(signatures)
    assert [names[int(k)] for k in listed.column("sequence").to_pylist()] == held.column("sequence").to_pylist()
    assert [wanted[int(k)] for k in listed.column("signature").to_pylist()] == held.column("signature").to_pylist()


def test_errors_tell_the_place(engine, tmp_path):
    with pytest.raises(warpseq.Error) as raised:
        engine.scan(["ACGT", "AC!"], ["ACGT"])
    error = raised.value
    assert (error.kind, error.file, error.line, error.record) == ("input", None, None, 2)
    assert str(error).startswith("sequences, record 2: '!'")
    with pytest.raises(warpseq.Error, match="signatures, record 1: the signature has no bases"):
        engine.scan(["ACGT"], [""])
    with pytest.raises(warpseq.Error, match="signatures: there are no signatures"):
        engine.scan(["ACGT"], [])
    with pytest.raises(warpseq.Error) as raised:
        engine.scan(DATA / "absent.fq", ["ACGT"])
    assert (raised.value.kind, raised.value.file) == ("file", str(DATA / "absent.fq"))
    for wrong in [{"report": "none"}, {"strand": "up"}, {"max_mismatch": -1}, {"max_n_frac": 2}, {"phred_offset": 12}]:
        with pytest.raises(warpseq.UsageError):
            engine.scan(["ACGT"], ["ACGT"], **wrong)
