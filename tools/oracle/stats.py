#!/usr/bin/env python3
"""Checks files that --stats wrote: by their JSON Schema, and by what the real MultiQC makes of them.

    .venv/bin/python tools/oracle/stats.py run_mqc.json ...

The table that MultiQC keeps, and the page that it writes, must hold each sample with its figures and each group that is called.
MultiQC and jsonschema come from PyPI (`make setup`).
"""

import csv
import html
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parent.parent.parent


def main(paths):
    files = [json.loads(Path(path).read_text()) for path in paths]
    schema = json.loads((ROOT / "docs/stats.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for file in files:
        jsonschema.validate(file, schema, cls=jsonschema.Draft202012Validator)
    with tempfile.TemporaryDirectory() as folder:
        table, page = multiqc(paths, Path(folder))
    expected = {sample: row for file in files for sample, row in file["data"].items()}
    assert table.keys() == expected.keys(), f"expected the samples {list(expected)}, found {list(table)}"
    for sample, row in expected.items():
        for key, value in row.items():
            assert table[sample][key] == str(value), f"{sample}, {key}: expected {value}, found {table[sample][key]}"
    groups = {group["group"] for file in files for sample in file["samples"] for group in sample["groups"]}
    for name in [*expected, *(html.escape(group, quote=False) for group in groups)]:
        assert name in page, f"the page lacks {name}"
    assert "<script>alert" not in page, "a name became a script"
    print(f"{len(expected)} samples and {len(groups)} groups as MultiQC has them")


def multiqc(paths, folder):
    """The rows of MultiQC's table by sample, and the text of its page."""
    inputs = folder / "inputs"
    inputs.mkdir()
    for number, path in enumerate(paths):
        (inputs / f"{number}_{Path(path).name}").write_bytes(Path(path).read_bytes())
    command = [sys.executable, "-m", "multiqc", inputs, "-o", folder / "out", "--no-version-check", "--no-ansi", "--strict"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with open(folder / "out/multiqc_data/multiqc_warpseq_calls.txt", newline="") as lines:
        rows = {row.pop("Sample"): row for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}
    return rows, (folder / "out/multiqc_report.html").read_text()


if __name__ == "__main__":
    main(sys.argv[1:])
