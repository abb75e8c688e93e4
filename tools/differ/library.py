"""The C library from Python, by ctypes: what a run, or a sweep, of a model's text gives. Serves jobs when it is run.

library.py LIBRARY: reads one job a line as JSON on stdin, answers each with a line of JSON on stdout. A job that uses
more than its seconds of the processor ends the process by a signal, as a crash does: who asked sees that no answer
comes, and starts another.
"""
import ctypes, json, os, re, signal, sys

ERROR = 2                        # zw_level


HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "zwang", "zwang.h")
KINDS = {"double": ctypes.c_double, "double*": ctypes.POINTER(ctypes.c_double), "int": ctypes.c_int, "bool": ctypes.c_bool, "long long": ctypes.c_longlong,
         "unsigned long long": ctypes.c_ulonglong, "const char*": ctypes.c_char_p, "const double*": ctypes.POINTER(ctypes.c_double),
         "const char* const*": ctypes.POINTER(ctypes.c_char_p), "const zw_track* const*": ctypes.POINTER(ctypes.c_void_p),
         "void*": ctypes.c_void_p}
FIELD = re.compile(r"^(?P<kind>.+?[ *])\s*(?P<names>\w+(?:, \w+)*)$")


def struct(name):
    """the struct NAME as the header declares it: fields may come and go"""
    with open(HEADER, encoding="utf8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    body = re.search(rf"typedef struct {name}\s*{{(.*?)}} {name};", text, re.S)[1]
    fields = []
    for line in body.split(";"):
        line = " ".join(line.split())
        called = re.match(r"\w+ \(\*(\w+)\)\(", line)
        if called:
            fields.append((called[1], ctypes.c_void_p))
        elif line:
            field = FIELD.match(line)
            kind = field["kind"].strip()
            # other pointers stay as the library's own function made them
            kind = KINDS[kind] if kind in KINDS or "*" not in kind else ctypes.c_void_p
            fields += [(one, kind) for one in field["names"].split(", ")]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


RunOptions, SweepOptions, Runs = struct("zw_run_options"), struct("zw_sweep_options"), struct("zw_runs")


class Library:
    def __init__(self, path):
        self.zw = ctypes.CDLL(path)
        for name, kind in (("zw_notes_new", ctypes.c_void_p), ("zw_notes_text", ctypes.c_char_p), ("zw_model_read_text", ctypes.c_void_p),
                           ("zw_derive", ctypes.c_void_p), ("zw_run", ctypes.c_void_p), ("zw_run_defaults", RunOptions),
                           ("zw_sweep_defaults", SweepOptions), ("zw_notes_free", None), ("zw_model_free", None),
                           ("zw_system_free", None), ("zw_track_free", None)):
            getattr(self.zw, name).restype = kind

    def notes(self, notes):
        """what went wrong, one text; behind it what is warned of"""
        notes = ctypes.c_void_p(notes)
        told = [(self.zw.zw_notes_level(notes, i) != ERROR, i, self.zw.zw_notes_text(notes, i).decode("utf8", "replace"))
                for i in range(self.zw.zw_notes_count(notes))]
        return "\n".join(text for _, _, text in sorted(told))

    def work(self, job):
        """the answer to a job: what is wrong, or nothing; the table is written to job["out"]"""
        notes = self.zw.zw_notes_new()
        text = job["text"].encode("utf8")
        sets = (ctypes.c_char_p * len(job["sets"]))(*(s.encode() for s in job["sets"]))
        model = self.zw.zw_model_read_text(b"drawn.zw", text, ctypes.c_size_t(len(text)), sets, len(sets), ctypes.c_void_p(notes))
        if model:
            (self.sweep if job.get("over") else self.run)(model, job, notes)
        told = self.notes(notes)
        self.zw.zw_model_free(ctypes.c_void_p(model))
        self.zw.zw_notes_free(ctypes.c_void_p(notes))
        return told

    def run(self, model, job, notes):
        system = self.zw.zw_derive(ctypes.c_void_p(model), ctypes.c_void_p(notes))
        if not system:
            return
        options = self.zw.zw_run_defaults()
        at = (ctypes.c_double * len(job["at"]))(*job["at"])
        options.at, options.at_count = at, len(at)
        options.tolerance = job.get("tolerance") or 0.0
        options.method = job["method"].encode() if job.get("method") else None
        track = self.zw.zw_run(ctypes.c_void_p(system), ctypes.byref(options), ctypes.c_void_p(notes))
        if track:
            tracks = (ctypes.c_void_p * 1)(track)
            runs = Runs(tracks, 1, None, None)
            self.zw.zw_table_write(ctypes.byref(runs), job["out"].encode(), ctypes.c_void_p(notes))
            self.zw.zw_track_free(ctypes.c_void_p(track))
        self.zw.zw_system_free(ctypes.c_void_p(system))

    def sweep(self, model, job, notes):
        options = self.zw.zw_sweep_defaults()
        over = (ctypes.c_char_p * 1)(job["over"].encode())
        options.over, options.over_count = over, 1
        options.out = job["out"].encode()
        options.threads = 1
        options.tolerance = job.get("tolerance") or 0.0
        options.method = job["method"].encode() if job.get("method") else None
        self.zw.zw_sweep(ctypes.c_void_p(model), ctypes.byref(options), None, ctypes.c_void_p(notes))


def serve(path):
    library = Library(path)
    # what the library prints is not an answer
    answers = os.fdopen(os.dup(1), "w", encoding="utf8")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, job["seconds"])
        told = library.work(job)
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"told": told}), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
