"""Renders the recipe for bioconda as its tools do, and checks what they would refuse. They come by conda alone, which is not needed here.

    .venv/bin/python packaging/recipe.py
"""

import re
import sys
from pathlib import Path

import yaml
from jinja2 import Environment, StrictUndefined

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "packaging" / "bioconda"
PARTS = {"package", "source", "build", "requirements", "test", "about"}
# build.sh makes it.
MADE = "THIRDPARTY.yml"


def main():
    recipe = rendered((FOLDER / "meta.yaml").read_text())
    version = re.search('(?m)^version = "(.*)"', (ROOT / "Cargo.toml").read_text())[1]
    must(set(recipe) == PARTS, f"its parts are {sorted(recipe)}")
    must(recipe["package"] == {"name": "warpseq", "version": version}, f"it is of {recipe['package']}, not of {version}")
    must((FOLDER / recipe["source"]["path"]).resolve() == ROOT, "its sources are not these")
    must(recipe["build"]["number"] == 0 and recipe["build"]["run_exports"], "it has no build number or no run_exports")
    must({"compiler c", "compiler rust", "cargo-bundle-licenses"} <= set(recipe["requirements"]["build"]), "a compiler is missing")
    must(all(one.startswith("warpseq ") for one in recipe["test"]["commands"]), "a test is not of the program")
    files = recipe["about"]["license_file"]
    must(all(name == MADE or (ROOT / name).is_file() for name in files), f"a licence is missing: {files}")
    must(MADE in files and MADE in (FOLDER / "build.sh").read_text(), f"build.sh does not make {MADE}")
    must(recipe["about"]["license"] and recipe["about"]["summary"], "it has no licence or no summary")


def rendered(text):
    """The recipe, with words in place of what conda-build fills in."""
    around = Environment(undefined=StrictUndefined)
    filled = {"compiler": "compiler {}".format, "pin_subpackage": lambda name, max_pin: f"{name} {max_pin}"}
    return yaml.safe_load(around.from_string(text).render(**filled))


def must(holds, otherwise):
    if not holds:
        sys.exit(f"packaging/bioconda: {otherwise}")


if __name__ == "__main__":
    main()
