# What is to be made, and of which files.

import csv
from pathlib import Path

SHARDS = range(1, config["shards"] + 1)
# The number of shards is in the names of their files: other numbers are other files.
PARTS = f"{config['results']}/shards/{{what}}.{{shard}}-of-{config['shards']}"


wildcard_constraints:
    shard=r"\d+",


def reads():
    """The files that the sheet names: they are relative to it, and it is a table with tabs or commas."""
    sheet = Path(config["samples"])
    with open(sheet, newline="") as lines:
        header = lines.readline()
        tab = "\t" if "\t" in header else ","
        names = next(csv.reader([header], delimiter=tab))
        rows = [dict(zip(names, row)) for row in csv.reader(lines, delimiter=tab) if row]
    columns = [name for name in ("r1", "r2", "fastq_1", "fastq_2") if name in names]
    validate_columns(sheet, names, columns)
    files = [row.get(name) for row in rows for name in columns]
    return [str(sheet.parent / name) for name in files if name]


def validate_columns(sheet, names, columns):
    if "sample" not in names or not {"r1", "fastq_1"} & set(columns):
        raise WorkflowError(f"{sheet}: the header must have the columns sample and r1, or sample and fastq_1")


def result(name):
    return f"{config['results']}/{name}"


def part(what, ending):
    return f"{PARTS.format(what=what, shard='{shard}')}.{ending}"


def parts(what, ending):
    return [part(what, ending).format(shard=shard) for shard in SHARDS]


def log_of(name):
    return f"{config['results']}/logs/{name}.log"


def wanted():
    files = [f"scan.{config['scan']['format']}", "counts.tsv", "summary.tsv", "page.html", "multiqc.html"]
    if "align" in config:
        files.append(f"align.{config['align']['format']}")
    if "sign" in config:
        files.append("sign.wsig")
    return [result(name) for name in files]
