"""Sequence analysis on NVIDIA GPUs, and on CPUs where there is none.

An `Engine` keeps a GPU, or the CPU's threads, ready between calls. Its methods take paths of FASTA and FASTQ files, lists of
`str` or `bytes`, dictionaries of names and sequences, or pairs of NumPy arrays (residues and offsets). They return the rows of
the program `warpseq` as a `Table`, which polars, pandas and pyarrow read through Arrow without a copy.
"""

from . import _warpseq
from ._warpseq import Engine, Error, Table


class UsageError(Error, ValueError):
    """Arguments that make no sense, or exclude each other."""


__version__ = _warpseq.__version__
__all__ = ["Engine", "Error", "Table", "UsageError", "__version__"]
