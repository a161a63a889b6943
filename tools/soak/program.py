"""The program under soak: each run is watched, answers are compared, and the first trouble stops everything."""

import gzip
import re
import shlex
import os
import subprocess
from collections import Counter
from dataclasses import dataclass

HANGS_SECONDS = 300
# What a run with -v says that it did, and what the counts call it.
AMOUNTS = {
    "letters": r"samples, (\d+) letters",
    "cells": r"pairs, (\d+) cells",
    "pairs": r"queries, (\d+) pairs",
    "windows": r"residues, (\d+) windows",
    "rows": r", (\d+) rows",
}


class Trouble(Exception):
    """What is wrong, and the command lines that show it."""

    def __init__(self, message, *commands):
        super().__init__(message)
        self.commands = commands


@dataclass
class Answer:
    command: str
    code: int
    output: bytes
    stderr: str


class Program:
    """Runs the program in a folder, which holds its inputs."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        # `device` is what verified runs compute on, `others` are all that answers are compared between.
        self.device, self.others = "cpu", ["cpu"]
        self.counts, self.compared = Counter(), Counter()

    def run(self, words, stdin=None, codes=(0,)):
        """Runs it on command line `words`, and takes what comes on standard output or in the file behind `-o`."""
        words = [str(word) for word in words]
        command = f"cd {shlex.quote(str(self.folder))} && {shlex.join([str(self.path), *words])}"
        command += f" < {stdin}" if stdin else ""
        written = self.folder / words[words.index("-o") + 1] if "-o" in words else None
        if written:
            written.unlink(missing_ok=True)
        code, stdout, stderr = self.start(words, stdin, command)
        self.watch(command, code, stderr, codes)
        self.counts["runs"] += 1
        for name, pattern in AMOUNTS.items():
            self.counts[name] += sum(map(int, re.findall(pattern, stderr)))
        answer = Answer(command, code, written.read_bytes() if written and written.exists() else stdout, stderr)
        if written and code == 0:
            self.look_at(written, answer)
        if written and code and (written.exists() or list(self.folder.glob(".warpseq.*"))):
            raise Trouble("a failed run left a file", command)
        return answer

    def start(self, words, stdin, command):
        opened = (self.folder / stdin).open("rb") if stdin else subprocess.DEVNULL
        try:
            done = subprocess.run(
                [self.path, *words], stdin=opened, capture_output=True, cwd=self.folder, timeout=HANGS_SECONDS,
                env=dict(os.environ, WARPSEQ_LEAST_MEMORY="1"),
            )
        except subprocess.TimeoutExpired:
            raise Trouble(f"it has not ended within {HANGS_SECONDS} s", command) from None
        finally:
            if stdin:
                opened.close()
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    @staticmethod
    def watch(command, code, stderr, codes):
        if "panicked" in stderr or "a bug in warpseq" in stderr:
            raise Trouble(f"it panicked: {stderr.strip()}", command)
        if code not in codes:
            raise Trouble(f"it ended with {code}: {stderr.strip()}", command)
        if code and not any(line.startswith("warpseq: error: ") for line in stderr.splitlines()):
            raise Trouble(f"it ended with {code} and gave no reason: {stderr.strip()}", command)

    @staticmethod
    def look_at(written, answer):
        if not written.exists():
            raise Trouble(f"it wrote no {written.name}", answer.command)
        if written.suffix == ".gz":
            answer.output = gzip.decompress(answer.output)

    def verified(self, words, verify=("--verify",)):
        """Runs it with a check against another executor, the naive reference unless said otherwise."""
        answer = self.run([*words, "--device", self.device, "-v", *verify])
        if not re.search(r"warpseq: verify: .*: identical", answer.stderr):
            raise Trouble("--verify did not say `identical`", answer.command)
        self.compared["reference" if verify == ("--verify",) else "second engine"] += 1
        return answer

    def same(self, expected, kinds, words, stdin=None):
        """Runs it and compares the answer with `expected`; `kinds` name what is different about this run."""
        answer = self.run(words, stdin)
        self.require_same((expected.output, answer.output), expected, answer)
        self.compared.update(kinds)
        return answer

    @staticmethod
    def require_same(outputs, *answers):
        """That two answers wrote the same; `outputs` are their bytes."""
        if outputs[0] != outputs[1]:
            raise Trouble(f"two answers differ, {difference(*outputs)}", *(answer.command for answer in answers))

    def damaged(self, words):
        """Runs it on a damaged input: an answer or an error, and nothing else."""
        self.run([*words, "-o", "damaged.out", "--device", self.device], codes=(0, 1))
        self.compared["damaged"] += 1


def difference(first, second):
    """Where two answers differ first, for people."""
    lines = first.split(b"\n"), second.split(b"\n")
    for number, (one, other) in enumerate(zip(*lines), 1):
        if one != other:
            return f"line {number}: {one[:200]!r} and {other[:200]!r}"
    return f"one is longer: {len(first)} and {len(second)} bytes"
