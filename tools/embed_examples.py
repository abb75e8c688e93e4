#!/usr/bin/env python3
"""Write the models given on the command line as a C table: name, title, text.  usage: OUT.c MODEL.zw..."""
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


def main(target, models):
    with open(target, "w", encoding="utf8") as f:
        f.write('#include "api/api.h"\n\nconst api_example api_examples[] = {\n')
        for path in sorted(models):
            text = open(path, encoding="utf8").read()
            title = re.search(r'^\s*model\s+"([^"]*)"', text, re.M)
            name = os.path.splitext(os.path.basename(path))[0]
            f.write(f'  {{"{name}",\n{c_string(title.group(1) if title else "")},\n{c_string(text)}}},\n')
        f.write("  {0},\n};\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
