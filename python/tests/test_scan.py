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
