#!/usr/bin/env python3
"""peers.py ZWANG MODEL: the skater by SciPy (a right-hand side written by hand) and by SymPy (its
equations derived) beside zwang; each only if it is installed. Medians of runs in turns."""
import math, os, platform, shutil, statistics, subprocess, sys, tempfile, time

from common import processor, ratio, say

ROUNDS = 11


def took(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def scipy_table(path):
    """15 s in 501 rows: DOP853 at zwang's tolerances"""
    import numpy, scipy.integrate

    m, l, k, L = 7, 1, 0.6, 1

    def rhs(t, y):
        xi, theta, eta, u, w = y
        return [u * math.cos(theta), w, u * math.sin(theta), -k * u / (2 * m), L / (2 * m * l * l)]

    t = numpy.linspace(0, 15, 501)
    run = scipy.integrate.solve_ivp(rhs, (0, 15), [0, 0, 0, 7, 0], method="DOP853", rtol=1e-10, atol=1e-12, t_eval=t)
    xi, theta, eta, u, w = run.y
    columns = [t, xi, theta, eta, u * numpy.cos(theta), w, u * numpy.sin(theta), u, w, 2 * m * u * w]
    numpy.savetxt(path, numpy.column_stack(columns), fmt="%.17g", delimiter=",")


def sympy_equations():
    """accelerations and the reaction as expressions"""
    import sympy
    from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, dynamicsymbols

    sympy.core.cache.clear_cache()
    m, l, k, L = sympy.symbols("m l k L", positive=True)
    t = dynamicsymbols._t
    xi, theta, eta = q = dynamicsymbols("xi theta eta")
    v = [x.diff(t) for x in q]
    ends = [(xi - s * l * sympy.sin(theta), eta + s * l * sympy.cos(theta)) for s in (-1, 1)]
    T = sum(m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 for x, y in ends)
    blade = v[2] * sympy.cos(theta) - v[0] * sympy.sin(theta)
    world, skater, middle = ReferenceFrame("world"), ReferenceFrame("skater"), Point("middle")
    skater.set_ang_vel(world, v[1] * world.z)
    middle.set_vel(world, v[0] * world.x + v[2] * world.y)
    forces = [(middle, -k * middle.vel(world)), (skater, L * world.z)]
    method = LagrangesMethod(sympy.simplify(T), q, nonhol_coneqs=[blade], frame=world, forcelist=forces)
    method.form_lagranges_equations()
    return sympy.simplify(method.rhs())


def compare(title, peer, zwang):
    """both in turns; peer's time and how many times zwang's it is"""
    pairs = [(took(peer), took(zwang)) for _ in range(ROUNDS)]
    theirs, ours = zip(*pairs)
    say(f"    {title:<44} {1e3 * statistics.median(theirs):9.2f} ms  zwang {1e3 * statistics.median(ours):6.2f} ms  "
        f"{ratio(theirs, ours)}")


def main(zwang, model):
    folder = tempfile.mkdtemp(prefix="zwang-bench-")
    table = os.path.join(folder, "table.csv")
    run = lambda *words: subprocess.run([zwang, *words], check=True, stdout=subprocess.DEVNULL)
    say("\nPeers on the skater, each beside the whole process of zwang")
    say(f"  {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    try:
        import scipy
        whole = lambda: run("run", model, "--out", table, "--quiet")
        compare(f"SciPy {scipy.__version__}, table of 15 s, whole process",
                lambda: subprocess.run([sys.executable, __file__, "table", table], check=True), whole)
        compare(f"SciPy {scipy.__version__}, table of 15 s, imports not counted", lambda: scipy_table(table), whole)
    except ImportError:
        say("    SciPy is not installed")
    try:
        import sympy
        compare(f"SymPy {sympy.__version__}, equations, imports not counted", sympy_equations,
                lambda: run("derive", model, "--form", "lagrange"))
    except ImportError:
        say("    SymPy is not installed")
    shutil.rmtree(folder)


if sys.argv[1] == "table":
    scipy_table(sys.argv[2])
else:
    main(*sys.argv[1:])
