#!/usr/bin/env python3
"""Small numbers have a name, a scale and a reason. Prints TAP.

small.py ROOT

A number that is small is small against something. In the rooms that decide by such numbers, those of (0, 1/1000]
stand in one header each and nowhere else: NAMES. There each has a comment, on its line or above its group, that says
what it is a part of. Comments and texts are not looked at.
"""
import os, re, sys

NAMES = {"engine": "engine/small.h", "contact": "engine/small.h", "rate": "engine/small.h", "walk": "engine/small.h",
         "cone": "cone/small.h"}
LARGEST = 1e-3
APART = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")


def small_numbers(text):
    """(line, number as written) of all that are small"""
    bare = APART.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    for found in NUMBER.finditer(bare):
        word = found.group()
        value = float.fromhex(word) if word[:2] in ("0x", "0X") else float(word)
        if 0 < value <= LARGEST:
            yield bare.count("\n", 0, found.start()) + 1, word


def unnamed(root):
    """room -> places"""
    found = {room: [] for room in NAMES}
    for room, header in NAMES.items():
        folder = os.path.join(root, "src", room)
        for name in sorted(os.listdir(folder)):
            if not name.endswith((".c", ".h")) or f"{room}/{name}" == header:
                continue
            with open(os.path.join(folder, name), encoding="utf8") as file:
                found[room] += [f"src/{room}/{name}:{line}: {word}" for line, word in small_numbers(file.read())]
    return found


def without_reason(root, header):
    """names in a header that no comment explains: neither on the line nor above the lines it stands among"""
    with open(os.path.join(root, "src", header), encoding="utf8") as file:
        lines = file.read().splitlines()
    explained, bad = False, []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            explained = False
        elif line.lstrip().startswith("//"):
            explained = True
        elif line.startswith("static const double") and not explained and "//" not in line:
            bad.append(f"src/{header}:{number}: {line.strip()}")
    return bad


def main():
    root = sys.argv[1]
    checks = [(f"no unnamed small number in {room}", places) for room, places in unnamed(root).items()]
    for header in sorted(set(NAMES.values())):
        checks.append((f"every small number of {header} has a reason", without_reason(root, header)))
    print(f"1..{len(checks)}")
    for i, (title, places) in enumerate(checks, 1):
        for place in places:
            print(f"#   {place}")
        print(f"{'not ok' if places else 'ok'} {i} - {title}")
    return any(places for _, places in checks)


if __name__ == "__main__":
    sys.exit(main())
