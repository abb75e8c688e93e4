#!/usr/bin/env python3
"""Which test reaches which line: the tests of a build in small units, each with its time and the lines it runs.

reached.py BUILD FOLDER [ROOM...]     measures what is not known yet in FOLDER, and prints the lines that nothing reaches

A unit is one test of a test program (test_walk:a_ball_comes_to_rest), one model or file of a test that is made of
such (rows:pendulum), or a whole test. Lines are those of the rooms' C files that have code. No second build is
needed: breakpoints are put into the program as it is (tools/reached.c), so what is seen are lines as the optimised
code knows them. A line whose code was merged with that of another may be missing; who asks for
one is told what runs its file. tools/mutate.py runs only units that reach what was changed.
"""
import concurrent.futures, glob, json, os, queue, re, resource, select, signal, struct, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
# nothing that can notice a fault of the engine
NO_TESTS_OF_MOTION = {"layers", "house", "format", "sizes", "warnings", "bundle", "exports", "called", "elsewhere", "browser"}
# tests that take the names of files, and where these are
OF_FILES = {"defaults": ["models/*.zw"], "rows": ["models/*.zw", "test/unions/systems/*.zw"],
            "scales": ["models/*.zw"], "papers": ["test/papers/*.json"]}
# of a unit's own time; then it does not get on. The processor's seconds for test programs, the clock's for the others,
# whose programs have limits of their own
LONGER, AT_LEAST, PATIENCE = 5, 10, 20


class Test:
    """one test as Meson knows it"""

    def __init__(self, told, build):
        own = os.path.basename(told["cmd"][0])
        self.of_program = own.startswith("test_")
        self.name = own if self.of_program else told["name"]
        words = [w if w != "./zwang" else os.path.join(build, "zwang") for w in told["cmd"]]
        self.words = [sys.executable if os.path.basename(w).startswith("python3") else w for w in words]
        self.env, self.build = told["env"], build
        found = [w for w in self.words if os.path.dirname(w) in (build, os.path.join(build, "test")) and os.path.isfile(w)]
        self.target = os.path.relpath(found[0], build) if found else None

    def units(self, source):
        if self.of_program:
            told = subprocess.run([*self.words, "--list"], capture_output=True, text=True, check=True).stdout
            return told.split()
        places = [os.path.join(source, place) for place in OF_FILES.get(self.name, [])]
        return sorted(os.path.splitext(os.path.basename(f))[0] for place in places for f in glob.glob(place))

    def call(self, units, folder=None):
        """words and surroundings, with the program from FOLDER where it is there"""
        program = os.path.join(self.build, self.target)
        env = {**os.environ, **self.env}
        if folder:
            other = os.path.join(folder, os.path.basename(program))
            env["ZWANG"] = os.path.join(folder, "zwang")
            program = other if os.path.exists(other) else program
        words = [program if w == os.path.join(self.build, self.target) else w for w in self.words]
        return words + list(units), env


def tests_of(build):
    told = json.loads(subprocess.run(["meson", "introspect", build, "--tests"], capture_output=True, check=True).stdout)
    tests = [Test(t, build) for t in told if t["name"] not in NO_TESTS_OF_MOTION]
    return {t.name: t for t in tests if t.target}


def limited(seconds):
    def before():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    return before


def first_failure(words, env, seconds, clock, cwd):
    """None where all is well, else the line that says what is not, and the seconds it took. Limits: SECONDS of the
    processor for each process, CLOCK seconds for all"""
    call = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                            preexec_fn=limited(seconds), start_new_session=True, env=env, cwd=cwd)
    until = None if clock is None else time.monotonic() + clock
    told, left = None, b""
    while told is None:
        wait = None if until is None else until - time.monotonic()
        if wait is not None and (wait <= 0 or not select.select([call.stdout], [], [], wait)[0]):
            told = "does not get on"
            break
        some = os.read(call.stdout.fileno(), 1 << 16)
        if not some:
            break
        *lines, left = (left + some).split(b"\n")
        told = next((l.decode(errors="replace") for l in lines if re.match(rb"not ok|Bail out", l)), None)
    if told is not None:
        os.killpg(call.pid, signal.SIGKILL)
    call.stdout.close()
    _, status, usage = os.wait4(call.pid, 0)
    call.returncode = os.waitstatus_to_exitcode(status)
    if told is None and call.returncode != 0:
        told = "does not get on" if call.returncode == -signal.SIGXCPU else f"status {call.returncode}"
    return told, usage.ru_utime + usage.ru_stime


# ---- places in a program ----------------------------------------------------------------------------

def lines_of(program, root, rooms):
    """(address, [file:line]) of all code of the rooms, ascending"""
    told = subprocess.run(["objdump", "--dwarf=decodedline", program], capture_output=True, text=True, check=True).stdout
    names = {os.path.basename(f) for room in rooms for f in glob.glob(os.path.join(root, "src", room, "*.c"))}
    at = {}
    for m in re.finditer(r"^(\S+\.c) +(\d+) +0x([0-9a-f]+)", told, re.M):
        if m[1] in names and m[2] != "0":
            at.setdefault(int(m[3], 16), set()).add((m[1], m[2]))
    # the table has only the last part of a path
    places = sorted(at)
    asked = "".join(f"{a:#x}\n" for a in places)
    paths = subprocess.run(["addr2line", "-e", program], input=asked, capture_output=True, text=True, check=True).stdout
    found = []
    for a, path in zip(places, paths.splitlines()):
        m = re.search(r"src/(\w+)/([\w.]+):", path)
        lines = [f"src/{m[1]}/{name}:{n}" for name, n in at[a] if m and m[1] in rooms and name == m[2]]
        if lines:
            found.append((a, lines))
    return found


class Reached:
    """the knowledge, kept in FOLDER"""

    def __init__(self, build, folder, rooms):
        self.build, self.folder, self.rooms = build, folder, rooms
        self.source = os.path.dirname(build)
        self.kept = os.path.join(folder, "units.jsonl")
        self.tests = tests_of(build)
        self.units, self.places, self.numbers = {}, {}, {}
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(self.kept):
            for line in open(self.kept, encoding="utf8"):
                told = json.loads(line)
                self.units[told["unit"]] = told
        # what has code in any program
        self.lines = sorted({l for name in self.programs() for _, ls in self.places_of(name) for l in ls})
        self.index = {line: i for i, line in enumerate(self.lines)}
        self.bits = {unit: int(told["lines"], 16) for unit, told in self.units.items()}

    def programs(self):
        return sorted({t.target for t in self.tests.values()})

    def places_of(self, target):
        if target not in self.places:
            kept = os.path.join(self.folder, os.path.basename(target) + ".lines")
            program = os.path.join(self.build, target)
            if not os.path.exists(kept) or os.path.getmtime(kept) < os.path.getmtime(program):
                with open(kept, "w", encoding="utf8") as file:
                    json.dump(lines_of(program, self.source, self.rooms), file)
            self.places[target] = json.load(open(kept, encoding="utf8"))
        return self.places[target]

    def lines_at(self, target):
        """the numbers of the lines at each place"""
        if target not in self.numbers:
            self.numbers[target] = [[self.index[line] for line in lines] for _, lines in self.places_of(target)]
        return self.numbers[target]

    def prepare(self, folder):
        """FOLDER with what the programs are given to mark; the surroundings that say so"""
        library = os.path.join(folder, "reached.so")
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "reached.c")], check=True)
        for target in self.programs():
            places = [a for a, _ in self.places_of(target)]
            with open(os.path.join(folder, os.path.basename(target) + ".places"), "wb") as file:
                file.write(struct.pack(f"={len(places)}Q", *places))
        return {"LD_PRELOAD": library, "ZWANG_REACHED": folder}

    def measure(self, wanted, jobs):
        """every unit once, with the right program; one that fails now can notice nothing"""
        watches = queue.Queue()
        for k in range(jobs):
            watches.put(self.prepare(os.path.join(self.folder, str(k))))

        def one(task):
            watch = watches.get()
            self.measure_unit(*task, watch)
            watches.put(watch)

        tasks = []
        for test in self.tests.values():
            if (not wanted or test.name in wanted) and self.places_of(test.target):
                names = test.units(self.source) or [""]
                tasks += [(test, f"{test.name}:{n}", [n] if n else []) for n in names if f"{test.name}:{n}" not in self.units]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, tasks))
        return self

    def measure_unit(self, test, unit, names, watch):
        met = {t: os.path.join(watch["ZWANG_REACHED"], os.path.basename(t) + ".met") for t in self.programs()}
        for target, path in met.items():
            with open(path, "wb") as file:
                file.truncate(max(1, len(self.places_of(target))))
        words, env = test.call(names)
        fault, seconds = first_failure(words, {**env, **watch}, None, None, self.build)
        seen = bytearray(len(self.lines))
        for target, path in met.items():
            lines = self.lines_at(target)
            for mark in re.finditer(b"\x01", open(path, "rb").read()):
                for line in lines[mark.start()]:
                    seen[line] = 1
        bits = int(seen[::-1].translate(b"01" + bytes(254)) or b"0", 2)
        told = {"unit": unit, "seconds": round(seconds, 3), "fault": fault, "lines": f"{bits:x}"}
        self.units[unit], self.bits[unit] = told, bits
        with open(self.kept, "a", encoding="utf8") as file:
            file.write(json.dumps(told) + "\n")
        if fault:
            print(f"  {unit} fails without a mutant, left out: {fault}", flush=True)

    def reaching(self, file, first, last):
        """the units that run one of the lines; those that run any of the file where these have no code of their own"""
        def mask(lines):
            return sum(1 << self.index[line] for line in lines if line in self.index)

        asked = mask({f"{file}:{n}" for n in range(first, last + 1)})
        asked = asked or mask({line for line in self.lines if line.startswith(file + ":")})
        return [u for u, bits in self.bits.items() if bits & asked and not self.units[u]["fault"]]

    def restrict(self, wanted):
        """only units of these tests, where some are given"""
        self.units = {u: told for u, told in self.units.items() if not wanted or u.partition(":")[0] in wanted}
        self.bits = {u: self.bits[u] for u in self.units}

    def seconds(self, unit):
        return self.units[unit]["seconds"]


def main():
    build, folder, *rooms = sys.argv[1:]
    reached = Reached(os.path.abspath(build), os.path.abspath(folder), rooms).measure([], os.cpu_count())
    every = 0
    for bits in reached.bits.values():
        every |= bits
    never = [line for i, line in enumerate(reached.lines) if not every >> i & 1]
    print("\n".join(never))
    print(f"{len(reached.lines) - len(never)} of {len(reached.lines)} lines reached by {len(reached.units)} units")


if __name__ == "__main__":
    main()
