//! The pictures. One rule each, with the least that shows it.

use super::Picture;
use crate::align::scorings::gap;
use warpseq::align::Mode::{Fit, Global, Local, Overlap};
use warpseq::align::Stop::{AtZero, ThroughZero};

pub const ALL: [Picture; 28] = [
    Picture {
        name: "one diagonal",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A    C    A    G    G    T
.    0    0*   0    0    0    0    0
C    0    0    1*   0    0    0    0
A    0    1    0    2*   0    0    0
G    0    0    0    0    3*   1    0
T    0    0    0    0    1    2    2",
    },
    Picture {
        name: "nothing equal: the corner",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    T
.    0*   0    0
A    0    0    0
C    0    0    0",
    },
    Picture {
        name: "codes are equal to nothing, not even to themselves",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A    N    G    N
.    0*   0    0    0    0
A    0    1*   0    0    0
N    0    0    0    0    0
G    0    0    0    1    0
N    0    0    0    0    0",
    },
    Picture {
        name: "equal scores: the smaller i, though its j is larger",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    T
.    0    0*   0
T    0    0    1*
G    0    1    0",
    },
    Picture {
        name: "diagonal before up",
        mode: Global,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A
.    0*  -2
C   -2*  -1
C   -4   -3*",
    },
    Picture {
        name: "diagonal before left",
        mode: Global,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    C    G
.    0*  -2*  -4
A   -2   -1   -3*",
    },
    Picture {
        name: "up before left",
        mode: Global,
        scores: [1, -3],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    T
.    0*  -2*  -4
T   -2   -3   -1*
G   -4   -1   -3*",
    },
    Picture {
        name: "up before left in the middle of a local path",
        mode: Local,
        scores: [1, -1],
        gap: gap(1, 1),
        stop: AtZero,
        drawing: "
     .    T    G    T    C    A
.    0    0*   0    0    0    0
G    0    0    1*   0    0    0
T    0    1    0    2*   1    0
G    0    0    2    1*   1    0
C    0    0    1    1    2*   1
A    0    0    0    0    1    3*
A    0    0    0    0    0    2",
    },
    Picture {
        name: "a local path stops at its first 0",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    A    G    G
.    0    0    0    0    0
G    0    1    0    1    1
T    0    0    0*   0    0
G    0    1    0    1*   1
G    0    1    0    1    2*",
    },
    Picture {
        name: "through zero it goes on",
        mode: Local,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: ThroughZero,
        drawing: "
     .    G    A    G    G
.    0*   0    0    0    0
G    0    1*   0    1    1
T    0    0    0*   0    0
G    0    1    0    1*   1
G    0    1    0    1    2*",
    },
    Picture {
        name: "a local path stops at a 0 that a gap leads to",
        mode: Local,
        scores: [2, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A    A    C
.    0    0    0    0
A    0    2    2    0
G    0    0*   1    1
A    0    2    2*   0
C    0    0    1    4*",
    },
    Picture {
        name: "through zero the gap is followed",
        mode: Local,
        scores: [2, -1],
        gap: gap(2, 2),
        stop: ThroughZero,
        drawing: "
     .    A    A    C
.    0*   0    0    0
A    0    2*   2    0
G    0    0*   1    1
A    0    2    2*   0
C    0    0    1    4*",
    },
    Picture {
        name: "opening wins over extending",
        mode: Global,
        scores: [2, -2],
        gap: gap(2, 1),
        stop: AtZero,
        drawing: "
     .    A    C    G
.    0*  -2*  -3   -4
G   -2   -2   -4*  -1
G   -3   -4   -4   -2*
A   -4   -1   -3   -4*",
    },
    Picture {
        name: "one gap of two is cheaper than two of one",
        mode: Global,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .    A    C    T
.    0*  -3   -4   -5
A   -3    1*  -2   -3
C   -4   -2    2*  -1
G   -5   -3   -1*   1
G   -6   -4   -2*  -2
T   -7   -5   -3   -1*",
    },
    Picture {
        name: "a symbol of the query left over",
        mode: Global,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .    A    G    T
.    0*  -3   -4   -5
A   -3    1*  -2   -3
C   -4   -2*   0   -3
G   -5   -3   -1*  -1
T   -6   -4   -4    0*",
    },
    Picture {
        name: "fit: the target's ends are free",
        mode: Fit,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    A    C    T
.    0    0*   0    0    0
A   -2   -1    1*  -1   -1
C   -4   -3   -1    2*   0",
    },
    Picture {
        name: "fit: the query's start is charged",
        mode: Fit,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .    A    C    T
.    0*   0    0    0
G   -3*  -1   -1   -1
G   -4*  -4   -2   -2
A   -5   -3*  -5   -3
C   -6   -6   -2*  -5",
    },
    Picture {
        name: "fit: equal scores, the smaller j",
        mode: Fit,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    T
.    0*   0    0
T   -2*  -1    1
G   -4   -1*  -1",
    },
    Picture {
        name: "fit: the end is on the border",
        mode: Fit,
        scores: [1, -3],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    G    C
.    0*   0    0
A   -2*  -2   -2",
    },
    Picture {
        name: "overlap: a tail and a head",
        mode: Overlap,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    C    G    G
.    0    0    0    0
A    0   -1   -1   -1
A    0*  -1   -2   -2
C    0    1*  -1   -3",
    },
    Picture {
        name: "overlap: a head and a tail",
        mode: Overlap,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A    A    C
.    0    0    0*   0
C    0   -1   -1    1*
G    0   -1   -2   -1
G    0   -1   -2   -3",
    },
    Picture {
        name: "overlap: nothing, at the end of row 0",
        mode: Overlap,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    C    C
.    0    0    0*
A    0   -1   -1
A    0   -1   -2
A    0   -1   -2",
    },
    Picture {
        name: "overlap: equal scores, the smaller i",
        mode: Overlap,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .    A    C    T    A
.    0    0    0    0*   0
A    0    1   -1   -1    1*
G    0   -1    0   -2   -1
C    0   -1    0   -1   -3
A    0    1   -1   -1    0",
    },
    Picture {
        name: "no target: one gap",
        mode: Global,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .
.    0*
A   -3*
C   -4*",
    },
    Picture {
        name: "no query: one gap",
        mode: Global,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .    A    C
.    0*  -3*  -4*",
    },
    Picture {
        name: "fit without a target: one gap",
        mode: Fit,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .
.    0*
A   -3*
C   -4*",
    },
    Picture {
        name: "fit without a query: nothing, at the corner",
        mode: Fit,
        scores: [1, -1],
        gap: gap(3, 1),
        stop: AtZero,
        drawing: "
     .    A    C
.    0*   0    0",
    },
    Picture {
        name: "nothing at all",
        mode: Overlap,
        scores: [1, -1],
        gap: gap(2, 2),
        stop: AtZero,
        drawing: "
     .
.    0*",
    },
];
