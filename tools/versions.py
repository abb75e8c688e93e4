#!/usr/bin/env python3
"""The version stands in meson.build; every other place that names it has to name the same. Prints TAP.

versions.py ROOT
"""
import os, re, sys

# file and what finds the version in it
PLACES = [
    ("CHANGELOG.md", r"^## ([\d.]+)$"), ("debian/changelog", r"^zwang \(([\d.]+)\)"), ("python/pyproject.toml", r'^version = "([\d.]+)"'),
    ("share/man/zwang.1", r'"zwang ([\d.]+)"'), ("share/editors/vscode/package.json", r'"version": "([\d.]+)"'),
]
# those that name the library as it is asked for at run time
NAMES = [
    ("CHANGELOG.md", r"`libzwang\.so\.([\d.]+)`"), ("python/zwang/_library.py", r'^NAME = "libzwang\.so\.([\d.]+)"'),
    ("debian/control", r"^Package: libzwang([\d.]+)$"),
]


def read(root, name):
    with open(os.path.join(root, name), encoding="utf8") as f:
        return f.read()


def of(root):
    return re.search(r"version: '([\d.]+)'", read(root, "meson.build"))[1]


def at_run_time(version):
    """the number in the library's name: it changes where programs have to be linked anew"""
    first, second = version.split(".")[:2]
    return f"0.{second}" if first == "0" else first


def main():
    root = sys.argv[1]
    version = of(root)
    rows = [(name, kind, version) for name, kind in PLACES] + [(name, kind, at_run_time(version)) for name, kind in NAMES]
    failed = 0
    for i, (name, kind, wanted) in enumerate(rows, 1):
        found = re.search(kind, read(root, name), re.M)
        said = found[1] if found else "nothing"
        print(f"{'ok' if said == wanted else 'not ok'} {i} - {name} says {said}, meson.build {wanted}")
        failed += said != wanted
    print(f"1..{len(rows)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
