"""Make a finding small: charts, statements, bodies and time are left out while it stays.

A candidate is a system with fewer charts or lines; it is taken where its verdict is what it was. Lines that several
charts share go together. Of what is repeated (names with an index, or that end in a digit) all lines of the last index
go at once.
"""
import copy, re

SPAN = re.compile(r"^run 0 \.\. (\S+)$", re.M)


def smaller_charts(system):
    """two charts are enough for most findings, one for some"""
    for name in list(system.charts):
        if len(system.charts) > 1:
            yield {other: text for other, text in system.charts.items() if other != name}


def without(text, dropped):
    return "\n".join(line for line in text.splitlines() if line not in dropped) + "\n"


def smaller_bodies(system):
    indices = {int(i) for text in system.charts.values() for i in re.findall(r"\[(\d+)\]", text)}
    if len(indices) < 2:
        return
    last = max(indices)
    named = re.compile(rf"\[{last}\]|^\S+ [A-Za-z]+{last}\b")
    yield {name: "\n".join(line for line in text.splitlines() if not named.search(line)) + "\n" for name, text in system.charts.items()}


def smaller_texts(system):
    """without a line, or a run of them, wherever it stands"""
    lines = []
    for text in system.charts.values():
        lines += [line for line in text.splitlines() if line not in lines and not line.startswith(("run ", "param nudge"))]
    for width in (8, 4, 2, 1):
        for at in range(0, len(lines), width):
            dropped = set(lines[at:at + width])
            yield {name: without(text, dropped) for name, text in system.charts.items()}


def shorter(system):
    for share in (0.3, 0.6, 0.9):
        span = round(system.span * share, 3)
        yield span, {name: SPAN.sub(f"run 0 .. {span}", text) for name, text in system.charts.items()}


def outputs_of(charts):
    """columns that all charts still have"""
    names = [set(re.findall(r"^output (\w+)", text, re.M)) for text in charts.values()]
    return set.intersection(*names) if names else set()


class Reducer:
    def __init__(self, judge):
        self.judge = judge

    def holds(self, system, outcome):
        return bool(system.outputs) and self.judge.judge(system).outcome == outcome

    def with_charts(self, system, charts, span=None):
        small = copy.copy(system)
        small.charts, small.span = charts, span or system.span
        kept = outputs_of(charts)
        small.outputs = [name for name in system.outputs if name.split(".")[0] in kept]
        return small

    def reduce(self, system):
        """the smallest that was found"""
        outcome = self.judge.judge(system).outcome
        better = True
        while better:
            better = False
            for small in self.candidates(system):
                if small.charts != system.charts and self.holds(small, outcome):
                    system, better = small, True
                    break
        return system, outcome

    def candidates(self, system):
        for charts in smaller_charts(system):
            yield self.with_charts(system, charts)
        for charts in smaller_bodies(system):
            yield self.with_charts(system, charts)
        for span, charts in shorter(system):
            yield self.with_charts(system, charts, span)
        for charts in smaller_texts(system):
            yield self.with_charts(system, charts)
