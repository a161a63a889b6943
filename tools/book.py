"""Hooks for MkDocs: what the book has beside the pages in docs/.

- The README is its first page, and the files that `extra.beside` in mkdocs.yml lists keep their paths.
- Links name files of the repository, so that they also work where the repository is browsed. Here they become links of the book,
  and MkDocs checks them.
- The tables of promises.md are made from promises.toml.
- The code of writing-a-kernel.md must be that of the worked example.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "gpu/cuda_std/tests/worked_example.rs"
# A link or image: everything up to its target, the target, its anchor. Neither an address nor an anchor of the same page.
LINK = re.compile(r"(\]\()(?![a-z]+:|#|/)([^)#\s]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"^```rust\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def on_files(files, config):
    """Adds the README and the files beside docs/."""
    beside = {path.relative_to(ROOT).as_posix() for glob in config.extra["beside"] for path in ROOT.glob(glob)}
    for path in {"README.md", *beside}:
        files.append(File.generated(config, in_book(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Completes a page, and makes its links links of the book."""
    name = page.file.src_uri
    if name == "promises.md":
        markdown = markdown.replace("<!-- promises -->", promises())
    if name == "writing-a-kernel.md" and "\n".join(CODE.findall(markdown)) != (ROOT / EXAMPLE).read_text():
        raise PluginError(f"docs/{name}: expected its code blocks to be {EXAMPLE}, one after another, found a difference")
    folder = posixpath.dirname(in_repository(page.file))

    def link(found):
        target = in_book(posixpath.normpath(posixpath.join(folder, found[2])))
        return found[1] + posixpath.relpath(target, posixpath.dirname(name) or ".") + (found[3] or "")

    return LINK.sub(link, markdown)


def on_page_content(html, page, config, files):
    r"""Shows `|` where code in a table has `\|`, as GitHub does; Python-Markdown leaves the backslash."""
    return html.replace(r"\|", "|")


def in_book(path):
    """Where a file of the repository is in the book."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def in_repository(file):
    """Where a file of the book is in the repository."""
    return Path(file.abs_src_path).resolve().relative_to(ROOT).as_posix()


def promises():
    """The tables of promises, as Markdown."""
    groups = tomllib.loads((ROOT / "docs/promises.toml").read_text())["group"]
    return "\n".join(line for group in groups for line in table(group))


def table(group):
    """The lines of one group: heading, introduction, table."""
    yield from (f"## {group['name']}", "", group.get("about", ""), "", "| promise | tests |", "|---|---|")
    for promise in group["promise"]:
        yield f"| {promise['text']} | {'<br>'.join(f'`{test}`' for test in promise['tests'])} |"
    yield ""
