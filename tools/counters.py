"""What Nsight Compute counted, as a table.

Without an argument: prints the metrics to ask ncu for. With one, the file that `ncu --csv --page raw` wrote: prints, for each
kernel, the mean of each counter over its launches, and what its warps waited for.
"""

import csv
import re
import sys
from collections import defaultdict

# Metric -> what it says.
COUNTERS = {
    "gpu__time_duration.sum": "time",
    "launch__grid_size": "blocks",
    "launch__block_size": "threads of a block",
    "launch__registers_per_thread": "registers of a thread",
    "launch__shared_mem_per_block_dynamic": "dynamic shared memory of a block",
    "sm__maximum_warps_per_active_cycle_pct": "occupancy, theoretical",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy, achieved",
    "sm__warps_active.avg.per_cycle_active": "warps active on an SM",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "SM busy",
    "sm__inst_executed.avg.per_cycle_active": "instructions per cycle and SM",
    "l1tex__t_sector_hit_rate.pct": "L1 hit rate",
    "lts__t_sector_hit_rate.pct": "L2 hit rate",
    "dram__bytes_read.sum": "device memory read",
    "dram__bytes_write.sum": "device memory written",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "device memory busy",
}
STALL = re.compile(r"smsp__average_warps_issue_stalled_(?!.*_not_issued)(\w+)_per_issue_active(\.ratio)?$")


def launches(path):
    """The units by metric, and for each kernel its launches, each a dictionary by metric."""
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        rows = [row for row in csv.reader(line for line in file if line.startswith('"'))]
    if len(rows) < 3:
        sys.exit(f"{path}: ncu profiled no launch; its own words are in the file")
    header, units = rows[0], dict(zip(rows[0], rows[1]))
    kernels = defaultdict(list)
    for row in rows[2:]:
        launch = dict(zip(header, row))
        kernels[launch["Kernel Name"]].append(launch)
    return units, kernels


def mean(of, metric):
    """The mean over the launches that have a number there, or None."""
    found = [launch.get(metric, "").replace(",", "") for launch in of]
    numbers = [float(text) for text in found if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", text)]
    return sum(numbers) / len(numbers) if numbers else None


def describe(kernel, of, units):
    print(f"\n{kernel}: mean of {len(of)} launches")
    for metric, meaning in COUNTERS.items():
        value = mean(of, metric)
        shown = "not counted" if value is None else f"{value:,.2f} {units.get(metric, '')}"
        print(f"  {meaning:34} {shown:24} {metric}")
    stalls = [(mean(of, name), match[1]) for name in units if (match := STALL.match(name))]
    known = sorted(((value, reason) for value, reason in stalls if value), reverse=True)
    whole = sum(value for value, _ in known)
    print("  what warps waited for, of the cycles between two instructions of a warp:")
    for value, reason in known[:8]:
        print(f"    {reason.replace('_', ' '):32} {100 * value / whole:5.1f} %   {value:8.2f} cycles")


def main():
    if len(sys.argv) == 1:
        print(",".join(COUNTERS))
        return
    units, kernels = launches(sys.argv[1])
    for kernel in sorted(kernels):
        describe(kernel, kernels[kernel], units)


main()
