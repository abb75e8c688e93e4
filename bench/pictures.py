#!/usr/bin/env python3
"""pictures.py POINTS: work against precision, one SVG for each problem beside the file of points, whose lines are
`problem;solver;tolerance;error;seconds`. Each solver has a line along its quickest runs and a dot for every run."""
import math, os, re, sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 960, 560, 80, 64, 270, 64
# distinguishable for colour-blind readers, after Okabe and Ito (2008)
COLOURS = ["#d55e00", "#e69f00", "#000000", "#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#7a5195", "#8c8c8c", "#b8a000"]
SHAPES = ["M-5,0A5,5 0 1 0 5,0A5,5 0 1 0 -5,0Z", "M-4.5,-4.5H4.5V4.5H-4.5Z", "M0,-6L5.5,4H-5.5Z", "M0,6L5.5,-4H-5.5Z",
          "M0,-6L5,0L0,6L-5,0Z", "M-5,-1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z"]


def read(path):
    """problem -> solver -> [(error, seconds)]"""
    problems = {}
    with open(path, encoding="utf8") as f:
        for line in f:
            problem, solver, _, error, seconds = line.rstrip("\n").split(";")
            runs = problems.setdefault(problem, {}).setdefault(solver, [])
            runs.append((max(float(error), 1e-17), float(seconds)))
    return problems


def frontier(runs):
    """runs that no other beats in both error and time, from the coarsest on"""
    best, kept = math.inf, []
    for error, seconds in sorted(runs):
        if seconds < best:
            best = seconds
            kept.append((error, seconds))
    return kept[::-1]


class Axis:
    """decades from first to last, from pixel a to pixel b"""

    def __init__(self, first, last, a, b):
        self.first, self.last, self.a, self.b = first, last, a, b

    def at(self, x):
        return self.a + (math.log10(x) - self.first) / (self.last - self.first) * (self.b - self.a)

    def decades(self):
        step = 1 if self.last >= self.first else -1
        return range(self.first, self.last + step, step)


def name_of_time(power):
    unit, scale = next((u, s) for u, s in (("s", 0), ("ms", -3), ("µs", -6), ("ns", -9)) if power >= s)
    return f"{10 ** (power - scale)} {unit}"


def text(x, y, words, anchor="start", more=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{words}</text>'


def frame(x, y, problem):
    out = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           text(LEFT, 34, problem, more='font-size="20" font-weight="600"')]
    for power in x.decades():
        at = x.at(10.0 ** power)
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y.a}" y2="{y.b}" class="grid"/>')
        out.append(f'<text x="{at:.1f}" y="{y.a + 22}" text-anchor="middle">10<tspan dy="-6" font-size="10">'
                   f'{str(power).replace("-", "−")}</tspan></text>')
    for power in y.decades():
        at = y.at(10.0 ** power)
        out.append(f'<line x1="{x.a}" x2="{x.b}" y1="{at:.1f}" y2="{at:.1f}" class="grid"/>')
        out.append(text(x.a - 8, at + 4, name_of_time(power), "end"))
    for mark in (1e-10, 1e-13):
        out.append(f'<line x1="{x.at(mark):.1f}" x2="{x.at(mark):.1f}" y1="{y.a}" y2="{y.b}" class="mark"/>')
    out.append(text((x.a + x.b) / 2, HEIGHT - 16, "true error at the end (more digits to the right)", "middle"))
    out.append(text(22, (y.a + y.b) / 2, "time of integration", "middle",
                    f'transform="rotate(-90 22 {(y.a + y.b) / 2:.1f})"'))
    return out


def curve(x, y, number, solver, runs):
    colour, shape = COLOURS[number % len(COLOURS)], SHAPES[number % len(SHAPES)]
    ours = solver.startswith("zwang")
    out = [f'<circle cx="{x.at(e):.1f}" cy="{y.at(s):.1f}" r="1.6" fill="{colour}" opacity="0.35"/>' for e, s in runs]
    line = frontier(runs)
    way = " ".join(f"{x.at(e):.1f},{y.at(s):.1f}" for e, s in line)
    out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{3 if ours else 1.8}"/>')
    for e, s in line[::3] + line[-1:]:
        out.append(f'<path d="{shape}" transform="translate({x.at(e):.1f} {y.at(s):.1f})" fill="{colour}"/>')
    at = TOP + 14 + 26 * number
    left = WIDTH - RIGHT + 22
    out.append(f'<line x1="{left}" x2="{left + 30}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="{3 if ours else 1.8}"/>')
    out.append(f'<path d="{shape}" transform="translate({left + 15} {at})" fill="{colour}"/>')
    out.append(text(left + 40, at + 5, solver.replace("hand-written C", "C by hand"), more='font-weight="600"' if ours else ""))
    return out


def draw(problem, solvers):
    errors = [min(max(e, 1e-16), 1e-2) for runs in solvers.values() for e, _ in runs]
    times = [s for runs in solvers.values() for _, s in runs]
    x = Axis(math.ceil(math.log10(max(errors))), math.floor(math.log10(min(errors))), LEFT, WIDTH - RIGHT)
    y = Axis(math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))), HEIGHT - BOTTOM, TOP)
    clip = [(name, [(min(max(e, 1e-16), 1e-2), s) for e, s in runs]) for name, runs in solvers.items()]
    out = frame(x, y, problem)
    # ours last, so that it lies above
    for number, (name, runs) in sorted(enumerate(clip), key=lambda item: -item[0]):
        out += curve(x, y, number, name, runs)
    style = ('text{font-family:"DejaVu Sans",Helvetica,Arial,sans-serif;font-size:13px;fill:#222}'
             ".grid{stroke:#e4e4e4;stroke-width:1}.mark{stroke:#999;stroke-width:1.2;stroke-dasharray:5 4}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
            f"<style>{style}</style>\n" + "\n".join(out) + "\n</svg>\n")


def main(path):
    for problem, solvers in read(path).items():
        name = re.sub(r"[^a-z0-9]+", "_", problem.split(",")[0].lower())
        target = os.path.join(os.path.dirname(path), f"precision_{name}.svg")
        with open(target, "w", encoding="utf8") as f:
            f.write(draw(problem, solvers))
        print(f"  drawn: {os.path.basename(target)}")


main(sys.argv[1])
