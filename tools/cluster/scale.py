"""What a shard costs: the whole in shards, one after another, on inputs of a size that a task of a cluster has."""

import resource
import subprocess
import time

from inputs import SCAN, Inputs

SHARDS = [1, 2, 4, 8, 16]
# Plain files, of which the mates 1 are cut by their bytes; mates 2 are read from the beginning.
PAIRS = {"first": 100_000, "second": 100_000}
SHEETS = {"mates 1 alone": "single.csv", "pairs": "sheet.tsv"}


def measure(program, folder):
    inputs = Inputs(program, folder / "inputs", PAIRS)
    first_mates = [f"{name},{name}_R1.fastq" for name in PAIRS]
    (inputs.folder / "single.csv").write_text("\n".join(["sample,r1", *first_mates]) + "\n")
    for what, sheet in SHEETS.items():
        print(f"{what}\nshards   CPU seconds of all   against one   seconds of all   of the longest")
        whole = None
        for shards in SHARDS:
            used, times = in_shards(inputs, sheet, shards)
            whole = whole or used
            print(f"{shards:6} {used:20.2f} {used / whole:13.2f} {sum(times):16.2f} {max(times):16.2f}", flush=True)


def in_shards(inputs, sheet, shards):
    """The CPU seconds of all shards, and the seconds that each took."""
    scan = f"-s probes.fasta --samples {sheet} {SCAN} --report none --device cpu -q --counts counts.part"
    times, before = [], busy()
    for shard in range(1, shards + 1):
        begun = time.monotonic()
        command = [inputs.program, "scan", *scan.split(), "--shard", f"{shard}/{shards}"]
        subprocess.run(command, cwd=inputs.folder, check=True)
        times.append(time.monotonic() - begun)
    return busy() - before, times


def busy():
    """CPU seconds of all programs so far: other work of the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
