#!/usr/bin/env python3
"""Random systems, each written in several coordinates and run by several methods and doors, must move alike. Prints TAP.

differ.py PROGRAM LIBRARY [--first N] [--count N] [--minutes M] [--jobs J] [--methods N] [--report FILE]
differ.py PROGRAM LIBRARY --show FAMILY/SEED [--reduce]

families.py draws the systems, judge.py runs and compares them. Without options a fixed selection is tried, as one test
for each family, and one for all that were found once (found.py). --minutes goes on with further seeds until the time is over, from the time of day on where no first one
is given; --report writes the counts of all outcomes, how far from each other ways were, what methods did not take and
why, and every finding. --show writes the models of one system, with --reduce as small as they come, and says what came
of each way.
known.txt lists findings that are not mended yet, by system: they may not become more.
"""
import argparse, collections, concurrent.futures, math, os, shutil, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import calls, families, found, judge, known, reduce, runner

COUNT = 240                      # systems of a plain test
METHODS = 2                      # tried on each of them beside the one that is chosen
SECONDS = 10                     # of the processor for one run
KNOWN = os.path.join(HERE, "known.txt")
RIGHT = ("agree", "sensitive", "refused by all", "ended by all", "chart ends")
NOTHING = ("sensitive", "refused by all")
MOST_IDLE = 0.1                  # of a family: of which nothing was compared
WRITTEN = 50                     # systems after which the report is written again
BLOCK = 10                       # systems that one process takes at a time


def some(place, seeds, methods):
    """verdicts of SEEDS, by a process of its own"""
    program, library, folder, seconds = place
    run = runner.Runner(program, library, folder, seconds)
    judged = judge.Judge(run, methods)
    verdicts = []
    try:
        for seed in seeds:
            verdict = judged.judge(families.any_system(seed))
            verdict.system.charts = {}
            verdicts.append(verdict)
    finally:
        run.close()
    return verdicts


def blocks(options):
    """seeds, until there are enough or the time is over"""
    until = time.monotonic() + 60 * options.minutes if options.minutes else math.inf
    seed = options.first
    while time.monotonic() < until and (options.minutes or seed < options.first + options.count):
        last = seed + BLOCK if options.minutes else min(seed + BLOCK, options.first + options.count)
        yield range(seed, last)
        seed = last


def all_verdicts(options, folder):
    program = calls.held(options.program, folder)
    library = os.path.join(folder, "held.so")
    shutil.copy2(os.path.realpath(options.shared), library)
    place = (program, library, folder, SECONDS)
    if options.jobs == 1:
        for seeds in blocks(options):
            yield from some(place, seeds, options.methods)
        return
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = collections.deque()
        for seeds in blocks(options):
            waiting.append(pool.submit(some, place, seeds, options.methods))
            if len(waiting) > options.jobs:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


class Account:
    """what all verdicts come to"""

    def __init__(self):
        self.outcomes, self.families = collections.Counter(), collections.Counter()
        self.said_no, self.offs, self.findings, self.ways = collections.Counter(), collections.defaultdict(list), [], 0

    def add(self, verdict):
        self.outcomes[verdict.outcome] += 1
        self.families[verdict.system.family] += 1
        self.ways += verdict.ways
        for method, kind, reason in verdict.said_no:
            self.said_no[method, kind, plain(reason)] += 1
        for method, off in verdict.offs:
            self.offs[method].append(off)
        if verdict.outcome not in RIGHT:
            self.findings.append(verdict)

    def write(self, path):
        with open(path, "w", encoding="utf8") as file:
            self.report(file)

    def report(self, file):
        print(f"{sum(self.outcomes.values())} systems, {self.ways} runs", file=file)
        for outcome in judge.ORDER:
            print(f"  {outcome:16} {self.outcomes[outcome]}", file=file)
        print("families: " + ", ".join(f"{name} {count}" for name, count in sorted(self.families.items())), file=file)
        print("how far off, of what is allowed: median, 99 of 100, largest", file=file)
        for method, offs in sorted(self.offs.items(), key=lambda item: str(item[0])):
            offs.sort()
            print(f"  {method or 'usual':8} {len(offs):6} {offs[len(offs) // 2]:.2g} {offs[len(offs) * 99 // 100]:.2g} {offs[-1]:.2g}", file=file)
        print("what methods did not take", file=file)
        for (method, kind, reason), count in self.said_no.most_common(60):
            print(f"  {count:6} {method}, {kind}: {reason}", file=file)
        for verdict in self.findings:
            print(f"{verdict.system.name()}: {verdict.outcome}", file=file)
            for outcome, way, reason in verdict.told:
                print(f"    {outcome}: {way}: {reason}", file=file)


def plain(reason):
    """without numbers and names of this model"""
    return "".join("0" if c.isdigit() else c for c in reason.splitlines()[0] if c not in "-+.")[:110]


def all_found(options, folder):
    """verdicts of what was found once"""
    run = runner.Runner(options.program, options.shared, folder, SECONDS)
    judged = judge.Judge(run, options.methods)
    try:
        return [judged.judge(system) for system in found.systems(run)]
    finally:
        run.close()


def again(number, verdicts):
    """one test for all that were found once"""
    wrong = [verdict for verdict in verdicts if verdict.outcome not in RIGHT]
    for verdict in wrong:
        for outcome, way, reason in verdict.told:
            print(f"#   {verdict.system.name()}: {outcome}: {way}: {reason}")
    print(f"{'not ok' if wrong or not verdicts else 'ok'} {number} - {len(verdicts)} systems that were found once move alike")
    return bool(wrong) or not verdicts


def tap(verdicts, kept):
    """one test for each family, and one for KEPT; the exit status"""
    listed, by_family = known.read(KNOWN), collections.defaultdict(list)
    for verdict in verdicts:
        by_family[verdict.system.family].append(verdict)
    print(f"1..{len(by_family) + 1}")
    bad = 0
    for i, (family, some_of) in enumerate(sorted(by_family.items()), 1):
        wrong = [v for v in some_of if (v.outcome not in RIGHT) != (v.system.name() in listed)]
        for verdict in wrong:
            if verdict.outcome in RIGHT:
                print(f"#   {verdict.system.name()} is known to fail, and passes: take it out of known.txt")
            for outcome, way, reason in verdict.told:
                print(f"#   {verdict.system.name()}: {outcome}: {way}: {reason}")
        idle = sum(v.outcome in NOTHING for v in some_of)
        if idle > MOST_IDLE * len(some_of) + 1:
            print(f"#   {idle} of {len(some_of)} systems are compared in nothing: {some_of[-1].told[:1]}")
            wrong = wrong or some_of
        bad += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {i} - {len(some_of)} systems of the family {family} move alike in all coordinates, by all methods and doors")
    bad += again(len(by_family) + 1, kept)
    return 1 if bad else 0


def show(options, folder):
    family, _, seed = options.show.partition("/")
    system = families.make(family, int(seed))
    run = runner.Runner(options.program, options.shared, folder, SECONDS)
    judged = judge.Judge(run, len(judge.METHODS))
    if options.reduce:
        system, _ = reduce.Reducer(judged).reduce(system)
    verdict = judged.judge(system)
    for chart, text in system.charts.items():
        with open(f"{family}-{seed}-{chart}.zw", "w", encoding="utf8") as file:
            file.write(text)
    for way, counts in verdict.counts.items():
        print(f"{way}: steps, rejected, evaluations {counts}")
    for line in verdict.said_no:
        print(*line, sep=": ")
    print(verdict.outcome)
    for line in verdict.told:
        print(*line, sep=": ")
    run.close()
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("shared", metavar="library", type=os.path.abspath)
    parser.add_argument("--first", type=int)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--methods", type=int, default=METHODS, help="of all, tried on each system")
    parser.add_argument("--report")
    parser.add_argument("--show")
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    if options.first is None:
        options.first = int(time.time()) if options.minutes else 0
    with tempfile.TemporaryDirectory() as folder:
        if options.show:
            return show(options, folder)
        if not options.report:
            return tap(list(all_verdicts(options, folder)), all_found(options, folder))
        account = Account()
        for count, verdict in enumerate(all_verdicts(options, folder)):
            account.add(verdict)
            if count % WRITTEN == 0:
                account.write(options.report)
        account.write(options.report)
        account.report(sys.stdout)
        return 1 if account.findings else 0


if __name__ == "__main__":
    sys.exit(main())
