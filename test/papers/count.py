#!/usr/bin/env python3
"""No formula of the five papers is left out: the tables of docs/papers against the papers' own numbering. Prints TAP.

count.py ROOT

numbering.json says, for each paper, how far the formulas of each section are numbered, and how many examples and figures there
are. The table "Formula by formula" of its chapter has to name each formula, example and figure exactly once; its last column says
which are corrected, each of them told of under "Where it is wrong", or why one is not applicable. The count below the table has to be what follows
from it.
"""
import json, os, re, sys

ONE = r"(?P<chapter>[IVX]*)\((?P<section>\d+)\.(?P<number>\d+)\)"
WORDS = {"examples": r"example (\d+)", "figures": r"figure (\d+)"}


def formulas_of(text):
    """labels in a cell, ranges written out: `I(1.1) to (1.3), (2.1)`"""
    found, chapter = [], ""
    text = re.sub(r"\band\b.*? behind it", "", text)
    for m in re.finditer(ONE + r"(?:\s+to\s+\((?P<to_section>\d+)\.(?P<to>\d+)\))?", text):
        chapter = m["chapter"] or chapter
        if m["to"] and m["to_section"] != m["section"]:
            raise ValueError(f"{m[0]} goes from one section to another")
        last = int(m["to"] or m["number"])
        found += [f"{chapter}({m['section']}.{n})" for n in range(int(m["number"]), last + 1)]
    return found


def wanted(paper):
    """every label of a paper"""
    formulas = []
    for section, last in paper["formulas"].items():
        chapter, number = re.fullmatch(r"([IVX]*)(\d+)", section.replace(".", "")).groups()
        formulas += [f"{chapter}({number}.{n})" for n in range(1, last + 1)]
    return {"formulas": formulas, "examples": [str(n + 1) for n in range(paper["examples"])], "figures": [str(n + 1) for n in range(paper["figures"])]}


def rows_of(page):
    table = re.search(r"## Formula by formula\n(.*?)\n## ", page, re.S)[1]
    cells = [[c.strip() for c in line.strip().strip("|").split("|")] for line in table.split("\n") if line.startswith("|")]
    if len(cells[0]) != 4:
        raise ValueError("the table has no column of what is corrected")
    return cells[2:], table


def named_in(rows, kind):
    for row in rows:
        if row[0].startswith("beyond it"):
            continue
        yield row, formulas_of(row[0]) if kind == "formulas" else re.findall(WORDS[kind], row[0])


def told(kind, all, printed, corrected, out):
    if all == 0:
        return f"no {kind}"
    return f"{all} {kind[:-1] if all == 1 else kind}: {printed} as printed, {corrected} corrected, {out} not applicable"


def check(page, paper):
    """the count as a line, and what is wrong"""
    rows, table = rows_of(page)
    wrong, faults = page.split("## Where it is wrong", 1)[1].split("\n## Beyond", 1)[0], []
    counts = {}
    for kind, labels in wanted(paper).items():
        named = [label for _, found in named_in(rows, kind) for label in found]
        faults += [f"{kind[:-1]} {x} is left out" for x in labels if x not in named]
        faults += [f"{kind[:-1]} {x} is there {named.count(x)} times" for x in set(named) if named.count(x) > 1 or x not in labels]
        corrected, out = [], []
        for row, found in named_in(rows, kind):
            if row[3].startswith("not applicable: "):
                out += found
            elif kind == "formulas":
                corrected += formulas_of(row[3])
                faults += [f"{x} stands in another row" for x in formulas_of(row[3]) if x not in found]
            else:
                corrected += [x for x in re.findall(WORDS[kind], row[3]) if x in found]
        spoken = formulas_of(wrong) + re.findall(r"[Ee]xample (\d+)", wrong)
        faults += [f"{x} is called corrected, and not told of" for x in corrected if x not in spoken]
        counts[kind] = (len(labels), len(labels) - len(corrected) - len(out), len(corrected), len(out))
    line = "; ".join(told(kind, *n) for kind, n in counts.items())
    if line not in " ".join(table.split()):
        faults.append(f"the count below the table is not: {line}")
    return line, faults, counts


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "test", "papers", "numbering", "numbering.json"), encoding="utf8") as f:
        papers = json.load(f)
    failed, total = 0, {}
    for i, (name, paper) in enumerate(papers.items(), 1):
        with open(os.path.join(root, "docs", "papers", name + ".md"), encoding="utf8") as f:
            page = f.read()
        try:
            line, faults, counts = check(page, paper)
        except (ValueError, TypeError, IndexError) as fault:
            line, faults, counts = "cannot be counted", [str(fault)], {}
        for fault in faults:
            print(f"#   {fault}")
        print(f"{'not ok' if faults else 'ok'} {i} - {name}: {line}")
        failed += bool(faults)
        for kind, n in counts.items():
            total[kind] = [a + b for a, b in zip(total.get(kind, [0] * 4), n)]
    print(f"1..{len(papers)}")
    print("# " + "; ".join(told(kind, *n) for kind, n in total.items()))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
