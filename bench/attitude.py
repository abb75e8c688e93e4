#!/usr/bin/env python3
"""attitude.py ZWANG SYMMETRIC ASYMMETRIC SECONDS: the attitude of free rigid bodies over a long time against closed forms,
in doubles and with twice the digits. The symmetric body holds its closed form as outputs. Of the asymmetric one the
angular velocity is that of Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, 37) and the precession about the
angular momentum an integral over whole periods and a rest, both with 50 digits by mpmath."""
import csv, io, os, platform, re, resource, subprocess, sys

from common import say

TOLERANCES = ("1e-15", "1e-20")


def run(program, model, tolerance, times):
    """rows as dicts of texts, what the summary says of the method, processor seconds of the motion: a run that prints
    no summary integrates once, one that does a second time, to say how many digits are good"""
    words = [program, "run", model, "--tol", tolerance, "--at", ",".join(times), "--method", "taylor", "--out", "-"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*words, "--quiet"], check=True, capture_output=True)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    method = re.search(r"method +(.*?), tolerance", done.stderr).group(1)
    steps = re.search(r"steps +(\d+)", done.stderr).group(1)
    return list(csv.DictReader(io.StringIO(done.stdout))), f"{method}, {steps} steps, {took:.3g} s", took


def quaternion(R, mp):
    """of a rotation matrix; no trace below -0.9 comes out inexact, since the largest part is taken"""
    w2 = 1 + R[0, 0] + R[1, 1] + R[2, 2]
    x2 = 1 + R[0, 0] - R[1, 1] - R[2, 2]
    y2 = 1 - R[0, 0] + R[1, 1] - R[2, 2]
    z2 = 1 - R[0, 0] - R[1, 1] + R[2, 2]
    most = max(w2, x2, y2, z2)
    s = mp.sqrt(most) / 2
    if most == w2:
        return [s, (R[2, 1] - R[1, 2]) / (4 * s), (R[0, 2] - R[2, 0]) / (4 * s), (R[1, 0] - R[0, 1]) / (4 * s)]
    if most == x2:
        return [(R[2, 1] - R[1, 2]) / (4 * s), s, (R[0, 1] + R[1, 0]) / (4 * s), (R[0, 2] + R[2, 0]) / (4 * s)]
    if most == y2:
        return [(R[0, 2] - R[2, 0]) / (4 * s), (R[0, 1] + R[1, 0]) / (4 * s), s, (R[1, 2] + R[2, 1]) / (4 * s)]
    return [(R[1, 0] - R[0, 1]) / (4 * s), (R[0, 2] + R[2, 0]) / (4 * s), (R[1, 2] + R[2, 1]) / (4 * s), s]


class Asymmetric:
    """A < B < C, omega(0) = (p0, 0, r0), attitude(0) = 1"""

    def __init__(self, mp, A, B, C, p0, r0):
        self.mp, self.inertia = mp, (A, B, C)
        E2, L2 = A * p0**2 + C * r0**2, (A * p0)**2 + (C * r0)**2
        self.L = mp.sqrt(L2)
        # both cases of the polhode: about the axis of C where L2 > 2 E B, else about that of A
        self.about_C = L2 > E2 * B
        if self.about_C:
            self.rate = mp.sqrt((C - B) * (L2 - E2 * A) / (A * B * C))
            self.m = (B - A) * (E2 * C - L2) / ((C - B) * (L2 - E2 * A))
        else:
            self.rate = mp.sqrt((B - A) * (E2 * C - L2) / (A * B * C))
            self.m = (C - B) * (L2 - E2 * A) / ((B - A) * (E2 * C - L2))
        self.p0, self.r0 = p0, r0
        # q = -+ most sn, the sign from Euler's equation B q' = (C - A) r p at the start
        self.q = mp.sqrt((E2 * C - L2) / (B * (C - B))) if self.about_C else mp.sqrt((L2 - E2 * A) / (B * (B - A)))
        self.sign = 1 if (C - A) * r0 * p0 > 0 else -1
        self.period = 4 * mp.ellipk(self.m) / self.rate
        self.turn = self.integral(0, self.period)
        self.frame = self.angles(mp.mpf(0), mp.mpf(0)).T

    def omega(self, t):
        mp, u = self.mp, self.rate * t
        sn, cn, dn = (mp.ellipfun(k, u, m=self.m) for k in ("sn", "cn", "dn"))
        p, r = (cn, dn) if self.about_C else (dn, cn)
        return self.p0 * p, self.sign * self.q * sn, self.r0 * r

    def precession(self, t):
        A, B, _ = self.inertia
        p, q, _ = self.omega(t)
        return self.L * (A * p**2 + B * q**2) / ((A * p)**2 + (B * q)**2)

    def integral(self, a, b):
        mp, n = self.mp, 40
        edges = [a + (b - a) * mp.mpf(i) / n for i in range(n + 1)]
        return mp.quad(self.precession, edges)

    def angles(self, t, psi):
        """turn about z by psi, about x by theta, about z by phi; body parts of L are L (sin theta sin phi, ...)"""
        mp, (A, B, C) = self.mp, self.inertia
        p, q, r = self.omega(t)
        side = mp.sqrt((A * p)**2 + (B * q)**2)
        sp, cp, st, ct = A * p / side, B * q / side, side / self.L, C * r / self.L
        z = lambda s, c: mp.matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        x = mp.matrix([[1, 0, 0], [0, ct, -st], [0, st, ct]])
        return z(mp.sin(psi), mp.cos(psi)) * x * z(sp, cp)

    def attitude(self, t):
        mp = self.mp
        turns = mp.floor(t / self.period)
        rest = t - turns * self.period
        psi = turns * self.turn + self.integral(mp.mpf(0), rest)
        # the frame of the angular momentum, such that the attitude at the start is one
        return quaternion(self.frame * self.angles(rest, psi), mp)


def compare(mp, program, title, model, times, error_of):
    say(f"  {title}")
    for tolerance in TOLERANCES:
        rows, story, _ = run(program, model, tolerance, times)
        say(f"    --tol {tolerance}: {story}")
        for row in rows:
            parts = [mp.mpf(row["Q." + k]) for k in "wxyz"]
            norm = mp.sqrt(sum(x * x for x in parts)) - 1
            say(f"      after {float(row['t']):7.0f} s: norm off by {mp.nstr(norm, 2):>9}, attitude by {mp.nstr(error_of(row, parts), 2)} rad")


def main(program, symmetric, asymmetric, seconds):
    try:
        import mpmath
    except ImportError:
        say("attitude.py needs mpmath (it comes with SymPy)")
        return
    mp = mpmath.mp
    mp.dps = 50
    times = [t for t in ("10", "100", "1000", "10000", "100000", "1000000") if float(t) <= float(seconds)]
    with open("/proc/cpuinfo", encoding="utf8") as f:
        processor = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "unknown processor")
    say("\nAttitude of free bodies over a long time, processor time")
    say(f"  {processor}, {os.cpu_count()} cores, Python {platform.python_version()}, mpmath {mpmath.__version__}")

    def own(row, _):
        return 2 * mp.sqrt(sum(mp.mpf(row["off_" + k])**2 for k in "wxyz"))

    compare(mp, program, "symmetric body against its closed form", symmetric, times, own)
    body = Asymmetric(mp, mp.mpf(1), mp.mpf(2), mp.mpf(3), mp.mpf("0.8"), mp.mpf("0.6"))
    known = {t: body.attitude(mp.mpf(t)) for t in times}

    def elliptic(row, parts):
        want = known[str(int(float(row["t"])))]
        side = 1 if sum(a * b for a, b in zip(parts, want)) > 0 else -1
        return 2 * mp.sqrt(sum((a - side * b)**2 for a, b in zip(parts, want)))

    compare(mp, program, "asymmetric body against elliptic functions", asymmetric, times, elliptic)


main(*sys.argv[1:])
