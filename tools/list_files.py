#!/usr/bin/env python3
"""Print the paths of the files of a folder, one a line, in order: a path may hold blanks.  usage: list_files.py FOLDER [ENDING]"""
import os, sys


def main(folder, ending=""):
    for name in sorted(os.listdir(folder)):
        if name.endswith(ending) and not name.startswith("."):
            print(os.path.join(folder, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
