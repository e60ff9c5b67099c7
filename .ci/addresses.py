#!/usr/bin/env python3
"""Checks the links of the texts of this repository: relative ones name a file that is there, and an address of the
project's own that exists only after the first release stands in the manifests alone.

    addresses.py [--reach]

With `--reach` the project's own addresses have to answer, too: after the repository is public, and before a release.
"""

import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

OWN = re.compile(r"https?://[^\s)>\"']*bevy[-_]pathfind[^\s)>\"']*")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def files():
    """The files under version control, each once: the workspaces of other Bevys link to the same packages."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    paths = [Path(name) for name in listed.split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def text_of(path):
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return ""


def broken_links(path):
    for target in LINK.findall(text_of(path)):
        name, _, anchor = target.partition("#")
        if "://" in target:
            continue
        where = path.parent / name if name else path
        if not where.exists():
            yield f"{path}: {target}: there is no such file"
        elif anchor and anchor not in anchors(text_of(where)):
            yield f"{path}: {target}: there is no such heading"


def anchors(text):
    """The names by which the headings of a Markdown text are linked to."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def own_addresses(path):
    return [(path, address) for address in OWN.findall(text_of(path))]


def main():
    everything = files()
    faults = [fault for path in everything if path.suffix == ".md" for fault in broken_links(path)]
    own = [found for path in everything for found in own_addresses(path)]
    faults += [f"{path}: {address}: only a manifest may promise that" for path, address in own if path.name != "Cargo.toml"]
    if "--reach" in sys.argv[1:]:
        repository = tomllib.loads(Path("Cargo.toml").read_text())["workspace"]["package"]["repository"]
        try:
            urllib.request.urlopen(repository, timeout=20)
        except OSError as error:
            faults.append(f"{repository}: {error}")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
