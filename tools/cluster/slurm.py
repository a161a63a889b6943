"""A Slurm of two nodes on this machine, in a folder, with nothing of the machine's own settings."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from workflow import Difference

NODES = ["w1", "w2"]
PROGRAMS = ["slurmctld", "slurmd", "munged", "mungekey", "sbatch", "srun", "squeue", "scontrol", "sinfo"]
# How long slurmctld waits for a node that does not answer.
SECONDS_LOST = 20
SECONDS_MAX = 240

CONFIGURATION = """\
ClusterName=warpseq
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=15
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
SlurmdTimeout={lost}
InactiveLimit=0
MinJobAge=300
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1
NodeName=w1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=2 RealMemory=2000 Gres=gpu:1
NodeName=w2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=2 RealMemory=2000 Gres=gpu:1
PartitionName=nodes Nodes=w1,w2 Default=YES MaxTime=INFINITE State=UP
"""


class Missing(Exception):
    """Why there can be no Slurm here."""


class Slurm:
    """Begins with `with`, and ends with all its processes, whatever happens inside."""

    def __init__(self, folder):
        self.folder, self.running = folder, {}
        if os.geteuid() != 0:
            raise Missing("it needs root")
        absent = [name for name in PROGRAMS if not shutil.which(name, path=with_sbin())]
        if absent:
            raise Missing(f"there is no {', '.join(absent)} (apt-get install slurmctld slurmd slurm-client munge)")

    def __enter__(self):
        self.folder.mkdir()
        # munged wants that nobody else can write where its socket is.
        self.folder.parent.chmod(0o755)
        (self.folder / "state").mkdir()
        self.before = {name: os.environ.get(name) for name in ("SLURM_CONF", "PATH")}
        os.environ["SLURM_CONF"], os.environ["PATH"] = str(self.folder / "slurm.conf"), with_sbin()
        try:
            self.configure()
            self.clients()
            self.munge()
            self.begin("slurmctld", "slurmctld", "-D", "-i")
            [self.node(name) for name in NODES]
            self.wait(lambda: self.states() == {name: "idle" for name in NODES}, "two idle nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in [*NODES, "slurmctld", "munged"]:
            self.end(name)
        for name, value in self.before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})

    def configure(self):
        control, first, second = free_ports(3)
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.folder, control=control, first=first,
                                    second=second, lost=SECONDS_LOST)
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "gres.conf").write_text("NodeName=w[1-2] Name=gpu File=/dev/null\n")

    def clients(self):
        """Snakemake takes away what Slurm has set for a job, so that its programs would not find this Slurm: these do."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in ("sbatch", "srun", "squeue", "scontrol", "sinfo", "scancel"):
            path = folder / name
            path.write_text(f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec {shutil.which(name)} "$@"\n')
            path.chmod(0o755)
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"

    def munge(self):
        at = self.folder / "munge"
        at.mkdir(mode=0o755)
        subprocess.run(["mungekey", "-k", at / "key"], check=True)
        self.begin("munged", "munged", "-F", "--num-threads=2", f"--key-file={at}/key", f"--socket={at}/socket", f"--seed-file={at}/seed",
                   f"--pid-file={at}/pid", f"--log-file={at}/log", "--force")
        self.wait((at / "socket").exists, "MUNGE's socket")

    def node(self, name):
        self.begin(name, "slurmd", "-D", "-N", name)

    def begin(self, name, *command):
        log = open(self.folder / f"{name}.out", "a")
        self.running[name] = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def end(self, name):
        """Ends a daemon at once, and all that it began."""
        daemon = self.running.pop(name, None)
        if daemon is None:
            return
        daemon.kill()
        daemon.wait()
        for pid in begun_by(self.folder, name):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def states(self):
        told = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %T"], capture_output=True, text=True)
        return dict(line.split() for line in told.stdout.splitlines())

    def jobs(self):
        """Running jobs: the node of each."""
        told = subprocess.run(["squeue", "-h", "-t", "R", "-o", "%i %N"], capture_output=True, text=True)
        return dict(line.split() for line in told.stdout.splitlines() if len(line.split()) == 2)

    def wait(self, holds, what, seconds=SECONDS_MAX):
        """What holds, as soon as it does."""
        end = time.monotonic() + seconds
        while not (held := holds()):
            if time.monotonic() > end:
                logs = "\n".join(path.read_text()[-2000:] for path in sorted(self.folder.glob("*.log")))
                raise Difference(f"no {what} within {seconds} s\n{logs}")
            time.sleep(0.2)
        return held


def with_sbin():
    return f"{os.environ['PATH']}:/usr/sbin:/sbin"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    [each.bind(("127.0.0.1", 0)) for each in sockets]
    ports = [each.getsockname()[1] for each in sockets]
    [each.close() for each in sockets]
    return ports


def processes():
    """Each process: its parent and its command line."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
                yield int(entry.name), parent, entry.joinpath("cmdline").read_bytes()
            except OSError:
                pass


def begun_by(folder, node):
    """The steps of a node of the Slurm in this folder, which leave their parent, and their jobs."""
    found, children = [], {}
    for pid, parent, command in processes():
        children.setdefault(parent, []).append(pid)
        if b"slurmstepd" in command and f"{folder}/slurmd.{node}.log" in opened(pid):
            found.append(pid)
    for pid in found:
        found += children.get(pid, [])
    return found


def opened(pid):
    try:
        return {os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()}
    except OSError:
        return set()
