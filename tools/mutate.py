#!/usr/bin/env python3
"""Breaks the code on purpose and reports what no test notices.

mutate.py --rooms contact,walk [--count 20] [--seed 1] [--work FOLDER] [--tests a,b] [--jobs 1] [--list] [--report]

One mutant is one small change of one C file of src/ROOM: a relation or a logical operator turned round, + for -, 0 for
1, a sign or a statement left out, a condition negated. They are drawn at random, by --seed, from all that are possible
in the rooms given: the same seed draws the same mutants of the same source, and a larger --count only adds to them.

The work is done on a copy of the tracked files in --work (by default beside the system's other temporary files); the
source itself is never touched. For each mutant
  1. its object file is compiled. A change that does not compile, or whose machine code is that of the original, is no
     mutant and does not count;
  2. what depends on it is built and the tests are run one by one, those of its own room first, then those that took
     least time with the right program. The first one that fails, or takes much longer than it did, has noticed it;
  3. one that passes all tests has survived: either no test looks there, or the change makes no difference that
     matters. Each survivor deserves a look, and most of them a test.

Every verdict is kept in FOLDER/mutants.jsonl as soon as it is known. Called again with the same --work the tool goes on
behind the last one; --report only prints what is known. The share noticed is that of the mutants that count.

A run of one mutant takes as long as the tests until the first failure: seconds when a test of the room sees it, all of
`make test` when none does. --tests names those to be run, in this order, where only a part is of interest.
"""
import argparse, hashlib, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time

# of a test's own time with the right program; then it does not get on
LONGER, AT_LEAST = 5, 30
# nothing that can notice a fault of the engine
NO_TESTS_OF_MOTION = {"layers", "format", "sizes", "warnings", "bundle", "exports", "called", "elsewhere", "browser"}


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


def sizes_memory(text, at):
    """how much room is taken, and how much is copied, is for `make san` to watch"""
    return "sizeof" in text[text.rfind("\n", 0, at) + 1:text.find("\n", at)]


def of_reals(text, at):
    """beside a bound that no real number meets exactly, < and <= are the same"""
    line = text[text.rfind("\n", 0, at) + 1:text.find("\n", at)]
    return re.search(r"\bf(?:abs|min|max)\(|\d\.\d|\de-\d|hypot\(|sqrt\(", line) is not None


def changes(text):
    """(kind, from, to, instead) of everything that can be changed"""
    code = blanked(text)
    for kind, pattern, instead in OPERATORS:
        for m in re.finditer(pattern, code):
            if inside_function(code, m.start(1)) and not sizes_memory(code, m.start(1)):
                for other in instead[m[1]]:
                    if not (kind == "relation" and len(other) != len(m[1]) and of_reals(code, m.start(1))):
                        yield kind, m.start(1), m.end(1), other
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if end and inside_function(code, m.start()):
            yield "condition", m.end(), end - 1, f"!({text[m.end():end - 1]})"
    # a call or an assignment of its own; what declares something cannot go
    for m in re.finditer(r"(?<=[;{}\n])([ \t]+)((?:[a-z]\w*\(|[a-z][\w.\[\]>*-]*(?: [-+*/|&]?= |\+\+|--))[^;{}]*;)", code):
        words = re.match(r"(?:return|if|for|while|switch|else|do|case|goto|break|continue|sizeof)\b", m[2])
        if not words and inside_function(code, m.start(2)):
            yield "statement", m.start(2), m.end(2), ";"


class Mutant:
    def __init__(self, file, text, kind, start, end, instead):
        self.file, self.kind, self.start, self.end, self.instead = file, kind, start, end, instead
        self.line = text.count("\n", 0, start) + 1
        begin = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        self.before = text[begin:stop].strip()
        self.after = (text[begin:start] + instead + text[end:stop]).strip()
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

def run(words, seconds=None, **more):
    """status and output; None where it took too long"""
    call = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            start_new_session=True, **more)
    try:
        out, _ = call.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(call.pid, signal.SIGKILL)
        call.communicate()
        return None, ""
    return call.returncode, out


class Copy:
    """the tracked files of ROOT in a folder of their own, with a build"""

    def __init__(self, root, work, jobs):
        self.source, self.jobs = os.path.join(work, "source"), jobs
        self.build = os.path.join(self.source, "build")
        self.log = os.path.join(work, "mutants.jsonl")
        self.times = os.path.join(work, "times.json")
        self.pending = os.path.join(work, "pending.json")
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            self.fill(root)
        self.restore()

    def change(self, file, text):
        """the right text is kept until it is back"""
        path = os.path.join(self.source, file)
        with open(self.pending, "w", encoding="utf8") as kept:
            json.dump({"file": file, "text": open(path, encoding="utf8").read()}, kept)
        with open(path, "w", encoding="utf8") as out:
            out.write(text)

    def restore(self):
        """also what a call that was ended left behind"""
        if not os.path.exists(self.pending):
            return
        kept = json.load(open(self.pending, encoding="utf8"))
        with open(os.path.join(self.source, kept["file"]), "w", encoding="utf8") as out:
            out.write(kept["text"])
        os.unlink(self.pending)

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

    def ninja(self, *targets):
        return run(["ninja", "-C", self.build, "-j", str(self.jobs), *targets])

    def object_of(self, file):
        """the object file, as ninja calls it"""
        told = json.load(open(os.path.join(self.build, "compile_commands.json"), encoding="utf8"))
        for entry in told:
            if os.path.normpath(os.path.join(entry["directory"], entry["file"])) == os.path.join(self.source, file):
                return entry["output"]
        return None

    def code_of(self, target):
        """machine code and data of an object file, without what is there for debuggers"""
        with tempfile.NamedTemporaryFile() as bare:
            subprocess.run(["strip", "--strip-debug", "-o", bare.name, os.path.join(self.build, target)], check=True)
            return open(bare.name, "rb").read()

    def tests(self):
        status, out = run(["meson", "test", "-C", self.build, "--list", "--no-rebuild"])
        names = [line.split(" / ")[-1].strip() for line in out.splitlines() if " / " in line or line.strip()]
        return [n for n in dict.fromkeys(names) if re.fullmatch(r"[\w-]+", n) and n not in NO_TESTS_OF_MOTION]

    def test(self, name, seconds):
        """true, false, or None where it does not get on"""
        status, _ = run(["meson", "test", "-C", self.build, "--no-rebuild", "--quiet", name], seconds)
        return None if status is None else status == 0

    def measured(self, wanted):
        """the time of each test with the right program; one that fails now can notice nothing"""
        times = json.load(open(self.times, encoding="utf8")) if os.path.exists(self.times) else {}
        for name in wanted or self.tests():
            if name in times:
                continue
            begin = time.monotonic()
            times[name] = time.monotonic() - begin if self.test(name, None) else None
            print(f"  {name:12} {'fails without a mutant, left out' if times[name] is None else f'{times[name]:.1f} s'}", flush=True)
            with open(self.times, "w", encoding="utf8") as file:
                json.dump(times, file)
        return {n: t for n, t in times.items() if t is not None and (not wanted or n in wanted)}


# ---- one mutant -------------------------------------------------------------------------------------

def order(tests, room, wanted):
    if wanted:
        return [n for n in wanted if n in tests]
    return sorted(tests, key=lambda n: (n != room, tests[n]))


def verdict_of(copy, mutant, tests, wanted):
    right = open(os.path.join(copy.source, mutant.file), encoding="utf8").read()
    target = copy.object_of(mutant.file)
    if not target:
        return "not built"
    copy.ninja(target)
    code = copy.code_of(target)
    try:
        copy.change(mutant.file, right[: mutant.start] + mutant.instead + right[mutant.end:])
        if copy.ninja(target)[0] != 0:
            return "does not compile"
        if copy.code_of(target) == code:
            return "same code"
        if copy.ninja()[0] != 0:
            return "noticed by the build"
        for name in order(tests, mutant.file.split(os.sep)[1], wanted):
            passed = copy.test(name, max(AT_LEAST, LONGER * tests[name]))
            if not passed:
                return f"noticed by {name}" + (", which does not get on" if passed is None else "")
        return "survived"
    finally:
        copy.restore()


def known(log):
    verdicts = {}
    if os.path.exists(log):
        for line in open(log, encoding="utf8"):
            told = json.loads(line)
            verdicts[told["id"]] = told
    return verdicts


def report(verdicts):
    told = [v["verdict"] for v in verdicts]
    noticed = sum(v.startswith("noticed") for v in told)
    survived = [v for v in verdicts if v["verdict"] == "survived"]
    counted = noticed + len(survived)
    print(f"\n{len(told)} changes: {sum(v == 'does not compile' for v in told)} do not compile, "
          f"{sum(v == 'same code' for v in told)} make the same code, {sum(v == 'not built' for v in told)} are not built")
    if counted:
        print(f"{noticed} of {counted} mutants noticed, {100 * noticed / counted:.0f} %")
    for v in survived:
        print(f"\nsurvived  {v['file']}:{v['line']}  {v['kind']}\n  was  {v['before']}\n  is   {v['after']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--rooms", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "zwang-mutants"))
    parser.add_argument("--tests", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    root, work = os.path.abspath(options.root), os.path.abspath(options.work)
    rooms = options.rooms.split(",")
    wanted = [n for n in options.tests.split(",") if n]
    if options.list:
        for m in mutants(root, rooms, options.count, options.seed):
            print(f"{m.file}:{m.line}  {m.kind}\n  was  {m.before}\n  is   {m.after}")
        return
    os.makedirs(work, exist_ok=True)
    copy = Copy(root, work, options.jobs)
    drawn = mutants(copy.source, rooms, options.count, options.seed)
    verdicts = known(copy.log)
    tests = {} if options.report else copy.measured(wanted)
    for i, m in enumerate(drawn, 1):
        if m.id in verdicts or options.report:
            continue
        verdict = verdict_of(copy, m, tests, wanted)
        verdicts[m.id] = {"id": m.id, "file": m.file, "line": m.line, "kind": m.kind, "before": m.before,
                          "after": m.after, "verdict": verdict}
        with open(copy.log, "a", encoding="utf8") as log:
            log.write(json.dumps(verdicts[m.id]) + "\n")
        print(f"{i:4} {m.file}:{m.line} {m.kind}: {verdict}", flush=True)
    report([verdicts[m.id] for m in drawn if m.id in verdicts])


if __name__ == "__main__":
    main()
