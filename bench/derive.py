#!/usr/bin/env python3
"""derive.py BENCH_DERIVE SKATER WHIPPLE: from a model to equations ready to evaluate, by zwang and by SymPy (Kane's
equations), GiNaC and Maxima (Lagrange's), in turns; a peer that is not installed is named and left out. Processor time; start-up and
imports of the peers do not count; of zwang everything from the text on does. Of GiNaC and Maxima the symbolic M and F
count as ready, without what it would take to evaluate them fast."""
import os, platform, shutil, statistics, subprocess, sys, tempfile, time

from common import processor, ratio, say, spread

HERE = os.path.dirname(os.path.abspath(__file__))
LINKS = (8, 16)


def cart(links):
    """the model as text"""
    lines = ["param m0 = 2 [kg], g = 9.81 [m/s^2]", "coord x [m]",
             "coord " + ", ".join(f"q{i}" for i in range(1, links + 1)) + " [rad]",
             "particle P0 mass m0 = (x, 0, 0) in world", "let x0 = x", "let y0 = 0*x"]
    for i in range(1, links + 1):
        lines += [f"param m{i} = 1 [kg], l{i} = 1 [m]", f"let x{i} = x{i - 1} - l{i}*sin(q{i})",
                  f"let y{i} = y{i - 1} + l{i}*cos(q{i})", f"particle P{i} mass m{i} = (x{i}, y{i}, 0) in world"]
    return "\n".join(lines + ["gravity (0, -g, 0)", ""])


def read_result(text):
    """seconds and accelerations as bench_derive and cart_ginac print them"""
    words = text.split()
    at = words.index("accelerations")
    return [float(x) for x in words[:at]], [float(x) for x in words[at + 1:]]


def run(*words):
    return read_result(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def sympy_cart(links):
    """its own example by Kane's equations, then M and F as functions; seconds and accelerations"""
    import numpy, sympy
    from sympy.physics.mechanics import dynamicsymbols, models

    sympy.core.cache.clear_cache()
    begin = time.process_time()
    method = models.n_link_pendulum_on_cart(links, cart_force=False)
    M, F = method.mass_matrix_full, method.forcing_full
    params = sorted((M.free_symbols | F.free_symbols) - {dynamicsymbols._t}, key=str)
    ready = sympy.lambdify([*method.q, *method.u, *params], [M, F], cse=True)
    took = time.process_time() - begin
    state = [(i + 1) / 10 for i in range(links + 1)] + [(i + 1) / 20 for i in range(links + 1)]
    number = lambda name: 9.81 if name == "g" else 2 if name == "m0" else 1
    mass, force = ready(*state, *[number(str(x)) for x in params])
    return [took], list(numpy.linalg.solve(numpy.array(mass), numpy.array(force)).ravel()[links + 1:])


MAXIMA = """
n: %d$
start: elapsed_run_time()$
x: q[0]$ y: 0$ T: m[0]*v[0]^2/2$ V: 0$
for i: 1 thru n do (
  x: x - l[i]*sin(q[i]), y: y + l[i]*cos(q[i]),
  vx: sum(diff(x, q[j])*v[j], j, 0, i), vy: sum(diff(y, q[j])*v[j], j, 0, i),
  T: T + m[i]*(vx^2 + vy^2)/2, V: V + m[i]*g*y)$
for i: 0 thru n do (
  p[i]: diff(T, v[i]),
  F[i]: diff(T, q[i]) - diff(V, q[i]) - sum(diff(p[i], q[j])*v[j], j, 0, n),
  for j: 0 thru n do MM[i, j]: diff(p[i], v[j]))$
took: elapsed_run_time() - start$
at: append([m[0] = 2.0, g = 9.81], makelist(m[i] = 1.0, i, 1, n), makelist(l[i] = 1.0, i, 1, n),
  makelist(q[i] = (i + 1)/10.0, i, 0, n), makelist(v[i] = (i + 1)/20.0, i, 0, n))$
keepfloat: true$ ratprint: false$ fpprintprec: 16$
eqs: makelist(sum(float(ev(MM[i, j], at))*a[j], j, 0, n) = float(ev(F[i], at)), i, 0, n)$
s: map(rhs, linsolve(eqs, makelist(a[j], j, 0, n)))$
print(took)$
print("accelerations")$
for x in s do print(float(x))$
"""


def maxima(folder):
    """a function that derives with Maxima, or None"""
    script = os.path.join(folder, "cart.mac")

    def derive(links):
        with open(script, "w", encoding="utf8") as f:
            f.write(MAXIMA % links)
        words = ["maxima", "--very-quiet", "-r", f'batchload("{script}")$ quit();']
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        # it echoes its commands, and sets signs apart
        return read_result("\n".join(x.replace("- ", "-") for x in text.splitlines() if not x.endswith(")")))

    return derive if shutil.which("maxima") else None


def ginac(folder):
    """a function that derives with GiNaC, or None"""
    program = os.path.join(folder, "cart_ginac")
    compiler = shutil.which("c++")
    if not compiler or subprocess.run([compiler, "-O2", "-o", program, os.path.join(HERE, "cart_ginac.cpp"), "-lginac", "-lcln"],
                                      capture_output=True).returncode:
        return None
    return lambda links: run(program, str(links))


def near(a, b):
    if len(a) != len(b) or any(abs(x - y) > 1e-8 * (1 + abs(y)) for x, y in zip(a, b)):
        sys.exit(f"derive.py: accelerations differ:\n{a}\n{b}")


def compare(name, links, peer, zwang, rounds):
    pairs = []
    for _ in range(rounds):
        theirs, a = peer(links)
        ours, b = zwang(links)
        near(a, b)
        pairs.append((theirs[0], statistics.median(ours)))
    theirs, ours = zip(*pairs)
    say(f"    {name:<24} {1e3 * statistics.median(theirs):10.2f} ms  zwang {1e3 * statistics.median(ours):7.2f} ms  "
        f"{ratio(theirs, ours)}")


def peers(folder):
    found = []
    try:
        import sympy
        found.append((f"SymPy {sympy.__version__}, Kane", sympy_cart, 3))
    except ImportError:
        say("    SymPy is not installed")
    by_ginac = ginac(folder)
    if by_ginac:
        found.append(("GiNaC, Lagrange", by_ginac, 7))
    else:
        say("    GiNaC is not installed")
    by_maxima = maxima(folder)
    if by_maxima:
        found.append(("Maxima, Lagrange", by_maxima, 3))
    else:
        say("    Maxima is not installed")
    return found


def main(program, skater, whipple):
    folder = tempfile.mkdtemp(prefix="zwang-bench-")
    say("\nFrom a model to equations ready to evaluate")
    say(f"  {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for title, model, times in (("skater", skater, 201), ("Whipple bicycle", whipple, 31)):
        took = [1e3 * t for t in run(program, model, str(times))[0]]
        say(f"  {title}: zwang {spread(took, unit=' ms')}")
    models = {}
    for links in LINKS:
        models[links] = os.path.join(folder, f"cart{links}.zw")
        with open(models[links], "w", encoding="utf8") as f:
            f.write(cart(links))
    zwang = lambda links: run(program, models[links], "11")
    found = peers(folder)
    for links in LINKS:
        say(f"  pendulum of {links} links on a cart")
        for name, peer, rounds in found:
            compare(name, links, peer, zwang, rounds)
    shutil.rmtree(folder)


main(*sys.argv[1:])
