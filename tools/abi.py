#!/usr/bin/env python3
"""What programs that are linked to the library rely on, against the last release. Prints TAP.

abi.py ROOT            compares include/zwang/zwang.h with the list of the last release, tools/abi/VERSION.txt
abi.py ROOT --write    writes the list of the version that meson.build names: done once, when it is released

The list has every function with its types, the place and size of every member of every struct, and the number of every word of
every enum, as the compiler sees them. Programs that were linked to the last release keep working where nothing of it is gone or
different; members may be added behind the others of structs that the library itself makes (zw_..._defaults hands out options by
value: there a longer one is different). Where something is, the version has to say so: before 1.0 by its second number, then by
its first.
"""
import glob, os, re, subprocess, sys, tempfile


def preprocessed(header):
    text = subprocess.run(["cc", "-E", "-P", header], check=True, capture_output=True, text=True).stdout
    while "__attribute__" in text:
        shorter = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
        if shorter == text:
            break
        text = shorter
    return text


def functions(text):
    """name: how it is called, blanks and names of arguments aside"""
    out = {}
    for result, name, arguments in re.findall(r"([\w\s*]+?)\b(zw_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;", text):
        if "typedef" in result:
            continue
        kinds = [re.sub(r"\s*\b\w+$", "", a.strip()) if re.search(r"[\w*\s]\s*\b\w+$", a.strip()) and " " in a.strip() else a.strip()
                 for a in arguments.split(",")]
        out[name] = " ".join(f"{result.strip()} ({', '.join(kinds)})".replace("*", " * ").split())
    return out


def members(text):
    """struct: its members"""
    out = {}
    for name, body in re.findall(r"typedef struct (zw_\w+)\s*\{(.*?)\}\s*zw_\w+\s*;", text, re.S):
        found = []
        for line in filter(None, map(str.strip, body.split(";"))):
            if pointer := re.search(r"\(\s*\*\s*(\w+)\s*\)", line):
                found.append(pointer[1])
            else:
                found += [re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*$", one)[1] for one in line.split(",")]
        out[name] = found
    return out


def words(text):
    bodies = re.findall(r"typedef enum zw_\w+\s*\{(.*?)\}", text, re.S)
    return [re.match(r"\s*(\w+)", one)[1] for body in bodies for one in body.split(",") if one.strip()]


def laid_out(header, text):
    """lines that the compiler fills in"""
    lines = []
    for struct, names in members(text).items():
        lines.append(f'printf("struct {struct} size %zu\\n", sizeof({struct}));')
        lines += [f'printf("struct {struct} {m} at %zu size %zu\\n", offsetof({struct}, {m}), sizeof((({struct}*)0)->{m}));' for m in names]
    lines += [f'printf("enum {w} %d\\n", {w});' for w in words(text)]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "abi.c"), os.path.join(folder, "abi")
        with open(source, "w") as f:
            f.write(f'#include "{os.path.abspath(header)}"\n#include <stddef.h>\n#include <stdio.h>\n'
                    f"int main(void)\n{{\n" + "\n".join(lines) + "\nreturn 0;\n}\n")
        subprocess.run(["cc", "-o", program, source], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def listed(header):
    text = preprocessed(header)
    return sorted(f"function {name} {kind}" for name, kind in functions(text).items()) + laid_out(header, text)


def key(line):
    """what a line is about: the function, the struct or its member, the word"""
    parts = line.split()
    return " ".join(parts[:3] if parts[0] == "struct" else parts[:2])


def compare(old, new):
    before, now = {key(x): x for x in old}, {key(x): x for x in new}
    gone = [x for k, x in before.items() if k not in now]
    other = [f"{x}  now: {now[k].split(k, 1)[1].strip()}" for k, x in before.items() if k in now and now[k] != x]
    return gone, other, [x for k, x in now.items() if k not in before]


def numbers(version):
    return [int(x) for x in version.split(".")]


def fits(last, version, broken, added):
    """is the version far enough from the last?"""
    a, b = numbers(last), numbers(version)
    if broken:
        return b[0] > a[0] or (a[0] == 0 and b[:2] > a[:2])
    return b >= a if not added else b > a


def main():
    root = sys.argv[1]
    header = os.path.join(root, "include", "zwang", "zwang.h")
    with open(os.path.join(root, "meson.build")) as f:
        version = re.search(r"version: '([\d.]+)'", f.read())[1]
    new = listed(header)
    if "--write" in sys.argv:
        with open(os.path.join(root, "tools", "abi", version + ".txt"), "w") as f:
            f.write("\n".join(new) + "\n")
        return 0
    lists = glob.glob(os.path.join(glob.escape(root), "tools", "abi", "*.txt"))
    last = max((os.path.basename(x)[:-4] for x in lists), key=numbers)
    with open(os.path.join(root, "tools", "abi", last + ".txt")) as f:
        gone, other, added = compare(f.read().splitlines(), new)
    for title, lines in (("gone", gone), ("different", other), ("new", added)):
        for line in lines:
            print(f"# {title}: {line}")
    fine = fits(last, version, gone or other, added)
    print(f"{'ok' if fine else 'not ok'} 1 - version {version} after {last}: {len(gone)} gone, {len(other)} different, {len(added)} new\n1..1")
    if not fine:
        need = "its second number (before 1.0)" if gone or other else "one of its numbers"
        print(f"# the version in meson.build has to be raised, by {need}, before this is released")
    return not fine


if __name__ == "__main__":
    sys.exit(main())
