"""Calls on one engine: many, at a time, interrupted, in another process, and how far they are."""

import gc
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow
import pytest
import warpseq
from conftest import DATA

RANDOM = random.Random(1)


def sequences(count, length):
    return ["".join(RANDOM.choices("ACGT", k=length)) for _ in range(count)]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_ten_thousand_calls_take_no_more_memory_than_the_first(engine):
    queries, targets = sequences(20, 50), sequences(20, 60)

    def call():
        engine.align(queries, targets)
        engine.align(queries[:3], targets, pairs="all", top=2)
        engine.scan(targets, queries[:3], max_mismatch=2)
        table = engine.sign(queries, k=7)
        engine.search(table, table)
        pyarrow.table(engine.distances(table))

    for _ in range(200):
        call()
    gc.collect()
    before = resident()
    for _ in range(1800):
        call()
    gc.collect()
    assert resident() - before < 8 << 20


def test_eight_threads_have_the_same_rows_as_one(engine):
    queries, targets = sequences(300, 100), sequences(300, 120)

    def call(k):
        some = [queries[k:], targets[k:]]
        table = engine.sign(some[1], k=7)
        hits = engine.align(some[0][:5], some[1][k % 3 :], pairs="all", top=3)
        found = [hits, engine.align(*some, mode="fit"), engine.scan(some[1], some[0][:3]), engine.search(table, table, top=2)]
        return [pyarrow.table(table) for table in found]

    expected = [call(k) for k in range(16)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(call, list(range(16)) * 4)) == expected * 4


def test_other_threads_run_during_a_call(engine):
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    engine.align(sequences(400, 2000), sequences(400, 2000), score_only=True)
    end = time.monotonic()
    over.set()
    thread.join()
    assert sum(start < at < end for at in ticks) >= (end - start) / 0.01 / 10


INTERRUPTED = """
import os, random, signal, sys, threading, time, warpseq
engine = warpseq.Engine(device="cpu")
one, other = ("".join(random.choices("ACGT", k=20000)) for _ in range(2))
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    CALL
except KeyboardInterrupt:
    assert time.monotonic() - start < 3, time.monotonic() - start
    assert engine.align(["ACGT"], ["ACGT"]).num_rows == 1
    sys.exit(17)
"""


CALLS = [
    'engine.align([one] * 2000, [one[::-1]] * 2000, mode="global", progress=lambda done, total: None)',
    # One query with all targets, scored, or aligned.
    'engine.align([one], [other[k : k + 500] for k in range(19000)] * 20, pairs="all", top=1, gap=3)',
    'engine.align([one[:3000]], [other[k % 999 : 1000] for k in range(99000)], pairs="all", min_score=1)',
]


@pytest.mark.parametrize("call", CALLS)
def test_an_interrupt_ends_a_call_and_not_the_engine(call):
    code = INTERRUPTED.replace("CALL", call)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 17, done.stderr


def test_an_engine_does_not_survive_a_fork(engine):
    def child(pipe):
        try:
            engine.align(["ACGT"], ["ACGT"])
        except warpseq.Error as error:
            pipe.send((error.kind, str(error)))
        own = warpseq.Engine(device="cpu", threads=1)
        pipe.send(own.align(["ACGT"], ["ACGT"]).num_rows)

    engine.align(["ACGT"], ["ACGT"])
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(theirs,))
    process.start()
    assert ours.poll(30)
    kind, message = ours.recv()
    assert kind == "engine" and "make an Engine in each process" in message
    assert ours.poll(30) and ours.recv() == 1
    process.join()
    assert process.exitcode == 0


def test_progress_rises_to_the_end(engine):
    def told(call):
        steps = []
        call(lambda done, total: steps.append((done, total)))
        done, total = zip(*steps)
        assert list(done) == sorted(done) and done[-1] == total[-1] and len(set(total)) == 1
        return steps

    queries = sequences(30, 50)
    targets = sequences(30, 50)
    assert told(lambda progress: engine.align(queries, targets, progress=progress))[-1] == (30, 30)
    best = {"pairs": "all", "top": 2}
    assert told(lambda progress: engine.align(queries, targets, progress=progress, **best))[-1] == (30, 30)
    assert told(lambda progress: engine.scan(queries, targets, progress=progress))[-1] == (30, 30)
    assert told(lambda progress: engine.sign(queries, k=7, progress=progress))[-1] == (30, 30)
    assert told(lambda progress: engine.search(queries, targets, k=7, progress=progress))[-1] == (30, 30)
    files = [DATA / "samples.fastq", DATA / "families.fastq"]
    size = sum(file.stat().st_size for file in files)
    assert told(lambda progress: engine.scan(files, DATA / "signatures.fasta", progress=progress))[-1] == (size, size)


def test_what_progress_raises_ends_the_call(engine):
    def refuse(done, total):
        raise RuntimeError(f"{done} of {total}")

    with pytest.raises(RuntimeError, match="2 of 2"):
        engine.align(["ACGT", "A"], ["ACGT", "A"], progress=refuse)
    assert engine.align(["ACGT"], ["ACGT"]).num_rows == 1


def test_engines_of_other_sizes_have_the_same_rows(engine):
    queries, targets = sequences(200, 300), sequences(200, 300)
    expected = pyarrow.table(engine.align(queries, targets, pairs="all", top=3))
    for options in [{"threads": 1}, {"memory": "48M"}, {"threads": 3, "memory": "100M"}]:
        other = warpseq.Engine(device="cpu", **options)
        assert pyarrow.table(other.align(queries, targets, pairs="all", top=3)).combine_chunks() == expected.combine_chunks()
        assert other.threads == options.get("threads", os.cpu_count())


def test_the_emulator_has_the_same_rows(engine):
    emulator = warpseq.Engine(device="emulator", threads=2)
    assert (emulator.device, engine.device) == ("emulator", "cpu")
    queries, targets = sequences(3, 30), sequences(3, 40)
    assert pyarrow.table(emulator.align(queries, targets)) == pyarrow.table(engine.align(queries, targets))
    best = {"pairs": "all", "top": 2, "strand": "both"}
    for _ in range(2):
        found = [pyarrow.table(either.align(queries, targets, **best)) for either in (emulator, engine)]
        assert found[0] == found[1]
    assert pyarrow.table(emulator.scan(targets, ["ACG"])) == pyarrow.table(engine.scan(targets, ["ACG"]))
    assert pyarrow.table(emulator.sign(queries, k=7)) == pyarrow.table(engine.sign(queries, k=7))
    assert pyarrow.table(emulator.search(queries, targets, k=7)) == pyarrow.table(engine.search(queries, targets, k=7))


WITHOUT_GPU = """
import warpseq
assert warpseq.Engine(device="auto").device == "cpu"
assert warpseq.Engine(device="auto").align(["ACGT"], ["ACGT"]).num_rows == 1
try:
    warpseq.Engine(device="cuda").align(["ACGT"], ["ACGT"])
except warpseq.Error as error:
    assert error.kind == "device", error
else:
    raise AssertionError("there is no GPU")
"""


def test_a_gpu_that_was_asked_for_and_is_not_there():
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-c", WITHOUT_GPU], env=environment, check=True, timeout=60)


@pytest.mark.parametrize("wrong", [{"device": "tpu"}, {"threads": 0}, {"memory": "much"}], ids=str)
def test_engines_that_make_no_sense(wrong):
    with pytest.raises(warpseq.UsageError):
        warpseq.Engine(**wrong)
