#!/usr/bin/env python3
"""Prints the score of every query with every target by parasail: BLOSUM62, local, a line for each query."""

import argparse
from pathlib import Path

import parasail


def sequences(path):
    """The sequences of a FASTA file that has each on one line."""
    return [line for line in Path(path).read_text().splitlines() if not line.startswith(">")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("queries", help="a FASTA file, each sequence on one line")
    parser.add_argument("targets", help="likewise")
    parser.add_argument("open", type=int, help="the cost of the first symbol of a gap")
    parser.add_argument("extend", type=int, help="the cost of each further one")
    told = parser.parse_args()
    targets = sequences(told.targets)
    for query in sequences(told.queries):
        profile = parasail.profile_create_32(query, parasail.blosum62)
        found = (parasail.sw_scan_profile_32(profile, target, told.open, told.extend) for target in targets)
        print(*(alignment.score for alignment in found))


if __name__ == "__main__":
    main()
