#!/usr/bin/env python3
"""Breaks the code on purpose and reports what no test notices.

mutate.py --rooms contact,walk [--count 20] [--seed 1] [--work FOLDER] [--tests a,b] [--most 60] [--jobs 1] [--list] [--report]

One mutant is one small change of one C file of src/ROOM: a relation or a logical operator turned round, + for -, 0 for
1, a sign or a statement left out, a condition negated. They are drawn at random, by --seed, from all that are possible
in the rooms given: the same seed draws the same mutants of the same source, and a larger --count only adds to them.
Never drawn: < for <= beside a bound that no real number meets exactly, which changes nothing; how much memory is taken
and what is given back, which `make san` watches; assertions, which hold anyway.

The work is done on a copy of the tracked files in --work (by default beside the system's other temporary files), built
once; the source itself is never touched. First every unit of the tests is run once with the right program, to know its
time and which lines it runs (tools/reached.py). Then for each mutant
  1. its object file is compiled. A change that does not compile, or whose machine code is that of the original, is no
     mutant and does not count;
  2. the units that reach the statement are run with programs linked anew, the quick ones first. The first one that
     fails, or takes much longer than it did, has noticed it;
  3. one that passes all of them is made as for `make san` and run in a few quick units: reading behind the end of an
     array often goes well otherwise. If that sees nothing it has survived;
  4. for a survivor the gallery and the systems of test/unions are run at default options, and their output is compared
     with that of the right program to the last digit. Where it differs, a test is missing. Where it does not, the
     change makes no difference, or none there: each of these deserves a look.
A mutant that no unit reaches has survived without further ado.
With --most units of more than so many seconds together are left for a later call; until then their mutants count as
survivors. So the share is never too high.

Every verdict is kept in FOLDER/mutants.jsonl as soon as it is known. Called again with the same --work the tool goes on
behind the last one, and with what was left; --report only prints what is known. The share noticed is that of the
mutants that count. --tests names the tests to be used, where only a part is of interest.
"""
import argparse, concurrent.futures, hashlib, json, os, random, re, shlex, shutil, subprocess, sys, tempfile

import calls, reached

# of the processor, for all units run with one call: the quick ones of a test come first
CHUNKS = (1, 8)
# of the processor, for what is tried first
QUICK = 1.5
# of the processor, for a run whose output is compared
SECONDS = 10
# as for `make san`, and how many units are looked at so
SANITIZE, WATCHED = ["-fsanitize=address,undefined"], 8


# ---- what can be changed ----------------------------------------------------------------------------

def blanked(text):
    """comments, texts, characters and lines of the preprocessor as blanks: places stay what they are"""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*"
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)


OPERATORS = [
    ("relation", r"(?<=[\w)\] ]) (<=|>=|==|!=|<|>) (?=[\w(!&*-])",
     {"<=": ["<", ">="], ">=": [">", "<="], "<": ["<=", ">"], ">": [">=", "<"], "==": ["!="], "!=": ["=="]}),
    ("logic", r" (&&|\|\|)(?=\s)", {"&&": ["||"], "||": ["&&"]}),
    ("sum", r"(?<=[\w)\]]) (\+|-) (?=[\w(&*-])", {"+": ["-"], "-": ["+"]}),
    ("product", r"(?<=[\w)\]]) (\*|/) (?=[\w(&*-])", {"*": ["/"], "/": ["*"]}),
    ("growth", r" (\+=|-=) ", {"+=": ["-="], "-=": ["+="]}),
    ("sign", r"(?:= |return |\(|, |\? |: )(-)(?=[A-Za-z(])", {"-": [""]}),
    ("constant", r"(?<![\w.\[])([01])(?![\w.\]])", {"0": ["1"], "1": ["0"]}),
    ("truth", r"\b(true|false)\b", {"true": ["false"], "false": ["true"]}),
    ("extreme", r"\b(fmin|fmax)(?=\()", {"fmin": ["fmax"], "fmax": ["fmin"]}),
]


def closing(text, at):
    """the place behind the bracket that closes the one at AT"""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    return None


def inside_function(text, at):
    """declarations at the outer level are left alone"""
    return text.rfind("\n{", 0, at) > text.rfind("\n}", 0, at)


def watched_elsewhere(text, at):
    """how much room is taken, how much is copied, what is given back: for `make san`. What is asserted holds anyway"""
    line = text[text.rfind("\n", 0, at) + 1:text.find("\n", at)]
    return re.search(r"\bsizeof\b|free\(|_destroy\(|\bassert\(", line) is not None


def of_reals(text, at):
    """beside a bound that no real number meets exactly, < and <= are the same"""
    line = text[text.rfind("\n", 0, at) + 1:text.find("\n", at)]
    return re.search(r"\bf(?:abs|min|max)\(|\d\.\d|\de-\d|hypot\(|sqrt\(", line) is not None


def changes(text):
    """(kind, from, to, instead) of everything that can be changed"""
    code = blanked(text)
    for kind, pattern, instead in OPERATORS:
        for m in re.finditer(pattern, code):
            if inside_function(code, m.start(1)) and not watched_elsewhere(code, m.start(1)):
                for other in instead[m[1]]:
                    if not (kind == "relation" and len(other) != len(m[1]) and of_reals(code, m.start(1))):
                        yield kind, m.start(1), m.end(1), other
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if end and inside_function(code, m.start()):
            yield "condition", m.end(), end - 1, f"!({text[m.end():end - 1]})"
    # a call or an assignment of its own; what declares something cannot go
    for m in re.finditer(r"(?<=[;{}\n)])[ \t]+(?=((?:[a-z]\w*\(|[a-z][\w.\[\]>*-]*(?: [-+*/|&]?= |\+\+|--))[^;{}]*;))", code):
        words = re.match(r"(?:return|if|for|while|switch|else|do|case|goto|break|continue|sizeof)\b", m[1])
        copies = re.match(r"mem(?:cpy|set|move)\(", m[1])
        # not the end of a `for (...; ...;`
        whole = closing("(" + m[1][:-1] + ")", 0) == len(m[1]) + 1 and inside_function(code, m.start(1))
        if whole and not words and (copies or not watched_elsewhere(code, m.start(1))):
            yield "statement", m.start(1), m.end(1), ";"


def lines_around(text, start, end):
    """first and last line of the statement: the compiler may tell any of them"""
    code = blanked(text)
    first = max(code.rfind(c, 0, start) for c in ";{}") + 1
    first += len(code[first:start]) - len(code[first:start].lstrip())
    last = min((at for at in (code.find(c, end) for c in ";{}") if at >= 0), default=end)
    return code.count("\n", 0, first) + 1, code.count("\n", 0, max(last, end - 1)) + 1


class Mutant:
    def __init__(self, file, text, kind, start, end, instead):
        self.file, self.kind = file, kind
        self.text = lambda: text[:start] + instead + text[end:]
        self.line = text.count("\n", 0, start) + 1
        self.around = lambda: lines_around(text, start, end)
        begin = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        self.before = text[begin:stop].strip()
        self.after = (text[begin:start] + instead + text[end:stop]).strip()
        names = re.findall(r"^\w[^\n;=]*?(\w+)\([^;{}]*\)\n\{", text[:start], re.M)
        self.function = names[-1] if names else ""
        told = f"{file}:{start}:{end}:{instead}:{hashlib.sha256(text.encode()).hexdigest()}"
        self.id = hashlib.sha256(told.encode()).hexdigest()[:12]


def mutants(root, rooms, count, seed):
    found = []
    for room in rooms:
        folder = os.path.join(root, "src", room)
        if not os.path.isdir(folder):
            sys.exit(f"there is no room src/{room}")
        for file in sorted(f for f in os.listdir(folder) if f.endswith(".c")):
            path = os.path.join("src", room, file)
            text = open(os.path.join(root, path), encoding="utf8").read()
            found += [Mutant(path, text, *change) for change in changes(text)]
    random.Random(seed).shuffle(found)
    return found[:count]


# ---- the copy ---------------------------------------------------------------------------------------

def run(words, **more):
    """status and output"""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    return done.returncode, done.stdout


class Copy:
    """the tracked files of ROOT in a folder of their own, with a build. Mutants are compiled and linked beside it"""

    def __init__(self, root, work, jobs):
        self.work, self.source, self.jobs = work, os.path.join(work, "source"), jobs
        self.build = os.path.join(self.source, "build")
        self.log = os.path.join(work, "mutants.jsonl")
        if not os.path.exists(os.path.join(self.build, "zwang")):
            self.fill(root)
        told = json.load(open(os.path.join(self.build, "compile_commands.json"), encoding="utf8"))
        self.commands = {os.path.normpath(os.path.join(e["directory"], e["file"])): e["command"] for e in told}
        self.links, self.right = {}, {}

    def fill(self, root):
        files = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.split(b"\0")
        for name in filter(None, (f.decode() for f in files)):
            if os.path.exists(os.path.join(root, name)):
                os.makedirs(os.path.dirname(os.path.join(self.source, name)), exist_ok=True)
                shutil.copy2(os.path.join(root, name), os.path.join(self.source, name))
        print("building the copy", flush=True)
        status, out = run(["meson", "setup", "build", "-Dwerror=false"], cwd=self.source)
        if status == 0:
            status, out = run(["ninja", "-C", "build", "-j", str(self.jobs)], cwd=self.source)
        if status != 0:
            sys.exit("the copy cannot be built:\n" + out[-2000:])

    def compile(self, file, text, folder, more=()):
        """the object file of TEXT in FILE's place, or None; without what is there for debuggers"""
        right = os.path.join(self.source, file)
        changed, made = os.path.join(folder, os.path.basename(file)), os.path.join(folder, "mutant.o")
        with open(changed, "w", encoding="utf8") as out:
            out.write(text)
        words = shlex.split(self.commands[right])
        words = words[words[0].endswith("ccache"):words.index("-MD")]
        words = [w for w in words if w != "-g" and not w.startswith("-W")]
        words += [*more, "-w", "-iquote", os.path.dirname(right), "-o", made, "-c", changed]
        return made if run(words, cwd=self.build)[0] == 0 else None

    def same_code(self, file, made, folder):
        """whether MADE is what the right text gives"""
        other = os.path.join(folder, "right")
        os.makedirs(other)
        right = self.compile(file, open(os.path.join(self.source, file), encoding="utf8").read(), other)
        return open(right, "rb").read() == open(made, "rb").read()

    def link(self, target, made, folder, more=()):
        """TARGET with the object file MADE before all libraries: their own of that name is never asked for"""
        if target not in self.links:
            self.links[target] = shlex.split(run(["ninja", "-C", self.build, "-t", "commands", target])[1].splitlines()[-1])
        words = list(self.links[target])
        at = words.index("-o")
        program = os.path.join(folder, os.path.basename(target))
        words[at:at + 2] = [*more, "-s", "-o", program, made]
        return run(words, cwd=self.build)[0] == 0


# ---- one mutant -------------------------------------------------------------------------------------

def chunks(known, units):
    """(seconds, test, names), the quickest first"""
    by_test = {}
    for unit in units:
        by_test.setdefault(unit.partition(":")[0], []).append(unit)
    found = []
    for test, its in by_test.items():
        parts = [[]]
        for unit in sorted(its, key=known.seconds):
            limit = CHUNKS[len(parts) - 1] if len(parts) <= len(CHUNKS) else None
            if parts[-1] and limit and sum(map(known.seconds, parts[-1])) + known.seconds(unit) > limit:
                parts.append([])
            parts[-1].append(unit)
        found += [(sum(map(known.seconds, part)), test, part) for part in parts]
    return sorted(found)


def noticed(copy, known, made, folder, units, most):
    """who notices it, or None; the units that were left"""
    left = []
    spent = 0
    for seconds, name, part in chunks(known, units):
        spent += seconds
        if most and spent > most:
            left += part
            continue
        test = known.tests[name]
        if not os.path.exists(os.path.join(folder, os.path.basename(test.target))):
            if not copy.link(test.target, made, folder):
                return "the linker", []
        words, env = test.call([u.partition(":")[2] for u in part if not u.endswith(":")], folder)
        limit = int(max(reached.AT_LEAST, reached.LONGER * seconds)) if test.of_program else None
        clock = None if limit else reached.PATIENCE * (reached.LONGER + seconds)
        told, _ = reached.first_failure(words, env, limit, clock, copy.build)
        if told:
            return f"{name}: {told}", []
    return None, left


def output(program, model, folder):
    """what a run writes, but for its time"""
    out = os.path.join(folder, "out.json")
    if os.path.exists(out):
        os.unlink(out)
    done = calls.run([program, "run", model, "--out", out], SECONDS, cwd=folder)
    text = open(out, encoding="utf8").read() if os.path.exists(out) else ""
    told = re.sub(rb", [0-9.]+ [^ \n]*s\n", b"\n", done.out + done.err)
    return done.status, told, re.sub(r'"seconds": [^,}]*', "", text)


def changed(copy, known, made, folder, units):
    """the models whose output is not that of the right program"""
    found = []
    if not os.path.exists(os.path.join(folder, "zwang")) and not copy.link("zwang", made, folder):
        return found
    for name in sorted({u.partition(":")[2] for u in units if u.partition(":")[0] in ("defaults", "rows")}):
        model = next((m for m in (os.path.join(copy.source, place, name + ".zw")
                                  for place in ("models", os.path.join("test", "unions", "systems")))
                      if os.path.exists(m)), None)
        if name not in copy.right:
            copy.right[name] = output(os.path.join(copy.build, "zwang"), model, folder)
        if copy.right[name] != output(os.path.join(folder, "zwang"), model, folder):
            found.append(name)
    return found


def misuses_memory(copy, known, file, text, units):
    """the first unit in which TEXT, in FILE's place, reads or writes where it must not; None: in none of them"""
    with tempfile.TemporaryDirectory(dir=copy.work) as folder:
        made = copy.compile(file, text, folder, SANITIZE)
        for unit in units if made else ():
            name, _, part = unit.partition(":")
            test = known.tests[name]
            if not os.path.exists(os.path.join(folder, name)):
                copy.link(test.target, made, folder, SANITIZE)
            words, env = test.call([part], folder)
            done = calls.run(words, SECONDS, env={**env, "ASAN_OPTIONS": "detect_leaks=0"}, cwd=copy.build)
            if b"AddressSanitizer" in done.err or b"runtime error" in done.err:
                return unit
    return None


def oversteps(copy, known, mutant, units):
    """some quick units with the changed file alone made as for `make san`: what it would see and did not before"""
    found = sorted((u for u in units if known.tests[u.partition(":")[0]].of_program), key=known.seconds)
    unit = misuses_memory(copy, known, mutant.file, mutant.text(), found[:WATCHED])
    right = open(os.path.join(copy.source, mutant.file), encoding="utf8").read()
    return unit if unit and not misuses_memory(copy, known, mutant.file, right, [unit]) else None


def verdict_of(copy, known, mutant, units, most):
    """UNITS: those left by an earlier call, or None. Verdict, what is left, models that change"""
    if os.path.join(copy.source, mutant.file) not in copy.commands:
        return {"verdict": "not built"}
    with tempfile.TemporaryDirectory(dir=copy.work) as folder:
        made = copy.compile(mutant.file, mutant.text(), folder)
        if not made:
            return {"verdict": "does not compile"}
        reaching = known.reaching(mutant.file, *mutant.around())
        # most are seen at once, and need not be compared
        by, left = noticed(copy, known, made, folder, reaching if units is None else units, QUICK)
        if not by and copy.same_code(mutant.file, made, folder):
            return {"verdict": "same code"}
        if not by:
            by, left = noticed(copy, known, made, folder, left, most)
        if by:
            return {"verdict": f"noticed by {by}"}
        told = {"verdict": "survived", "reached": len(reaching), "left": left}
        if units is None:
            by = oversteps(copy, known, mutant, reaching)
            if by:
                return {"verdict": f"noticed by make san: {by}"}
            told["changed"] = changed(copy, known, made, folder, reaching)
        return told


def read_log(log):
    verdicts = {}
    if os.path.exists(log):
        for line in open(log, encoding="utf8"):
            told = json.loads(line)
            verdicts[told["id"]] = {**verdicts.get(told["id"], {}), **told}
    return verdicts


def fate(v):
    if not v["reached"]:
        return "no test reaches it"
    left = f", {len(v['left'])} units not run" if v["left"] else ""
    return (f"changes {', '.join(v['changed'])}" if v["changed"] else "changes no output of the gallery") + left


def report(verdicts):
    told = [v["verdict"] for v in verdicts]
    seen = sum(v.startswith("noticed") for v in told)
    survived = [v for v in verdicts if v["verdict"] == "survived"]
    print(f"\n{len(told)} changes: {told.count('does not compile')} do not compile, "
          f"{told.count('same code')} make the same code, {told.count('not built')} are not built")
    if seen or survived:
        print(f"{seen} of {seen + len(survived)} mutants noticed, {100 * seen / (seen + len(survived)):.0f} %")
    for v in survived:
        print(f"\nsurvived  {v['file']}:{v['line']}  {v['function']}  {v['kind']}: {fate(v)}\n  was  {v['before']}\n  is   {v['after']}")


def judge(copy, known, drawn, verdicts, options):
    def one(m):
        before = verdicts.get(m.id)
        told = {"id": m.id, "file": m.file, "line": m.line, "function": m.function, "kind": m.kind, "before": m.before,
                "after": m.after, **verdict_of(copy, known, m, before and before["left"], options.most)}
        verdicts[m.id] = {**(before or {}), **told}
        with open(copy.log, "a", encoding="utf8") as log:
            log.write(json.dumps(told) + "\n")
        print(f"{m.file}:{m.line} {m.kind}: {told['verdict']}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, (m for m in drawn if m.id not in verdicts or verdicts[m.id].get("left"))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--rooms", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "zwang-mutants"))
    parser.add_argument("--tests", default="")
    parser.add_argument("--most", type=float, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    root, work = os.path.abspath(options.root), os.path.abspath(options.work)
    rooms = options.rooms.split(",")
    if options.list:
        for m in mutants(root, rooms, options.count, options.seed):
            print(f"{m.file}:{m.line}  {m.kind}\n  was  {m.before}\n  is   {m.after}")
        return
    os.makedirs(work, exist_ok=True)
    copy = Copy(root, work, options.jobs)
    drawn = mutants(copy.source, rooms, options.count, options.seed)
    verdicts = read_log(copy.log)
    if not options.report:
        wanted = [n for n in options.tests.split(",") if n]
        known = reached.Reached(copy.build, os.path.join(work, "reached"), rooms).measure(wanted, options.jobs)
        known.restrict(wanted)
        judge(copy, known, drawn, verdicts, options)
    report([verdicts[m.id] for m in drawn if m.id in verdicts])


if __name__ == "__main__":
    main()
