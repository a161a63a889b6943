"""What befalls the jobs of a cluster. After each, the final bytes are those of one machine."""

import os
import signal
import subprocess
from contextlib import contextmanager

from slurm import processes
from workflow import Difference, Workflow, stop

# Status is looked at each second or so, where a cluster's users have minutes; there is no database of jobs.
SLURM = ["--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "2", "--slurm-status-command", "squeue",
         "--slurm-no-account", "--default-resources", "slurm_partition=nodes", "runtime=30", "--latency-wait", "5"]
SLOW_SECONDS = 5


@contextmanager
def running(work):
    """The workflow on Slurm, while something is done to it; then it ends well, with the bytes of one machine."""
    run = work.start("slurm", *SLURM)
    try:
        yield
        work.finish(run)
    finally:
        stop(run)
    work.compare()


def told(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def no_failure(cluster, inputs, folder):
    with running(Workflow(inputs, folder)):
        pass


def a_killed_job(cluster, inputs, folder):
    work = Workflow(inputs, folder, shards=2, slow=SLOW_SECONDS, alone=True)
    program = str(work.folder / "warpseq").encode()
    jobs = lambda: [pid for pid, _, command in processes() if program in command.split(b"\0")[:2] and b"scan" in command]
    with running(work):
        os.kill(cluster.wait(jobs, "job that scans")[0], signal.SIGKILL)
    must_have_failed(work)


def a_lost_node(cluster, inputs, folder):
    with running(Workflow(inputs, folder, slow=SLOW_SECONDS, alone=True)):
        cluster.wait(lambda: "w2" in cluster.jobs().values(), "job on w2")
        cluster.end("w2")
        cluster.wait(lambda: cluster.states()["w2"].startswith("down"), "node that is down")
    cluster.node("w2")
    cluster.wait(lambda: cluster.states()["w2"] == "idle", "idle w2")
    if "due to failure of node w2" not in (cluster.folder / "slurmctld.log").read_text():
        raise Difference("no job was lost with w2")


def a_full_disk(cluster, inputs, folder):
    work = Workflow(inputs, folder, shards=2, alone=True)
    work.results.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", work.results], check=True)
    try:
        fill(work.results / "filler")
        with running(work):
            cluster.wait(lambda: "Error in rule scan" in work.log(), "job that fails")
            (work.results / "filler").unlink()
    finally:
        # Lazily, since jobs of a run that was broken off may still write there.
        subprocess.run(["umount", "--lazy", work.results], check=True)
    must_have_failed(work)


def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass


def GPUs_as_a_resource(cluster, inputs, folder):
    with running(Workflow(inputs, folder, shards=2, slow=2, alone=True, gpus=1)):
        cluster.wait(lambda: has_gpu(told("scontrol", "-d", "-o", "show", "job")), "job that has a GPU")


def has_gpu(jobs):
    return any("JobState=RUNNING" in job and "GRES=gpu:1(IDX:" in job for job in jobs.splitlines())


def must_have_failed(work):
    """What is to be survived must have happened."""
    if "Error in rule scan" not in work.log() or "Trying to restart job" not in work.log():
        raise Difference(f"no job failed and was tried again\n{work.log()}")


CASES = {case.__name__: case for case in (no_failure, a_killed_job, a_lost_node, a_full_disk, GPUs_as_a_resource)}
