"""What two runs of one system have to have in common, and by how much they may differ.

A run errs by about its tolerance in each step, and the motion makes of this what it makes of a small change of the
start. So the start is moved by NUDGE once: how far results move by that, over NUDGE and their size, is the growth,
and results may differ by some times tolerance x size x growth. Growth is 1 at least, and as large as it was before.
"""
import math

NUDGE = 1e-6
TOLERANCE = 1e-10                # of runs without options
TIGHT = 1e-13
# in tolerances. Methods hold the error of a step, and take up to some hundred steps a second of motion.
ALLOWED = {None: 300.0, "dop853": 300.0, "taylor": 300.0, "gauss16": 300.0, "adams": 3000.0, "bdf": 30000.0, "ida": 30000.0}
SMALLEST = 0.1                   # a quantity that is nearly zero is measured by the size of the systems, about 1
TOO_SENSITIVE = 1e4              # growth beyond which a comparison says nothing
GRAZE = 1e-3                     # of impulses: that of a place passed by 1e-6, where a speed turns. Whether it is passed is a matter of tolerance
IDLE = 1e-9                      # of reactions: what presses no more than that holds nothing, and whether it is held is told by rounding
LAST_BOUNCES = 1e-4              # s: how many impacts there are in so short a time before rest is a matter of rounding
# of the time since the first impact: the same. No power of a restitution with two decimals is near: the impact would be on either side
LAST_PART = 0.0113
REST = 0.02                      # of the time from the last impact to the rest: how well its instant is known
# Where contacts take turns in that time, as a mass does between a wall and another that is pressed to it, their bounces are as low as gaps
# are known (1e-11): which of them is found closed first changes what follows, while the motion stays where it is to 1e-9. (Such a clatter
# with 120 digits, contact/817427: 20 impacts in the last 8e-6 s, and neither of two runs that differ by 6e-5 s in its end is its own.)
# slip turns with each of them; what stands in a corner does both; a limit of speed holds between them
WITH_BOUNCES = ("impact of ", "slipping of ", "sticking of ", "engagement of ", "loosening of ")
TOUCH = 1e-5                     # s: a limit touched from inside is passed to the tolerance for the root of that
# Where a chart is about to fold, as Euler angles near the pole, its speeds are S times those of the body, its masses in that direction 1/S^2 of the
# others, and its accelerations S^2 times theirs: rounding of the masses leaves S^3 roundings of an acceleration of the body, at a state that is exact.
FOLDING = 4 * 2.0 ** -53
SPEEDS, ACCELERATIONS = ("speed", "side", "turning"), ("push",)
APART = 1e-6                     # s: a row nearer to a jump than this may lie on either side


def finite(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def is_faint(event, idle):
    """may it be missing elsewhere: an impact that does nothing, or the name of what holds nothing?"""
    kind, _, name = event["name"].partition(" of ")
    if kind in ("engagement", "loosening"):
        return name in idle
    return kind == "impact" and abs(event.get("impulses", {}).get(name, 1.0)) < GRAZE


def lasting(events):
    """without what engages and loosens at once: whether a limit is touched from inside is a matter of rounding"""
    left = list(events)
    for e in events:
        kind, _, name = e["name"].partition(" of ")
        again = [f for f in left if f["name"] == f"loosening of {name}" and 0 <= f["t"] - e["t"] < TOUCH]
        if kind == "engagement" and again:
            left.remove(e)
            left.remove(again[0])
    return left


class Table:
    """rows at instants and events of a run"""

    def __init__(self, data, outputs):
        self.rows, self.outputs = {}, outputs
        columns = data["columns"]
        for i, t in enumerate(columns["t"]):
            if not columns.get("event") or not columns["event"][i]:
                self.rows[t] = {name: columns[name][i] for name in outputs}
        speeds = [values for name, values in columns.items() if name.endswith("'")]
        self.fastest = {t: max((abs(v[i]) for v in speeds if finite(v[i])), default=0.0) for i, t in enumerate(columns["t"])}
        self.events, self.faint = {}, set()
        idle = {name.partition(".")[2] for name, values in columns.items()
                if name.startswith("reaction.") and all(not finite(v) or abs(v) < IDLE for v in values)}
        self.reached = data["statistics"]["t_reached"]
        self.jumps = [e["t"] for e in data["events"]]
        self.rests = {}
        last = [self.last_part(data["events"], e) for e in data["events"] if e["name"].startswith("rest of ")]
        for e in lasting(data["events"]):
            if e["name"].startswith(WITH_BOUNCES) and any(start < e["t"] <= end for start, end in last):
                continue
            self.events.setdefault(e["name"], []).append(e["t"])
            if is_faint(e, idle):
                self.faint.add((e["name"], e["t"]))
        self.counts = (data["statistics"]["steps"], data["statistics"]["rejected"], data["statistics"]["evaluations"])

    def last_part(self, events, rest):
        """from when to when around a rest what goes with bounces is not counted: slip that the last of them left ends as late as
        that took; what is known of the instant of the rest is kept"""
        name, t = rest["name"].partition(" of ")[2], rest["t"]
        before = [0.0] + [e["t"] for e in events if e["name"] == f"rest of {name}" and e["t"] < t]
        hits = [e["t"] for e in events if e["name"] == f"impact of {name}" and before[-1] <= e["t"] < t]
        if not hits:
            # it had none of its own: that it comes to rest with others may be told as that it engages
            self.faint.add((rest["name"], t))
            return t - LAST_BOUNCES, t
        clatters = hits[-1] > t - LAST_BOUNCES and any(e["name"].startswith("impact of ") and e["name"] != f"impact of {name}"
                                                       and abs(e["t"] - t) < LAST_BOUNCES for e in events)
        self.rests.setdefault(rest["name"], []).append(LAST_BOUNCES if clatters else REST * (t - hits[-1]))
        if clatters:
            self.faint.add((rest["name"], t))
        return t - max(LAST_BOUNCES, LAST_PART * (t - hits[0])), t + (t - hits[-1])

    def times(self, name, count):
        """when it happened; where that is not COUNT times, without what is faint"""
        all_of = self.events.get(name, [])
        return all_of if len(all_of) == count else [t for t in all_of if (name, t) not in self.faint]

    def missing(self):
        """a number that is none, if there is one"""
        for t, row in self.rows.items():
            for name, value in row.items():
                if not finite(value):
                    return f"{name} at {t} is {value}"
        return None


def kind(name):
    return name.split(".")[0].rstrip("0123456789")


class Measure:
    """the reference, and how much others may differ from it"""

    def __init__(self, reference, nudged):
        self.reference = reference
        self.size = {}
        for row in reference.rows.values():
            for name, value in row.items():
                self.size[kind(name)] = max(self.size.get(kind(name), SMALLEST), abs(value))
        self.growth, self.drift = {}, {}
        self.sensitive = None
        if nudged:
            self.learn(nudged)

    def learn(self, nudged):
        grown = 1.0
        for t, row in sorted(self.reference.rows.items()):
            other = nudged.rows.get(t)
            if other:
                for name, value in row.items():
                    if finite(other[name]):
                        grown = max(grown, abs(other[name] - value) / (NUDGE * self.size[kind(name)]))
            self.growth[t] = grown
        for name, times in self.reference.events.items():
            others = nudged.events.get(name, [])
            if len(others) != len(times):
                self.sensitive = f"moved by {NUDGE}, `{name}` happens {len(others)} times and not {len(times)}"
            self.drift[name] = [max(1.0, abs(a - b) / NUDGE) for a, b in zip(times, others)]
        if set(nudged.events) - set(self.reference.events):
            self.sensitive = f"moved by {NUDGE}, {sorted(set(nudged.events) - set(self.reference.events))} happens as well"
        if grown > TOO_SENSITIVE:
            self.sensitive = f"errors grow by {grown:.1e}"

    def off(self, table, method=None):
        """the largest difference in tolerances, and where it is; what only one of them has is infinite. The last bounces are as well known
        as places are, and so is the rest to which they lead"""
        worst, where = 0.0, ""
        blur = ALLOWED[method] / ALLOWED[None]
        for name in sorted(set(self.reference.events) | set(table.events)):
            got = table.times(name, len(self.reference.events.get(name, [])))
            want = self.reference.times(name, len(got))
            if len(want) != len(got):
                return math.inf, f"`{name}` at {told(got)}, not {told(want)}"
            known = [blur * max(pair) for pair in zip(self.reference.rests.get(name, []), table.rests.get(name, []))]
            known += [0.0] * (len(want) - len(known))
            for a, b, drift, unknown in zip(want, got, self.drift.get(name, [1.0] * len(want)), known):
                off = max(0.0, abs(a - b) - unknown) / (TOLERANCE * drift)
                if off > worst:
                    worst, where = off, f"`{name}` at {b!r}, not {a!r}"
        for t in self.reference.rows:
            if t in table.rows:
                off, place = self.off_at(t, table.rows[t], table.fastest.get(t, 0.0))
                if off > worst:
                    worst, where = off, place
            elif t < min(self.reference.reached, table.reached) - APART:
                return math.inf, f"no row at {t}"
        return worst, where

    def folding(self, fastest):
        """what rounding leaves of accelerations where the fastest coordinate is as fast as that"""
        speed = max([SMALLEST] + [self.size.get(name, 0.0) for name in SPEEDS])
        return FOLDING * speed ** 2 * (fastest / speed) ** 3

    def off_at(self, t, row, fastest=0.0):
        """the same of one row"""
        worst, where = 0.0, ""
        if any(abs(t - s) < APART for s in self.reference.jumps):
            return worst, where
        for name, want in self.reference.rows[t].items():
            rounding = self.folding(fastest) if kind(name) in ACCELERATIONS else 0.0
            growth = self.size[kind(name)] * self.growth.get(t, 1.0)
            off = (abs(row[name] - want) - rounding) / (TOLERANCE * growth)
            if not off <= worst:
                worst, where = off, f"{name} at {t}: {row[name]!r}, not {want!r}"
        return worst, where


def told(times):
    return ", ".join(f"{t:.9g}" for t in times[:6]) + (" …" if len(times) > 6 else "") if times else "no time"
