#!/usr/bin/env python3
"""docs/reference.md: every statement, function, command, option, column, status and file, as the program itself tells them.

reference.py PROGRAM ROOT [--renew]

Prints TAP: the page must be what this makes of the program and its source, but for options that are new; --renew writes it.
"""
import os, re, subprocess, sys

program, root = sys.argv[1:3]
PAGE = os.path.join(root, "docs", "reference.md")


def source(*path):
    with open(os.path.join(root, *path), encoding="utf8") as f:
        return f.read()


def said(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def cell(text):
    return text.replace("|", "\\|")


def table(heads, rows):
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)] + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"


def text_of(pieces):
    """C strings that stand one behind the other"""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', pieces)).replace('\\"', '"')


def statements():
    text = source("src", "lang", "statement.c")
    forms = re.search(r"static const form forms\[\] = \{(.*?)\n\};", text, re.S)[1]
    found = re.findall(r'\{"(\w+)", LANG_\w+, \w+,[^"{}]*((?:"(?:[^"\\]|\\.)*"\s*)+)\}', forms)
    others = re.findall(r'\{"(\w+)", ("(?:[^"\\]|\\.)*")\}', text[text.index("others[][2]"):])
    if len(found) != forms.count("LANG_"):
        raise SystemExit("some statement of src/lang/statement.c is not understood")
    return [(f"`{word}`", f"`{text_of(usage)}`") for word, usage in found + others]


def commands():
    return re.findall(r"^  ([a-z]+)\s{2,}(\S.*)$", said("--help"), re.M)


def options(command):
    return re.findall(r"^  (--\S+(?: \S+)*?)\s{2,}(\S.*)$", said(command, "--help"), re.M)


def statuses():
    return re.findall(r'X\(ZW_(\w+), (-?\d+), "([^"]*)"\)', source("include", "zwang", "zwang.h"))


def page():
    names = commands()
    parts = ["""# Reference

Every statement, function, command, option, column, status and file format in one place. The tables of statements, commands, options, methods and statuses are made from the program itself
(`tools/reference.py`), and a test checks that they are up to date. [The language](language.md) explains the statements with examples.

## Statements
""", table(["statement", "how it is written"], statements()), """
A `#` begins a comment. A statement continues on the next line if the line ends in an operator or a comma, or while a bracket is open. Units are written in square brackets.

## Functions and operators
""", table(["", "what"], [
        ("`+ - * / ^`", "arithmetic; `^` binds to the right"),
        ("`x'`, `x''`", "derivatives with respect to time"),
        ("`sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign min max hypot`", "functions of numbers"),
        ("`step(x)`, `smoothstep(a, b, x)`, `if(x > 1, a, b)`", "steps and cases"),
        ("`(x, y, z)`, `.x .y .z`, `dot`, `cross`, `norm`", "vectors"),
        ("`pos vel acc omega alpha`", "positions, velocities, accelerations of points and bodies; a second argument names axes"),
        ("`axis(F, z)`", "a unit vector along an axis of a frame"),
        ("`sum(i in 1..N: ...)`", "sums"),
        ("`delay(x, T)`", "the value of x a time T ago"),
        ("`energy() kinetic() potential() momentum() angmomentum(P)`", "of the whole system"),
        ("`reaction(NAME) control(NAME) moment(NAME) power(NAME)`", "of a constraint or joint"),
        ("`gap friction slip state loss`", "of a contact, by its name"),
        ("`t`, `pi`", "time, the number")]), """
## Commands
""", table(["command", "what it does"], [(f"`zwang {a}`", b) for a, b in names])]
    for name, _ in names:
        rows = [(f"`{a}`", b) for a, b in options(name)]
        rows = [r for r in rows if r[0] not in ("`--help`", "`--version`")]
        if rows:
            parts.append(f"\n### zwang {name}\n\n" + table(["option", "what it does"], rows))
    methods = [line.split(None, 1) for line in said("run", "--method", "list").splitlines() if line.strip()]
    parts += ["\n## Methods\n\n", table(["`--method`", "what it is"], [(f"`{m[0]}`", m[1] if len(m) > 1 else "") for m in methods]), """
## Columns of a run

""", table(["column", "what"], [
        ("`t`", "time in s; always first"), ("`x`, `x'`", "coordinates, then velocities, in the order of the model; including first-order states"),
        ("`NAME` of a `quasi`", "quasi-velocities"), ("`reaction.NAME`, `control.NAME`", "of each constraint, along its gradient; of a joint or contact its components"),
        ("`NAME` of an `output` or `integral`", "outputs"), ("`stage`, `event`", "the current stage, and the events of this row, if the model has any"),
        ("the param of `--compare`", "first, if several runs share a table")]), """
`--columns` chooses columns, with `*` for any letters; `--units` writes the units into the heads of a CSV.

## How a run or command ends

""", table(["exit status", "meaning"], [("0", "done, or stopped by an event of the model"), ("1", "a run could not be finished, or its numbers cannot be trusted; what was computed is kept"),
                                      ("2", "the input is wrong; nothing is written"), ("3", "a limit of the machine: memory, or disk space")]),
              "\nIn the library (`zw_status`) and in the summary:\n\n", table(["status", "value", "meaning"], [(f"`ZW_{a}`", b, c) for a, b, c in statuses()]), """
## Files

""", table(["extension", "what"], [
        (".zw", "a model: plain text in UTF-8"), (".csv", "a table: names in the first line, numbers that read back as the same doubles"),
        (".json", "a run or a report with everything that is known about it"), (".h5", "HDF5: the table, names, units and the summary as attributes"),
        (".svg .png .pdf", "a picture, drawn by gnuplot"), (".gp", "a gnuplot script with its data"), (".html", "an animation, one file that works offline"),
        (".mp4 .gif", "a film of it"), (".tex", "equations, by `--as latex`"), (".c", "equations as a program, by `--as c`"),
        (".part .journal", "beside a table during a long run or a sweep; `--resume` continues from them"), (".stl", "a closed mesh, for `body B mesh \"part.stl\" density rho`")])]
    return "".join(parts)


def parts_of(text):
    """what has to be there: all but the tables of options, which `make gauges` renews"""
    return re.sub(r"\n### zwang .*?(?=\n##? )", "", text, flags=re.S)


made = page()
if "--renew" in sys.argv:
    with open(PAGE, "w", encoding="utf8") as f:
        f.write(made)
kept = source("docs", "reference.md") if os.path.exists(PAGE) else ""
known = set(re.findall(r"`(--[a-z-]+)", made))
named = set(re.findall(r"`(--[a-z-]+)", kept))
for option in sorted(known - named):
    print(f"# {option} is new: tools/reference.py build/zwang . --renew")
checks = {"the reference is that of this program": parts_of(made) == parts_of(kept), "no option is named that is gone": not named - known}
print(f"1..{len(checks)}")
for i, (name, fine) in enumerate(checks.items(), 1):
    if not fine:
        print("#   tools/reference.py build/zwang . --renew writes it anew")
    print(f"{'ok' if fine else 'not ok'} {i} - {name}")
sys.exit(not all(checks.values()))
