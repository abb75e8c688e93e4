#!/usr/bin/env python3
"""Critical values over ranges, numbers of points and starts drawn by chance: the same whatever is drawn.

Each model has its critical values in closed form or to many published digits. A range holds those
of them that lie in it; as many must be told, each to nine digits, none else; no motion of the range
may be without its eigenvalues, and none with a verdict against them.

usage: ranges.py ZWANG MODELS [SEED [DRAWS]]
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ZWANG, MODELS = sys.argv[1], sys.argv[2]
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1744
DRAWS = int(sys.argv[4]) if len(sys.argv) > 4 else 4


def bicycle(draw):
    """Whipple's, ridden upright from some lean rate and steering rate (Meijaard and others 2007)."""
    with open(os.path.join(MODELS, 'whipple_bicycle.zw'), encoding='utf-8') as f:
        text = f.read()
    text = text.replace('initial phi = 0.02', 'initial phi = 0')
    text = text.replace("initial phi' = 0", "initial phi' = %.6f" % draw.uniform(-0.5, 0.5))
    text = text.replace("initial delta' = 0", "initial delta' = %.6f" % draw.uniform(-0.2, 0.2))
    return text, 'v', [4.292382536341, 6.024262015388], (1, 10)


def hoop(draw):
    """A bead on a turning hoop: th = 0 to W = 1."""
    c = draw.uniform(0.05, 0.5)
    return ('param W = 0.5\ncoord th\nkinetic th\'^2/2\npotential -cos(th)\n'
            'force th = W*sin(th)*cos(th) - %.6f*th\'\ninitial th ~ %.6f\n' % (c, draw.uniform(-0.01, 0.01)),
            'W', [1], (0.1, 3))


def column(draw):
    """Two links with springs, pressed straight: P = (3 -+ sqrt 5)/2 (all lengths and springs one)."""
    return ('param P = 0.1\ncoord a, b\nkinetic (a\'^2 + b\'^2)/2\npotential (a^2 + (b-a)^2)/2 + P*(cos(a) + cos(b))\n'
            'force a = -%.6f*a\'\nforce b = -0.2*b\'\n' % draw.uniform(0.05, 0.5),
            'P', [(3 - math.sqrt(5)) / 2, (3 + math.sqrt(5)) / 2], (0.05, 4))


def oscillator(draw):
    """Self-excited: Hopf at m = c, whatever the cubic terms."""
    c = draw.uniform(0.3, 0.7)
    return ('param m = 0.1\ncoord x\nkinetic x\'^2/2\npotential x^2/2\nforce x = (m - %.9f - x^2)*x\'\n' % c,
            'm', [float('%.9f' % c)], (0, 1))


def draw_range(draw, critical, whole):
    """Around a critical value, as narrow as a millionth of it; or anything in the whole."""
    if draw.random() < 0.3:
        a, b = sorted(draw.uniform(*whole) for _ in range(2))
        return (a, b) if b - a > 0.05 else whole
    at = draw.choice(critical)
    width = 10 ** draw.uniform(-6, 0) * at
    a = max(whole[0], at - width * draw.uniform(0.1, 1))
    return a, min(whole[1], at + width * draw.uniform(0.1, 1))


def look(text, name, a, b, points):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'model.zw')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        done = subprocess.run([ZWANG, 'stability', path, '--over', '%s=%.12g..%.12g' % (name, a, b),
                               '--points', str(points), '--format', 'json'],
                              capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def faults(answer, critical, a, b, points):
    """What is wrong with the answer, in words; none: nothing."""
    if answer is None:
        return 'refused'
    scan = answer['over']
    told = [c['value'] for c in scan['critical']]
    wanted = [c for c in critical if a < c < b]
    if len(told) != len(wanted):
        return 'tells %s, wanted %s' % (told, wanted)
    for t, w in zip(sorted(told), wanted):
        if abs(t - w) > 1e-9 * (1 + abs(w)):
            return 'tells %.13g, wanted %.13g' % (t, w)
    if len(scan['eigenvalues']) != points or len(scan['verdicts']) != points:
        return 'motions are missing'
    for value, values, verdict in zip(scan['values'], scan['eigenvalues'], scan['verdicts']):
        if not values:
            return 'no eigenvalues at %.12g' % value
        size = max(math.hypot(*z) for z in values)
        if verdict == 'stable' and any(z[0] > 1e-9 * size for z in values):
            return 'stable beside an eigenvalue to the right at %.12g' % value
    return None


def main():
    draw = random.Random(SEED)
    makers = [bicycle, hoop, column, oscillator]
    print('1..%d' % (DRAWS * len(makers)))
    bad = number = 0
    for make in makers:
        for _ in range(DRAWS):
            number += 1
            text, name, critical, whole = make(draw)
            a, b = draw_range(draw, critical, whole)
            points = draw.randint(7, 101)
            wrong = faults(look(text, name, a, b, points), critical, a, b, points)
            bad += wrong is not None
            print('%sok %d - %s over %s = %.12g..%.12g, %d points%s' %
                  ('not ' if wrong else '', number, make.__name__, name, a, b, points, ': ' + wrong if wrong else ''))
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
