#!/usr/bin/env python3
"""Write the models given on the command line as a C table: name, title, text.  usage: OUT.c HEADER TYPE TABLE MODEL.zw...

The title is that of the model; of a file of parts, which has none, the first line of its comment.
"""
import os, re, sys


def c_string(text):
    """C string literal, one line of the model a line of the source; bytes beyond ASCII in octal."""
    lines = text.split("\n")
    out = []
    for i, line in enumerate(lines):
        piece = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in line.encode())
        if i < len(lines) - 1:
            piece += "\\n"
        if piece:
            out.append(f'   "{piece}"')
    return "\n".join(out) or '   ""'


def main(target, header, kind, table, models):
    with open(target, "w", encoding="utf8") as f:
        f.write(f'#include "{header}"\n\nconst {kind} {table}[] = {{\n')
        for path in sorted(models):
            text = open(path, encoding="utf8").read()
            title = re.search(r'^\s*model\s+"([^"]*)"', text, re.M) or re.match(r"# *(.*)", text)
            name = os.path.splitext(os.path.basename(path))[0]
            f.write(f'  {{"{name}",\n{c_string(title.group(1) if title else "")},\n{c_string(text)}}},\n')
        f.write("  {0},\n};\n")


if __name__ == "__main__":
    main(*sys.argv[1:5], sys.argv[5:])
