from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Literal, Protocol, Self, TypeAlias, final

class _Array(Protocol):
    """A NumPy array."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

_Path: TypeAlias = str | PathLike[str]
# One file; sequences named by their places, from 0; names with sequences; residues (uint8) with where each sequence begins and
# the last one ends.
_Sequences: TypeAlias = _Path | Iterable[str] | Iterable[bytes] | dict[str, str] | dict[str, bytes] | tuple[_Array, _Array]
# What an engine has signed, too.
_Signatures: TypeAlias = _Sequences | Table
_Number: TypeAlias = int | float | str
# Called with what is done, and of how much, if that is known: bytes of files, or records.
_Progress: TypeAlias = Callable[[int, int | None], object]

__all__ = ["Engine", "Error", "Table", "__version__"]
__version__: str

class Error(Exception):
    kind: Literal["file", "input", "usage", "device", "engine", "internal"] | None
    file: str | None
    line: int | None
    record: int | None

@final
class Table:
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Engine:
    def __new__(cls, device: str = "auto", threads: int | None = None, memory: str = "1G") -> Self: ...
    @property
    def device(self) -> str: ...
    @property
    def threads(self) -> int: ...
    def align(
        self,
        queries: _Sequences,
        targets: _Sequences,
        *,
        pairs: str = "zip",
        mode: str = "local",
        match: _Number | None = None,
        mismatch: _Number | None = None,
        gap: _Number | None = None,
        gap_open: _Number | None = None,
        gap_extend: _Number | None = None,
        gap_model: str = "affine",
        matrix: str | None = None,
        literal: bool = False,
        through_zero: bool = False,
        strand: str = "forward",
        top: int | None = None,
        min_score: _Number | None = None,
        min_identity: _Number | None = None,
        min_query_cover: _Number | None = None,
        evalue: float | None = None,
        score_only: bool = False,
        cigar: str = "eq",
        progress: _Progress | None = None,
    ) -> Table: ...
    def scan(
        self,
        sequences: _Sequences | Iterable[PathLike[str]],
        signatures: _Sequences,
        *,
        mates: str | PathLike[str] | Iterable[PathLike[str]] | None = None,
        interleaved: bool = False,
        wildcards: str = "iupac",
        strand: str = "both",
        report: str = "best",
        max_mismatch: int | str | None = None,
        circular: bool = False,
        max_n_frac: _Number | None = None,
        phred_offset: int | str | None = None,
        algorithm: str = "auto",
        progress: _Progress | None = None,
    ) -> Table: ...
    def sign(
        self,
        sequences: _Signatures,
        *,
        alphabet: str = "auto",
        k: int | None = None,
        window: int | str | None = None,
        bits: int | None = None,
        hash: str | None = None,
        density: int | None = None,
        words: str | None = None,
        canonical: bool | None = None,
        progress: _Progress | None = None,
    ) -> Table: ...
    def search(
        self,
        queries: _Signatures,
        database: _Signatures,
        *,
        by: str = "window",
        top: int | None = 10,
        max_distance: int | None = None,
        max_evalue: float | None = None,
        metric: str = "hamming",
        alphabet: str = "auto",
        k: int | None = None,
        window: int | str | None = None,
        bits: int | None = None,
        hash: str | None = None,
        density: int | None = None,
        words: str | None = None,
        canonical: bool | None = None,
        progress: _Progress | None = None,
    ) -> Table: ...
    def distances(
        self,
        a: _Signatures,
        b: _Signatures | None = None,
        *,
        metric: str = "hamming",
        alphabet: str = "auto",
        k: int | None = None,
        window: int | str | None = None,
        bits: int | None = None,
        hash: str | None = None,
        density: int | None = None,
        words: str | None = None,
        canonical: bool | None = None,
        progress: _Progress | None = None,
    ) -> Table: ...
