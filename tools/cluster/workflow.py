"""A run of the workflow in a folder of its own, and what must come out of it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

import inputs as made

WORKFLOW = Path(__file__).resolve().parent.parent.parent / "workflow"
TOOLS = Path(sys.executable).parent
SECONDS_MAX = 900


class Difference(Exception):
    """What is not as it must be."""


class Workflow:
    """The workflow on some inputs. Jobs are slowed down by `slow` seconds, so that there is time to hurt them; the first
    attempt of shard `die_once` of scan kills itself. With `alone`, there is nothing but scan."""

    def __init__(self, inputs, folder, shards=4, slow=0, die_once=0, alone=False, **config):
        self.inputs, self.folder = inputs, folder
        self.folder.mkdir()
        self.results = self.folder / "results"
        told = self.config(shards) | config
        if alone:
            del told["align"], told["sign"]
        self.wanted = [name for name in inputs.whole() if name.split(".")[0] in ["counts", "summary", "page", *told]]
        (self.folder / "config.yaml").write_text(yaml.safe_dump(told))
        self.wrap(slow, die_once, shards)

    def config(self, shards):
        at = self.inputs.folder
        return {
            "samples": f"{at}/sheet.tsv", "signatures": f"{at}/probes.fasta", "warpseq": f"{self.folder}/warpseq",
            "shards": shards, "threads": 1, "memory_mb": 64, "spare_mb": 64, "device": "cpu",
            "scan": {"options": made.SCAN}, "summary": {"options": made.SUMMARY},
            "align": {"queries": f"{at}/queries.fasta", "targets": f"{at}/genomes.fasta", "options": made.ALIGN, "format": "sam"},
            "sign": {"sequences": f"{at}/genomes.fasta", "options": made.SIGN},
        }

    def wrap(self, slow, die_once, shards):
        """The program that jobs call, which waits or dies where it is told to."""
        lines = ["#!/bin/bash"]
        if die_once:
            dead = shlex.quote(str(self.folder / "dead"))
            lines.append(f'[[ "$* " != *"--shard {die_once}/{shards} "* || "$1" != scan ]] || ! mkdir {dead} || kill -KILL $$')
        if slow:
            lines.append(f"case $1 in scan) sleep {slow};; esac")
        lines.append(f'exec {shlex.quote(str(self.inputs.program))} "$@"')
        path = self.folder / "warpseq"
        path.write_text("\n".join(lines) + "\n")
        path.chmod(0o755)

    def start(self, profile, *options):
        command = [sys.executable, "-m", "snakemake", "-s", WORKFLOW / "Snakefile", "-d", self.folder,
                   "--configfile", self.folder / "config.yaml"]
        if profile:
            command += ["--profile", WORKFLOW / "profiles" / profile]
        # The tools of this environment, such as MultiQC, and no settings of the user's.
        around = os.environ | {"PATH": f"{TOOLS}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(self.folder), "HOME": str(self.folder),
                               "TMPDIR": str(self.folder)}
        with open(self.folder / "log", "a") as log:
            return subprocess.Popen([*command, *options], stdout=log, stderr=log, env=around, start_new_session=True)

    def finish(self, running):
        try:
            code = running.wait(SECONDS_MAX)
        except subprocess.TimeoutExpired:
            code = f"none within {SECONDS_MAX} s"
        finally:
            stop(running)
        if code != 0:
            raise Difference(f"snakemake ended with exit code {code}\n{self.log()}")

    def run(self, profile, *options):
        self.finish(self.start(profile, *options))

    def lint(self):
        self.run(None, "--lint")

    def report(self):
        """The report of a run, as one page that holds the pages of the run."""
        self.run(None, "--report", self.folder / "report.html")
        if "page.html" not in (self.folder / "report.html").read_text():
            raise Difference("the report does not show page.html")

    def log(self):
        return (self.folder / "log").read_text()

    def compare(self):
        one = self.inputs.whole()
        for name in self.wanted:
            if timeless((self.results / name).read_bytes()) != timeless(one[name]):
                raise Difference(f"{name} is not what one machine writes")
        if one["scan.tsv"].count(b"\n") < 100:
            raise Difference("there is too little in scan.tsv to compare")
        if "one" not in (self.results / "multiqc.html").read_text():
            raise Difference("MultiQC's page does not show the samples")


def timeless(page):
    """What a page tells, but for the command, and when and how fast it ran; no other output has such words."""
    return re.sub(rb"<pre>warpseq summary .*</pre>|[0-9-]+ [0-9:]+ UTC|<dt>Time<dd>[^<]*", b"", page)


def stop(running):
    """Ends a run and all that it began."""
    if running.poll() is None:
        os.killpg(running.pid, 9)
        running.wait()
