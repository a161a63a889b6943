"""Prints the licences of all crates that the program is made of, each text once, with the crates that have it.

    python3 packaging/licences.py TARGET

TARGET is that of the program, such as x86_64-unknown-linux-gnu. The texts are the files of each crate. For one that comes without, it is
the text of Apache 2.0, or of MIT with the crate's authors in its first line; any other licence without a text is an error.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

NAMES = ("license", "licence", "copying", "notice", "unlicense")


def main(target):
    crates = linked(target)
    texts = {}
    for crate in crates:
        for text in texts_of(crate):
            texts.setdefault(text, []).append(crate)
    print(f"warpseq is made of these {len(crates)} crates of others.\n")
    for crate in crates:
        print(f"{named(crate)}: {crate['license']}{' by ' + ', '.join(crate['authors']) if crate['authors'] else ''}")
    for text, having in texts.items():
        print(f"\n{'=' * 100}\n{', '.join(map(named, having))}\n{'=' * 100}\n\n{text}")


def linked(target):
    """The crates of others that the program holds: dependencies of it that are not for builds or tests."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    found, waiting = set(), [told["resolve"]["root"]]
    while waiting:
        crate = waiting.pop()
        if crate not in found:
            found.add(crate)
            normal = [one["pkg"] for one in nodes[crate]["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]
            waiting += normal
    of_others = [crate for crate in told["packages"] if crate["id"] in found and crate["source"]]
    return sorted(of_others, key=named)


def texts_of(crate):
    folder = Path(crate["manifest_path"]).parent
    # Libraries that a crate brings along have theirs in folders of their own.
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name.lower().startswith(NAMES))
    if not files and "Apache-2.0" in crate["license"]:
        files = [Path("LICENSE-APACHE")]
    elif not files and "MIT" in crate["license"]:
        authors = ", ".join(crate["authors"]) or f"the authors of {crate['name']}"
        return [re.sub("(?m)^Copyright.*$", f"Copyright (c) {authors}", Path("LICENSE-MIT").read_text().strip())]
    if not files:
        sys.exit(f"licences: {named(crate)} ({crate['license']}) comes without a text of its licence")
    return [path.read_text(errors="replace").strip() for path in files]


def named(crate):
    return f"{crate['name']} {crate['version']}"


if __name__ == "__main__":
    main(sys.argv[1])
