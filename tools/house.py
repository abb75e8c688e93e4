#!/usr/bin/env python3
"""house.py ROOT: every file and function that docs/house.md and CONTRIBUTING.md name exists, and every room is on the map. Prints TAP."""
import glob, os, re, sys

root = sys.argv[1]
read = lambda path: open(os.path.join(root, path), encoding="utf8").read()
sources = "\n".join(read(os.path.relpath(f, root)) for f in glob.glob(os.path.join(glob.escape(root), "src", "*", "*.c")))
results = []
for page in ["docs/house.md", "CONTRIBUTING.md"]:
    text = read(page)
    words = re.findall(r"`([^`]+)`", text)
    paths = [w for w in words if re.fullmatch(r"(src|test|docs|tools|models|include)/[\w./-]+", w)]
    results.append((f"{page}: files exist", [f"{w} is not there" for w in paths if not os.path.exists(os.path.join(root, w))]))
    names = [w[:-2] for w in words if re.fullmatch(r"\w+\(\)", w)]
    results.append((f"{page}: functions exist",
                    [f"{w}() is defined nowhere" for w in names if not re.search(rf"(?m)^\w[^\n;=]*\b{w}\([^;{{]*\)\s*\{{", sources)]))
rooms = sorted(d for d in os.listdir(os.path.join(root, "src")) if os.path.isdir(os.path.join(root, "src", d)))
house = read("docs/house.md")
results.append(("every room is on the map", [f"src/{r} has no row" for r in rooms if f"| `{r}` |" not in house]))

print(f"1..{len(results)}")
for i, (name, faults) in enumerate(results, 1):
    for fault in faults:
        print("#   " + fault)
    print(f"{'not ok' if faults else 'ok'} {i} - {name}")
sys.exit(any(faults for _, faults in results))
