"""One system by all its ways, and what became of it.

A way is a chart, a method, machine code or not, and the door it was asked by. Outcomes of a system, the worst first:
  crash      a way ended by a signal
  hang       a way used more of the processor than it may
  nan        a way gave something that is no number, in silence
  differ     ways that came to their end differ by more than they may
  other bits the same computation by another door, or interpreted, gave other bits
  doubted    a way said itself that its numbers are not to be trusted, others did not
  refused by one, ended by one   some charts took it, and others did not; by each with its reason
  refused by all, ended by all   with the reason
  chart ends some charts came to a place where their coordinates fold, as angles do in gimbal lock, and said so
  sensitive  a small change of the start changes what happens: nothing to compare
  agree
A method that is asked for and does not take a system says so: this is counted, by its reason, beside the outcome.
"""
from compare import ALLOWED, Measure, NUDGE, TIGHT, Table
from draw import Draw

ORDER = ("crash", "hang", "nan", "differ", "other bits", "doubted", "refused by one", "ended by one", "refused by all", "ended by all",
         "chart ends", "sensitive", "agree")
METHODS = ("dop853", "taylor", "gauss16", "adams", "bdf", "ida")
FOLDED = "move the same there (gimbal lock)"
FRACTIONS = (0.137, 0.291, 0.463, 0.618, 0.829)
LANES = 4


class Verdict:
    def __init__(self, system):
        self.system, self.outcome, self.told = system, "agree", []
        self.said_no, self.offs, self.counts, self.ways = [], [], {}, 0

    def note(self, outcome, way, reason):
        self.told.append((outcome, way, reason))
        if ORDER.index(outcome) < ORDER.index(self.outcome):
            self.outcome = outcome


def bits(answer, outputs):
    """what must be the same to the last bit where the same computation is made"""
    table = Table(answer.data, outputs)
    return table.rows, table.events, table.counts


def by_series(answer):
    """taylor made some of its steps: series are added up in another order where they are interpreted"""
    made = answer.data["statistics"]
    return "taylor" in (made["method"], *made["method_why"].split())


class Judge:
    def __init__(self, runner, methods):
        """METHODS: how many of them are tried on a system beside the one that is chosen"""
        self.runner, self.methods = runner, methods

    def judge(self, system, charts=None):
        verdict = Verdict(system)
        names = list(charts or system.charts)
        at = [round(f * system.span, 6) for f in FRACTIONS] + [system.span]
        usual = {name: self.tried(verdict, name, system.charts[name], at) for name in names}
        done = [name for name in names if usual[name].kind == "done"]
        self.refusals(verdict, usual)
        if not done:
            return verdict
        first = done[0]
        measure = self.measure(verdict, first, at, usual[first])
        if measure.sensitive:
            verdict.note("sensitive", first, measure.sensitive)
        draw = Draw("ways", system.family, system.seed)
        self.by_methods(verdict, measure, draw, done, at, usual)
        self.by_doors(verdict, measure, draw, done, at, usual)
        for name in done:
            self.compare(verdict, measure, name, None, usual[name])
        return verdict

    def tried(self, verdict, way, text, at, **more):
        verdict.ways += 1
        answer = self.runner.run(text, at, **more)
        if answer.kind in ("crash", "hang"):
            verdict.note(answer.kind, way, answer.reason)
        elif answer.kind in ("done", "doubted"):
            table = Table(answer.data, verdict.system.outputs)
            if table.missing():
                verdict.note("nan", way, table.missing())
                answer.kind = "nan"
        return answer

    def refusals(self, verdict, usual):
        """charts that did not come to their end"""
        for kind in ("refused", "ended", "doubted"):
            which = [name for name, answer in usual.items() if answer.kind == kind]
            for name in which:
                if kind == "ended" and FOLDED in usual[name].reason:
                    verdict.note("chart ends", name, usual[name].reason)
                    continue
                outcome = "doubted" if kind == "doubted" else f"{kind} by {'all' if len(which) == len(usual) else 'one'}"
                verdict.note(outcome, name, usual[name].reason)

    def measure(self, verdict, name, at, usual):
        text, outputs = verdict.system.charts[name], verdict.system.outputs
        tight = self.tried(verdict, f"{name}, tight", text, at, tolerance=TIGHT)
        nudged = self.tried(verdict, f"{name}, nudged", text, at, sets=[f"nudge={NUDGE}"])
        reference = tight if tight.kind == "done" else usual
        measure = Measure(Table(reference.data, outputs), Table(nudged.data, outputs) if nudged.kind == "done" else None)
        if usual.several:
            measure.sensitive = "more than one motion satisfies its laws, as two contacts at one place have"
        if nudged.kind != "done":
            measure.sensitive = f"moved by {NUDGE}: {nudged.kind}, {nudged.reason}"
        return measure

    def compare(self, verdict, measure, way, method, answer):
        off, where = measure.off(Table(answer.data, verdict.system.outputs), method)
        verdict.offs.append((method, off / ALLOWED[method]))
        verdict.counts[way] = Table(answer.data, verdict.system.outputs).counts
        if off > ALLOWED[method] and not measure.sensitive:
            verdict.note("differ", way, f"{where}: {off:.3g} tolerances")

    def by_methods(self, verdict, measure, draw, done, at, usual):
        """each method on a chart that is drawn"""
        for method in draw.sample(METHODS, self.methods):
            name = draw.choice(done)
            if usual[name].data["statistics"]["method"] == method:
                continue
            way = f"{name}, {method}"
            answer = self.tried(verdict, way, verdict.system.charts[name], at, method=method)
            if answer.kind == "done":
                self.compare(verdict, measure, way, method, answer)
            elif answer.kind in ("refused", "ended", "doubted"):
                verdict.said_no.append((method, answer.kind, answer.reason))

    def by_doors(self, verdict, measure, draw, done, at, usual):
        """interpreted, by the program, and in a sweep: the same bits, but for the series of taylor and what lanes round"""
        system = verdict.system
        name = draw.choice(done)
        text, method = system.charts[name], draw.choice(("dop853", "gauss16", None))
        native = usual[name] if method is None else self.tried(verdict, f"{name}, {method}", text, at, method=method)
        interpreted = self.tried(verdict, f"{name}, {method}, interpreted", text, at, method=method, interpreted=True)
        if native.kind != interpreted.kind:
            verdict.note("other bits", f"{name}, {method}, interpreted", f"{interpreted.kind}, not {native.kind}: {interpreted.reason or native.reason}")
        elif native.kind == "done" and by_series(native):
            self.compare(verdict, measure, f"{name}, {method}, interpreted", method, interpreted)
        elif native.kind == "done":
            self.same(verdict, f"{name}, {method}, interpreted", native, interpreted)
        name = draw.choice(done)
        verdict.ways += 1
        program = self.runner.by_program(system.charts[name], at)
        if program.kind != usual[name].kind:
            verdict.note("other bits", f"{name}, program", f"{program.kind}, not {usual[name].kind}: {program.reason}")
        else:
            self.same(verdict, f"{name}, program", usual[name], program)
        self.by_sweep(verdict, measure, draw.choice(done), usual)

    def same(self, verdict, way, one, other):
        outputs = verdict.system.outputs
        if bits(one, outputs) != bits(other, outputs):
            verdict.note("other bits", way, "rows, events or counts are not the same")

    def by_sweep(self, verdict, measure, name, usual):
        """the run among others, in lanes where they are used"""
        verdict.ways += 1
        rows = self.runner.sweep(verdict.system.charts[name], "nudge=" + ",".join(str(k * NUDGE) for k in range(LANES)))
        way, t = f"{name}, sweep", verdict.system.span
        if not isinstance(rows, list):
            verdict.note(rows.kind if rows.kind in ("crash", "hang") else "other bits", way, rows.reason)
        elif rows[0]["reason"]:
            if usual[name].data["status"] == "done":
                verdict.note("other bits", way, f"ended: {rows[0]['reason']}")
        elif t in measure.reference.rows:
            got = {column: float(rows[0][column] or "nan") for column in verdict.system.outputs}
            off, where = measure.off_at(t, got)
            verdict.offs.append(("sweep", off / ALLOWED[None]))
            if not off <= ALLOWED[None] and not measure.sensitive:
                verdict.note("differ", way, f"{where}: {off:.3g} tolerances")
