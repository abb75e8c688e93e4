#!/usr/bin/env python3
"""Slips of the pen: names mixed up, lines lost, doubled or brought in from another model, numbers replaced. Whatever comes of
it, the program answers by its exit status and, where the input is wrong, by an error with its place; it never crashes,
and no help names what was just called unknown. Prints TAP.

slips.py PROGRAM ROOT [--count 240] [--seed 1] [--jobs 2] [--command "check"] [--keep FOLDER]
"""
import argparse, collections, concurrent.futures, glob, os, random, re, subprocess, sys, tempfile

WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
NUMBER = re.compile(r"\b[0-9][0-9.e-]*\b")
FOLDERS = ("models", "test/machines", "test/machines/*", "test/unions/systems", "test/golden/errors", "share/parts")
OF_THE_LANGUAGE = ["t", "pi", "world", "sin", "cross", "dot", "abs", "base", "energy", "norm", "step", "if"]
NUMBERS = ["0", "-1", "1e300", "1e-300", "x", "(1, 0, 0)", "t", "1/0", "2"]
# seconds that an answer may take, far above what any takes
PATIENCE = 120
# what is wrong with a model as a whole stands nowhere
OF_THE_WHOLE = (
    "the model has no coordinates",
    "nothing has mass",
    "a system of ",
    "at the start: a constraint nonlinear in the accelerations is not taken together",
    "at the start: no accelerations and reactions satisfy the laws",
)


def read_models(root):
    paths = sorted(p for f in FOLDERS for p in glob.glob(os.path.join(root, f, "*.zw")))
    return [open(p, encoding="utf8", errors="replace").read().split("\n") for p in paths]


def rename_everywhere(draw, lines, at, models):
    words = WORD.findall("\n".join(lines))
    old, new = draw.choice(words), draw.choice(words + OF_THE_LANGUAGE)
    return [re.sub(rf"\b{old}\b", new, line) for line in lines]


def rename_once(draw, lines, at, models):
    here = WORD.findall(lines[at])
    if here:
        new = draw.choice(WORD.findall("\n".join(lines)) + OF_THE_LANGUAGE)
        lines[at] = re.sub(rf"\b{draw.choice(here)}\b", new, lines[at], count=1)
    return lines


def lose(draw, lines, at, models):
    return lines[:at] + lines[at + 1 :]


def double(draw, lines, at, models):
    return lines[:at] + [lines[at]] + lines[at:]


def bring_in(draw, lines, at, models):
    return lines[:at] + [draw.choice(draw.choice(models))] + lines[at:]


def replace_number(draw, lines, at, models):
    found = list(NUMBER.finditer(lines[at]))
    if found:
        n = draw.choice(found)
        lines[at] = lines[at][: n.start()] + draw.choice(NUMBERS) + lines[at][n.end() :]
    return lines


def lose_word(draw, lines, at, models):
    words = lines[at].split(" ")
    del words[draw.randrange(len(words))]
    lines[at] = " ".join(words)
    return lines


SLIPS = (rename_everywhere, rename_once, lose, double, bring_in, replace_number, lose_word)


def slip(seed, models):
    draw = random.Random(seed)
    lines = list(draw.choice(models))
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        said = [i for i, line in enumerate(lines) if line.strip() and not line.strip().startswith("#")]
        if said:
            lines = draw.choice(SLIPS)(draw, lines, draw.choice(said), models)
    return "\n".join(lines)


def fault_of(status, told, name):
    """what is wrong with an answer, or nothing"""
    if status not in (0, 1, 2, 3):
        return f"ended with {status}"
    whole = any(f"error: {w}" in told for w in OF_THE_WHOLE)
    if status == 2 and not whole and not re.search(rf"{re.escape(name)}:\d+:\d+: error: ", told):
        return "an error without its place"
    for unknown, meant in re.findall(r"unknown [\w ]+ `(.+?)`\n(?:.*\n){2}help: did you mean `(.+?)`\?", told):
        if unknown == meant:
            return f"`{unknown}` is unknown and suggested"
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("program")
    p.add_argument("root")
    p.add_argument("--count", type=int, default=240)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--command", default="check")
    p.add_argument("--keep", help="where models with a fault are left")
    o = p.parse_args()
    models, program = read_models(o.root), os.path.abspath(o.program)
    verb, *options = o.command.split()
    outcomes, faults = collections.Counter(), 0

    with tempfile.TemporaryDirectory() as folder:

        def one(k):
            text, name = slip(o.seed * 10**6 + k, models), f"slip{k}.zw"
            with open(os.path.join(folder, name), "w", encoding="utf8") as f:
                f.write(text)
            try:
                done = subprocess.run([program, verb, name, *options], capture_output=True, text=True, errors="replace", cwd=folder, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return k, text, "no answer", "no answer"
            return k, text, done.returncode, fault_of(done.returncode, done.stderr, name)

        print(f"1..{o.count}")
        with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
            for k, text, outcome, fault in pool.map(one, range(o.count)):
                outcomes[outcome] += 1
                faults += fault is not None
                if fault and o.keep:
                    with open(os.path.join(o.keep, f"slip{o.seed}_{k}.zw"), "w", encoding="utf8") as f:
                        f.write(text)
                print(f"{'not ok' if fault else 'ok'} {k + 1} - slip {k}" + (f": {fault}" if fault else ""))
    print("# exit status " + ", ".join(f"{k}: {n}" for k, n in sorted(outcomes.items(), key=str)))
    sys.exit(faults > 0)


main()
