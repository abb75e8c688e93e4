#!/usr/bin/env python3
"""neighbours.py ZWANG [MOST [ROUNDS]]: how much longer one link more takes, for every pendulum of 2 to MOST (300) links.

In relative angles (chain_relative.zw) and in maximal coordinates (chain_maximal.zw), and for each of
  set-up   from the text to the first step (a run of 1e-6 s),
  whole    from the text to the end of one second at 1e-9; the steps it takes change from one N to the next with the motion,
  step     one step of the motion alone: a longer run less its set-up, over its steps. A step of N + 1 links takes (N + 1)/N
           times as long where nothing jumps, which between 2 and 3 is more than the limit: compared is the time for each link.
Times are processor times of one process each, as the kernel counts them. All N are measured in turns, ROUNDS (7) times,
so that what else the machine does meets all alike; of each N the lower quartile counts. Where it may, a process runs with
real-time priority.
"""
import os, re, subprocess, sys

from common import processor, quantile, say

HERE = os.path.dirname(os.path.abspath(__file__))
ZWANG = os.path.abspath(sys.argv[1])
MOST = int(sys.argv[2]) if len(sys.argv) > 2 else 300
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
LIMIT = 1.3
MODELS = {"relative angles": "chain_relative.zw", "maximal coordinates": "chain_maximal.zw"}


def line(model, n, until, *more):
    return [ZWANG, "run", os.path.join(HERE, model), "--set", f"N={n}", "--until", str(until), "--tol", "1e-9", "--points", "2",
            "--out", os.devnull, *more]


def urgent():
    """may a process of ours run before all others?"""
    try:
        pid = os.posix_spawn(ZWANG, [ZWANG, "--version"], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
                             scheduler=(os.SCHED_FIFO, os.sched_param(10)))
    except OSError:
        return {}
    os.waitpid(pid, 0)
    return {"scheduler": (os.SCHED_FIFO, os.sched_param(10))}


HOW = urgent()


def seconds(words):
    pid = os.posix_spawn(words[0], words, os.environ, **HOW)
    _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f"{' '.join(words)}: status {status}")
    return used.ru_utime + used.ru_stime


def long_span(n):
    """seconds of motion that take about as long as the set-up, or longer"""
    return max(4.0, min(20.0, 160.0 / n))


def steps_of(words):
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(re.search(r"steps +(\d+)", done.stderr)[1])


def measure(model):
    """for each N its set-up, its whole second and its step, in seconds"""
    sizes = range(2, MOST + 1)
    spans = {n: {"set-up": 1e-6, "whole": 1, "long": long_span(n)} for n in sizes}
    times = {(n, what): [] for n in sizes for what in spans[n]}
    for _ in range(ROUNDS):
        for n, what in times:
            times[n, what].append(seconds(line(model, n, spans[n][what], "--quiet")))
    least = {key: quantile(values, 0.25) for key, values in times.items()}
    steps = {n: steps_of(line(model, n, spans[n]["long"])) for n in sizes}
    return {"set-up": {n: least[n, "set-up"] for n in sizes}, "whole": {n: least[n, "whole"] for n in sizes},
            "step, for each link": {n: (least[n, "long"] - least[n, "set-up"]) / steps[n] / n for n in sizes}}


def tell(name, what, of):
    ratios = {n: of[n + 1] / of[n] for n in range(2, MOST)}
    most, fewest = max(ratios, key=ratios.get), min(ratios, key=ratios.get)
    above = [f"{n} -> {n + 1} {r:.2f}" for n, r in ratios.items() if r > LIMIT or r < 1 / LIMIT]
    unit, scale = ("ns", 1e9) if what.startswith("step") else ("ms", 1e3)
    some = [n for n in (2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256, 300) if n <= MOST]
    say(f"  {name}, {what}: at most {ratios[most]:.2f} times ({most} -> {most + 1}), at least {ratios[fewest]:.2f} ({fewest} -> "
        f"{fewest + 1}); beyond {LIMIT} either way: {', '.join(above) or 'none'}")
    say("    " + ", ".join(f"{n}: {scale * of[n]:.2f}" for n in some) + " " + unit)


say(f"\nOne link more, all N from 2 to {MOST}: {processor()}, lower quartile of {ROUNDS} processor times each"
    f"{', real-time priority' if HOW else ''}")
for name, model in MODELS.items():
    for what, of in measure(model).items():
        tell(name, what, of)
