"""Calls a second: `python/bench.py [DEVICE]` aligns 1000 pairs of 100 nucleotides a call, and one pair a call.

Prints the median call of some seconds, and what that means in pairs and in cells.
"""

import random
import statistics
import sys
import time

import numpy
import warpseq

SECONDS = 5
LENGTH = 100


def sequences(count):
    return ["".join(random.choices("ACGT", k=LENGTH)) for _ in range(count)]


def arrays(many):
    return numpy.frombuffer("".join(many).encode(), dtype=numpy.uint8), numpy.arange(0, LENGTH * len(many) + 1, LENGTH)


def measure(name, count, call):
    call()
    times, end = [], time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    median = statistics.median(times)
    gcups = count * LENGTH**2 / median / 1e9
    print(f"{name}: {1 / median:.0f} calls/s, {1000 * median:.3f} ms a call, {count / median:.0f} pairs/s, {gcups:.2f} GCUPS")


random.seed(1)
engine = warpseq.Engine(device=sys.argv[1] if len(sys.argv) > 1 else "auto")
print(f"{engine}, on {engine.device}, {LENGTH} x {LENGTH}")
queries, targets = sequences(1000), sequences(1000)
measure("1000 pairs, lists", 1000, lambda: engine.align(queries, targets))
held = arrays(queries), arrays(targets)
measure("1000 pairs, arrays", 1000, lambda: engine.align(*held))
measure("1000 pairs, arrays, scores only", 1000, lambda: engine.align(*held, score_only=True))
measure("1 pair", 1, lambda: engine.align(queries[:1], targets[:1]))
