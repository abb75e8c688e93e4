#!/usr/bin/env python3
"""precision_scipy.py LIBRARY PROBLEM T_END ROUNDS TOLERANCES START ...: SciPy's dop853 on a right-hand side in C
(`precision_rhs` of the library). One line for each tolerance from 1e-6 on, four a decade: tolerance, quickest
CPU seconds, state at the end."""
import ctypes, sys, time

import numpy, scipy.integrate

library, problem, t_end, rounds, tolerances = sys.argv[1], *map(float, sys.argv[2:6])
start = numpy.array([float(x) for x in sys.argv[6:]])
function = ctypes.CDLL(library).precision_rhs
function.argtypes = [ctypes.c_int, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
function.restype = None
slope = numpy.zeros_like(start)
at = slope.ctypes.data


def rhs(t, y):
    function(int(problem), t, y.ctypes.data, at)
    return slope


def solve(tolerance):
    run = scipy.integrate.ode(rhs).set_integrator("dop853", rtol=tolerance, atol=0.1 * tolerance, nsteps=1000000)
    run.set_initial_value(start, 0)
    begin = time.process_time()
    run.integrate(t_end)
    return time.process_time() - begin, run.y if run.successful() else None


for i in range(int(tolerances)):
    tolerance = 10 ** (-6 - i / 4)
    tries = [solve(tolerance) for _ in range(int(rounds))]
    if tries[0][1] is not None:
        print(tolerance, min(t for t, _ in tries), *(repr(float(x)) for x in tries[0][1]), flush=True)
