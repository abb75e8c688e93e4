#!/usr/bin/env python3
"""Write the viewer's page as C strings: what stands before the title, between title and data, behind the data.
usage: embed_page.py PAGE.html OUT.c"""
import sys

TITLE, DATA = b"@TITLE@", b"@DATA@"


def c_string(data):
    """string literals of some hundred bytes each; bytes that C reads otherwise in octal"""
    escaped = {b: f"\\{b:03o}" for b in range(256) if not 32 <= b < 127 or chr(b) in '"\\?'}
    lines = []
    for i in range(0, len(data), 400):
        lines.append('  "' + "".join(escaped.get(b) or chr(b) for b in data[i : i + 400]) + '"')
    return "\n".join(lines) or '  ""'


def main(page, target):
    data = open(page, "rb").read()
    assert data.count(TITLE) == 1 and data.count(DATA) == 1, "a page has one title and one place for its data"
    head, rest = data.split(TITLE)
    middle, tail = rest.split(DATA)
    with open(target, "w", encoding="ascii") as f:
        f.write('// made by tools/embed_page.py\n#include "out/page_bundle.h"\n\n'
                '#pragma GCC diagnostic ignored "-Woverlength-strings"\n')
        for name, part in (("head", head), ("middle", middle), ("tail", tail)):
            f.write(f"const char out_page_{name}[] =\n{c_string(part)};\n")
            f.write(f"const size_t out_page_{name}_length = {len(part)};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
