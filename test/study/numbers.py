#!/usr/bin/env python3
"""Numbers of nonlinear dynamics that are known to many digits, one command each.

usage: numbers.py ZWANG [--all] [PART-OF-A-NAME]

Closed forms, or found in 113-bit arithmetic. Without --all the slow ones are left out.
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numbers_forms
import numbers_kept
import numbers_lines
import numbers_more
import numbers_orbits
import numbers_own
from numbers_models import *  # noqa: F403


# name, model, command, options, what is read, the number, how far it may be off, slow?
TABLE = [
    ("hoop beside the centre, fold", HOOP, "continue", ["--over", "W=0.9..1.4"], special("fold"), 1.073894184280455282, 1e-10, 0),
    ("imperfect column, fold", COLUMN, "continue", ["--over", "P=0.9..1.4"], special("fold"), 1.048973234477483188, 1e-10, 0),
    ("Koiter's column, fold", KOITER, "continue", ["--over", "P=0.1..0.6"], special("fold"), 0.4167905557379637160, 1e-10, 0),
    ("truss, h = 0.5, limit load", TRUSS, "continue", ["--over", "P=-0.1..0.1"], special("fold"), 0.04291432573122468769, 1e-11, 0),
    ("truss, h = 1, limit load", TRUSS, "continue", ["--set", "h=1", "--over", "P=-0.5..0.5"], special("fold"), 0.2650282534374104805, 1e-11, 0),
    ("column with a lateral spring, fold", LATERAL, "continue", ["--over", "P=0.1..1.2"], special("fold"), 0.9311904418870032004, 1e-11, 0),
    ("free apex, symmetry breaks", APEX, "continue", ["--over", "P=0..3"], special("branch"), 0.7834980667385532247, 1e-11, 0),
    ("free apex, limit load", APEX, "continue", ["--over", "P=0..3"], special("fold"), 2.480755989014086398, 1e-11, 0),
    ("free apex, second crossing", APEX, "continue", ["--over", "P=0..3"], special("branch", 1), 2.386312754012515, 1e-11, 0),
    ("partial follower, first static load", FOLLOWER, "continue", ["--over", "P=0..3"], special("branch"), 0.54257289224366189, 1e-11, 0),
    ("partial follower, second static load", FOLLOWER, "continue", ["--over", "P=0..3"], special("branch", 1), 2.45742710775633811, 1e-11, 0),
    ("partial follower, flutter, 0.75", FOLLOWER, "continue", ["--set", "al=0.75", "--over", "P=0..3"], special("hopf"), 1.3992101451653587, 1e-11, 0),
    ("partial follower, flutter, 0.9", FOLLOWER, "continue", ["--set", "al=0.9", "--over", "P=0..3"], special("hopf"), 1.4151097303908532, 1e-11, 0),
    ("two trusses, folds", SERIES, "continue", ["--over", "P=-0.4..0.4"], lambda o: len([s for s in o["branches"][0]["special"] if s["kind"] == "fold"]), 8, 0, 0),
    ("two trusses, states at no load", SERIES, "continue", ["--over", "P=-0.4..0.4"],
     lambda o: sum(a["p"] * b["p"] <= 0 and a["p"] != 0 for p in [o["branches"][0]["points"]] for a, b in zip(p, p[1:])), 9, 0, 0),
    ("pendulum with torque, Hopf", TORQUE, "continue", ["--over", "tau=0.9..0.98"], special("hopf"), 0.9539392014169456492, 1e-11, 0),
    ("pendulum with torque, l1", TORQUE, "continue", ["--over", "tau=0.9..0.98"], special("hopf", what="l1"), 1.170347345096508789, 1e-8, 0),
    ("Ziegler, c = 0.1, load", ZIEGLER, "continue", ["--over", "P=1..2"], special("hopf"), 2057 / 1400, 1e-11, 0),
    ("Ziegler, c = 0.1, l1", ZIEGLER, "continue", ["--over", "P=1..2"], special("hopf", what="l1"), -0.01679656354340191351, 1e-9, 0),
    ("Ziegler, c = 0.5, load", ZIEGLER, "continue", ["--set", "c=0.5", "--over", "P=1..2"], special("hopf"), 89 / 56, 1e-11, 0),
    ("Ziegler, c = 0.5, l1", ZIEGLER, "continue", ["--set", "c=0.5", "--over", "P=1..2"], special("hopf", what="l1"), -0.06207511412088463324, 1e-9, 0),
    ("Ziegler, c = 0, frequencies meet", ZIEGLER, "continue", ["--set", "c=0", "--over", "P=1..3"], special("krein"), 3.5 - math.sqrt(2), 1e-9, 0),
    ("rotor, l1", ROTOR, "continue", ["--over", "Om=2..4"], special("hopf", what="l1"), -0.03729024238657551274, 1e-9, 0),
    ("wheelset, speed", WHEELSET, "continue", ["--over", "V=30..50"], special("hopf"), 41.465195799636825906, 1e-9, 0),
    ("wheelset, l1", WHEELSET, "continue", ["--over", "V=30..50"], special("hopf", what="l1"), -0.16188920112779413457, 1e-8, 0),
    ("wheelset, softening, l1", WHEELSET, "continue", ["--set", "k3=-5e8", "--over", "V=30..50"], special("hopf", what="l1"), 0.16188920112779413457, 1e-8, 0),
    ("galloping, b = 1, fold of cycles", GALLOP, "continue", ["--over", "mu=-0.3..0.1", "--all", "--points", "40"], special("fold", branch=1), -0.1249932169028515178, 1e-11, 0),
    ("galloping, b = 0.5, fold of cycles", GALLOP, "continue", ["--set", "b=0.5", "--over", "mu=-0.1..0.02", "--all", "--points", "40"], special("fold", branch=1), -0.03124989403480562802, 1e-11, 0),
    ("Duffing, upper fold", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 0), 1.779719524298573114, 1e-10, 0),
    ("Duffing, lower fold", DUFFING, "continue", ["--over", "w=0.8..2.5"], special("fold", 1), 1.324236200770565557, 1e-10, 0),
    ("pendulum, symmetry breaks", SWING, "continue", ["--over", "A=0.95..1.05"], special("branch"), 1.004319477426467864, 1e-10, 0),
    ("pendulum, first doubling", PENDULUM, "continue", ["--over", "A=1.06..1.07", "--points", "10"], special("doubling"), 1.066372862455207005, 1e-10, 0),
    ("pendulum, second doubling", PENDULUM, "continue", ["--over", "A=1.06..1.0833", "--all", "--points", "20"], special("doubling", branch=1), 1.079313905903715506, 1e-10, 1),
    ("pendulum, third doubling", PENDULUM, "continue", ["--over", "A=1.06..1.0833", "--all", "--points", "20"], special("doubling", branch=2), 1.082084384294223475, 1e-9, 1),
    ("Feigenbaum's ratio from the fifth to the seventh", PENDULUM, "continue", ["--over", "A=1.06..1.0833", "--all", "--points", "20"],
     lambda o: (special("doubling", branch=5)(o) - special("doubling", branch=4)(o)) / (special("doubling", branch=6)(o) - special("doubling", branch=5)(o)), 4.669201609, 1e-3, 1),
    ("van der Pol, mu = 1, period", POL, "stability", ["--period", "6.66"], period, 6.663286859323130189700, 1e-10, 0),
    ("van der Pol, mu = 1, multiplier", POL, "stability", ["--period", "6.66"], lambda o: math.log(min(m[0] for m in o["multipliers"])), -7.058932808798959179, 1e-8, 0),
    ("van der Pol, mu = 0.1, period", POL, "stability", ["--set", "mu=0.1", "--period", "6.28"], period, 6.287111272288726806054, 1e-10, 0),
    ("Mathieu, damped, w = 2", MATHIEU, "continue", ["--over", "eps=0.05..0.4"], special("doubling"), 0.2001093421488693, 1e-11, 0),
    ("Mathieu, damped, w = 1.9", MATHIEU, "continue", ["--set", "w=1.9", "--over", "eps=0.05..0.4"], special("doubling"), 0.2762634218515693, 1e-11, 0),
    ("Mathieu, first tongue", TONGUES, "continue", ["--over", "a=-1..27"], special("doubling", 1), 1.859108072514364, 1e-11, 0),
    ("Mathieu, third tongue", TONGUES, "continue", ["--over", "a=-1..27"], special("doubling", 2), 9.047739259809375, 1e-11, 0),
    ("Mathieu, fifth tongue, width", TONGUES, "continue", ["--over", "a=-1..27"], lambda o: special("doubling", 5)(o) - special("doubling", 4)(o), 1.3522158814688e-5, 1e-12, 0),
    ("normal modes, in phase, angle", NORMAL, "stability", ["--period", str(2*math.pi/1.031909794900242806)], lambda o: 2*min(m[0] for m in o["multipliers"]), -0.4198061572637647712, 1e-7, 0),
    ("normal modes, out of phase, angle", NORMAL, "stability", ["--state", "x1=0.7, x2=-0.637", "--period", str(2*math.pi/1.759501945741754225)],
     lambda o: 2*min(m[0] for m in o["multipliers"]), -1.499660856384217761, 1e-7, 0),
    ("normal modes over the energy, frequency", NORMAL, "continue", ["--over", "energy=0.1..31.12867070770847253", "--period", "6.09"],
     lambda o: 2*math.pi/o["branches"][0]["points"][-1]["period"], 1.268937080600052410, 1e-11, 0),
    ("normal modes over the energy, angle", NORMAL, "continue", ["--over", "energy=0.1..31.12867070770847253", "--period", "6.09"],
     lambda o: 2*min(m[0] for m in o["branches"][0]["points"][-1]["multipliers"]), 1.625988491158224803, 1e-9, 0),
    ("normal modes, out of phase, over the energy", NORMAL, "continue", ["--state", "x1=0.7, x2=-0.637", "--over", "energy=0.1..22.25829893801792114", "--period", "3.57"],
     lambda o: 2*min(m[0] for m in o["branches"][0]["points"][-1]["multipliers"]), -1.713580062513738991, 1e-9, 0),
    ("Hill, halo orbits branch off", LIBRATION, "continue", ["--over", "energy=-2.2..-1.9", "--period", "3.0412", "--points", "20"], special("branch"), -4.005312653139099013/2, 1e-9, 0),
    ("van der Pol, mu = 5, multiplier", POL, "stability", ["--set", "mu=5", "--period", "11.6"], lambda o: math.log(min(m[0] for m in o["multipliers"])), -85.45201854488354065, 1e-9, 0),
    ("van der Pol, mu = 5, period", POL, "stability", ["--set", "mu=5", "--period", "11.6"], period, 11.61223066771957003456, 1e-10, 0),
    ("forced van der Pol, torus", FORCED, "continue", ["--over", "F=0.5..1"], special("torus"), 0.6465859043765667177, 1e-10, 0),
    ("Hill, Lyapunov orbit, larger multiplier", HILL, "stability", ["--period", "3.041230464527963755"], lambda o: max(m[0] for m in o["multipliers"]), 1960.23628475510603, 1e-6, 0),
    ("impact oscillator, speed", IMPACT, "stability", [], happening(0, "before", "x'"), 2.380144175983548756, 1e-11, 0),
    ("impact oscillator, multiplier", IMPACT, "stability", [], multiplier(0.1921657273466352, 0.5342156680171997), 0, 1e-10, 0),
    ("impact oscillator, w = 2, multiplier", IMPACT, "stability", ["--set", "w=2", "--set", "s=0.2", "--set", "r=0.8"], multiplier(0.6829503785336570, 0.03219476249124794), 0, 1e-9, 0),
    ("impact oscillator, w = 2.5, multiplier", IMPACT, "stability", ["--set", "w=2.5", "--set", "s=0", "--set", "r=0.8", "--state", "x=-0.3"], multiplier(-0.1454346498276319, 0.6903767647447726), 0, 1e-9, 0),
    ("impact oscillator, doubling", IMPACT, "continue", ["--set", "w=2.5", "--set", "s=0", "--set", "r=0.8", "--state", "x=-0.3", "--over", "w=2.45..2.7", "--points", "15"], special("doubling"), 2.658884546684835835, 1e-9, 0),
    ("impact oscillator, grazing", IMPACT, "continue", ["--set", "s=1", "--state", "x=0, x'=0", "--over", "s=0.6..1.2", "--points", "10"], special("grazing"), 0.7943014707895376376, 1e-12, 0),
    ("rimless wheel, multiplier", WHEEL, "stability", ["--period", "3"], multiplier(0.5), 0, 1e-10, 0),
    ("rimless wheel, time of a step", WHEEL, "stability", ["--period", "3"], period, 3.2403051389983936313, 1e-10, 0),
    ("rimless wheel with inertia, multiplier", WHEEL, "stability", ["--set", "k2=0.5", "--period", "3"], multiplier(0.64760301386068778862), 0, 1e-10, 0),
    ("rimless wheel with inertia, speed", WHEEL, "stability", ["--set", "k2=0.5", "--period", "3"], happening(0, "after", "th'"), 0.38712913275209942635, 1e-10, 0),
    ("walker, 0.010, long gait", WALKER, "stability", ["--period", "3.88"], multiplier(-0.2678076244364779, 0.5160081263930022), 0, 1e-10, 0),
    ("walker, 0.010, angle", WALKER, "stability", ["--period", "3.88"], happening(0, "after", "th"), 0.2073477396247897878, 1e-11, 0),
    ("walker, 0.005, long gait", WALKER, "stability", ["--set", "ga=0.005", "--state", "th=0.165,ph=0.33,th'=-0.167,ph'=-0.009", "--period", "3.86"], multiplier(0.1390331807030985, 0.6081575343959175), 0, 1e-10, 0),
    ("walker, 0.014, long gait", WALKER, "stability", ["--set", "ga=0.014", "--state", "th=0.2314,ph=0.4628,th'=-0.2271,ph'=-0.0236", "--period", "3.907"], multiplier(-0.7027917278447551), 0, 1e-9, 0),
    ("walker, 0.004, short gait", WALKER, "stability", ["--set", "ga=0.004", "--state", "th=0.14878,ph=0.29756,th'=-0.1588,ph'=-0.00686", "--period", "3.1"], multiplier(3.212769387633428), 0, 1e-9, 0),
    ("walker, first doubling", WALKER, "continue", ["--over", "ga=0.01..0.016", "--period", "3.88", "--points", "20"], special("doubling"), 0.01508843794111946356, 1e-11, 0),
    ("ball, e = 0.5, born", BALL, "continue", ["--over", "Gam=1..1.6", "--points", "15"], special("fold"), 1.0471975511965977462, 1e-9, 0),
    ("ball, e = 0.5, first doubling", BALL, "continue", ["--over", "Gam=1..1.6", "--points", "15"], special("doubling"), 1.5268237005190608643, 1e-9, 0),
    ("ball, e = 0.8, first doubling", BALL, "continue", ["--set", "e=0.8", "--set", "Gam=0.8", "--over", "Gam=0.6..1.2", "--points", "15"], special("doubling"), 1.0708364682479069691, 1e-9, 0),
    # by Newton's method on the map of exact flights, its derivatives by differences
    ("ball, e = 0.5, second doubling", BALL, "continue", ["--set", "Gam=1.62", "--period", "12.566370614359172", "--over", "Gam=1.6..1.7", "--points", "8"], special("doubling"), 1.6671306608, 2e-10, 0),
    ("stick-slip, period", BELT, "stability", ["--period", "8.5"], period, 8.9026054078145230111, 1e-10, 0),
    ("stick-slip, multiplier", BELT, "stability", ["--period", "8.5"], multiplier(0), 0, 1e-9, 0),
]


def main():
    words = [a for a in sys.argv[2:] if a != "--all"]
    rows = [r for r in TABLE + numbers_more.TABLE + numbers_lines.TABLE + numbers_orbits.TABLE + numbers_kept.TABLE + numbers_forms.TABLE + numbers_own.TABLE if ("--all" in sys.argv or not r[7]) and (not words or words[0] in r[0])]
    print(f"1..{len(rows)}", flush=True)
    known, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, model, command, options, read, wanted, off, _) in enumerate(rows):
            key = (model, command, tuple(options))
            if key not in known:
                path = Path(folder) / "model.zw"
                path.write_text(model)
                table = Path(folder) / "run.json"
                form = ["--quiet", "--out", str(table)] if command == "run" else ["--format", "json"]
                ran = subprocess.run([sys.argv[1], command, str(path), *form, *options], capture_output=True, text=True)
                known[key] = (table.read_text() if command == "run" and not ran.returncode else ran.stdout, ran.stderr)
            out, said = known[key]
            try:
                got = read(json.loads(out))
                fine = abs(got - wanted) <= off
                told = f"{got!r}, wanted {wanted!r}, off by {abs(got - wanted):.1e} of {off:.0e}"
            except (ValueError, KeyError, IndexError, TypeError) as why:
                fine, told = False, f"{type(why).__name__}: {why} {said.strip()}"
            failed += not fine
            print(f"{'ok' if fine else 'not ok'} {i + 1} - {name}: {told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
