#!/usr/bin/env python3
"""Write files as lines of a C array ended by a null.  usage: embed_text.py OUT.c HEADER NAME FILE..."""
import sys


def main(target, header, name, files):
    with open(target, "w", encoding="utf8") as out:
        out.write(f'#include "{header}"\n\nconst char* const {name}[] = {{\n')
        for path in files:
            for line in open(path, encoding="utf8"):
                if line.startswith("#pragma once"):
                    continue
                piece = line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"')
                out.write(f'    "{piece}\\n",\n')
        out.write("    0};\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
