"""Runs of models by every door: the library, with machine code and interpreted, its sweeps, and the program itself."""
import csv, json, math, os, select, signal, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import calls

JOBS = 400                       # of one server; what it leaks is then given back
SPACE = 3 << 30                  # bytes of addresses
PATIENCE = 10                    # seconds of the clock for each second of the processor


class Answer:
    """What came of a run.

    kind    done, refused (nothing computed), ended (early, with its reason), doubted, crash, hang
    reason  what was said
    data    the table as JSON has it, where there is one
    several the laws of the model had more than one motion, as was said
    """

    def __init__(self, kind, reason="", data=None, told=""):
        self.kind, self.reason, self.data = kind, reason, data
        self.several = "more than one motion satisfies" in told


def first_reason(told):
    """the line that says why, without its place in the text"""
    for line in told.splitlines():
        if "error:" in line:
            return line.split("error:", 1)[1].strip()
    return told.strip().splitlines()[0] if told.strip() else "without a word"


def answer_of(told, path):
    if not os.path.exists(path):
        return Answer("refused", first_reason(told))
    with open(path, encoding="utf8") as file:
        data = json.load(file)
    os.unlink(path)
    if data["status"] in ("done", "stopped"):
        return Answer("doubted", data["doubt"], data) if data.get("doubt") else Answer("done", "", data, told)
    if data.get("doubt") and not data.get("reason"):
        return Answer("doubted", data["doubt"], data)
    return Answer("ended", data.get("reason") or told, data)


class Server:
    """a process that holds the library; started again where it ended"""

    def __init__(self, library, interpreted):
        self.shared, self.interpreted, self.process, self.jobs = library, interpreted, None, 0

    def start(self):
        more = dict(os.environ)
        if self.interpreted:
            more["ZWANG_CODE"] = "interp"
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "library.py"), self.shared], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=more,
                                        preexec_fn=calls.limit(1 << 20, SPACE))
        self.jobs = 0

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def ask(self, job):
        """what was told, or an Answer where none came"""
        if self.jobs >= JOBS:
            self.stop()
        if not self.process or self.process.poll() is not None:
            self.start()
        self.jobs += 1
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        ready = select.select([self.process.stdout], [], [], PATIENCE * job["seconds"])[0]
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)["told"]
        self.process.kill()
        status = self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None
        if not ready or status == -signal.SIGPROF:
            return Answer("hang", f"more than {job['seconds']} s of the processor")
        return Answer("crash", f"ended by signal {-status}" if status < 0 else f"ended with status {status}")


class Runner:
    def __init__(self, program, library, folder, seconds):
        self.program, self.folder, self.seconds = program, folder, seconds
        self.native, self.interpreted = Server(library, False), Server(library, True)
        self.count = 0

    def close(self):
        self.native.stop()
        self.interpreted.stop()

    def path(self, ending):
        self.count += 1
        return os.path.join(self.folder, f"{os.getpid()}-{self.count}{ending}")

    def run(self, text, at, method=None, tolerance=None, sets=(), interpreted=False):
        """by the library"""
        out = self.path(".json")
        job = {"text": text, "sets": list(sets), "at": at, "method": method, "tolerance": tolerance, "out": out, "seconds": self.seconds}
        told = (self.interpreted if interpreted else self.native).ask(job)
        return told if isinstance(told, Answer) else answer_of(told, out)

    def sweep(self, text, over):
        """the rows of a sweep by the library, or an Answer"""
        out = self.path(".csv")
        told = self.native.ask({"text": text, "sets": [], "over": over, "out": out, "seconds": self.seconds})
        if isinstance(told, Answer):
            return told
        if not os.path.exists(out):
            return Answer("refused", first_reason(told))
        with open(out, encoding="utf8", newline="") as file:
            rows = list(csv.DictReader(file))
        for name in os.listdir(self.folder):
            if name.startswith(os.path.basename(out)):
                os.unlink(os.path.join(self.folder, name))
        return rows

    def by_program(self, text, at, method=None):
        model, out = self.path(".zw"), self.path(".json")
        with open(model, "w", encoding="utf8") as file:
            file.write(text)
        words = [self.program, "run", model, "--at", ",".join(repr(t) for t in at), "--out", out]
        done = calls.run(words + (["--method", method] if method else []), self.seconds, text=True, errors="replace")
        os.unlink(model)
        if done.fault:
            return Answer("hang", done.fault)
        if done.status < 0:
            return Answer("crash", f"ended by signal {-done.status}")
        return answer_of(done.err, out)


def columns(answer):
    return answer.data["columns"]


def is_number(value):
    return isinstance(value, (int, float)) and math.isfinite(value)
