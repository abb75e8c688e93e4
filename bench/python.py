#!/usr/bin/env python3
"""What Python costs beside C, on the same library: python.py LIBRARY

A call of the equations, 10,000 states at once, a sweep of 100,000 skaters in memory, a controller of a cart and pole at 1 kHz,
and ten models by SciPy. Both sides are timed in turns and the least time of each counts, as a busy machine disturbs that least.
"""
import ctypes as c
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ["ZWANG_LIBRARY"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(HERE, "..", "python"))
sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    print("numpy is not installed")
    sys.exit(77)
import zwang as zw  # noqa: E402

CART = """param u = 0 [N]
coord x [m]
coord th [rad]
kinetic 1.1*x'^2/2 + 0.05*x'*th'*cos(th) + 0.025*th'^2/2
potential 0.4905*cos(th)
force x = u
initial th = 0.05
"""
MODELS = ("pendulum", "chaplygin_sleigh", "skater_benchmark", "double_pendulum", "heavy_top", "snakeboard", "spherical_pendulum",
          "slider_crank", "knife_edge", "rolling_disc")
# one state, called from C as often as is asked for
LOOP = """typedef int rates(void*, int, double, const double*, double*, void*);
void loop(rates* f, int times, void* s, const double* y, double* out, void* notes)
{
  for (int i = 0; i < times; i++) f(s, 1, 0, y, out, notes);
}
"""


def c_loop(folder):
    source, made = os.path.join(folder, "loop.c"), os.path.join(folder, "loop.so")
    with open(source, "w") as f:
        f.write(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", made, source], check=True)
    out = c.CDLL(made).loop
    out.argtypes = [c.c_void_p, c.c_int] + [c.c_void_p]*4
    return out


def least(rounds, *works):
    """seconds of each, taken in turns"""
    best = [np.inf]*len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            began = time.perf_counter()
            work()
            best[i] = min(best[i], time.perf_counter() - began)
    return best


def calls(lib):
    p = zw.Model(text=zw.example("skater_benchmark")).program()
    y, s, times = p.start(), p._plain(), 1000
    out = np.empty_like(y)

    def python():
        for _ in range(times):
            p.rates(0.0, y)
    with tempfile.TemporaryDirectory() as folder:
        loop = c_loop(folder)
        f = c.cast(lib.zw_state_rates, c.c_void_p)
        ours, theirs = least(50, python, lambda: loop(f, times, s.at, y.ctypes.data, out.ctypes.data, s.notes.at))
    print(f"a call of p.rates: {1e6*ours/times:.2f} us, of the C function {1e6*theirs/times:.2f} us: {1e6*(ours - theirs)/times:.2f} us more")
    many = np.repeat(y[:, None], 10000, axis=1)
    into = np.empty_like(many)
    ours, theirs = least(100, lambda: p.rates(0.0, many),
                         lambda: lib.zw_state_rates(s.at, 10000, 0.0, many.ctypes.data, into.ctypes.data, s.notes.at))
    print(f"10,000 states at once: {1e6*ours:.0f} us, in C {1e6*theirs:.0f} us")


def sweeps(lib, runs=100000):
    p = zw.Model(text=zw.example("skater_benchmark")).program()
    moments = np.linspace(0, 1, runs)
    table = np.empty((runs, 3))

    def in_c():
        o = lib.zw_sweep_defaults()
        o.over, o.over_count, o.results = zw._library.text_list([f"L5=0..1:{runs}"]), 1, b"eta"
        o.table, o.table_room = table.ctypes.data, runs
        lib.zw_sweep(p.model._model.at, c.byref(o), c.byref(zw._library.SweepProgress()), p.model._notes.at)
    ours, theirs = least(12, lambda: p.sweep(["eta"], L5=moments), in_c)
    np.testing.assert_allclose(p.sweep(["eta"], L5=moments)["eta"], table[:, 1], atol=1e-9)
    print(f"p.sweep of {runs:,} skaters: {ours:.3f} s, in C {theirs:.3f} s: {ours/theirs:.2f} times")


def steps(count=300):
    s = zw.Model(text=CART).program().stepper("u")

    def control():
        step, inputs = s.step, s.inputs
        for _ in range(count):
            x, th, v, w = s.state
            inputs["u"] = 40*th + 10*w + x + 2*v
            step(0.001)
    (seconds,) = least(200, control)  # short goes fit between two interruptions
    print(f"a controller in Python at 1 kHz: {count/seconds:,.0f} steps a second")


def solvers():
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        print("SciPy is not installed")
        return
    worst = 0.0
    for name in MODELS:
        p = zw.Model(text=zw.example(name)).program(points=2, until=1, tol=1e-12)
        ours = p.run().values[-1][1:1 + p.size]
        theirs = solve_ivp(p.rates, (0, 1), p.start(), method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
        worst = max(worst, np.max(np.abs(theirs - ours)/(1 + np.abs(ours))))
    print(f"solve_ivp to 1e-11 beside p.run on {len(MODELS)} models: off by at most {worst:.1e}")


if __name__ == "__main__":
    calls(zw._library.lib)
    sweeps(zw._library.lib)
    steps()
    solvers()
