#!/usr/bin/env python3
"""branches.py ZWANG: five problems of continuation, each written for AUTO-07p (Fortran, compiled with its library) and as a
model, in turns. Special points against closed forms or numbers of 113-bit arithmetic. Accuracy is the same for both: steps are
the longest of 0.02, 0.05, 0.1, 0.2, 0.5, 1 with which a program finds all special points to nine digits, of zwang as
`--points`, AUTO's meshes are the coarsest round ones that do, and zwang is told the coarsest tolerance (a power of ten) that is
no less exact than that. Processor seconds, the least of several runs, in three ways:
- from the text: AUTO's equations are compiled, linked and followed, zwang's are read, derived, compiled and followed;
- processes alone: the same, but AUTO's equations were compiled before, zwang's were not;
- following alone: processes less what both take to start and to have one point.
These runs are so short that most of such a process is its start. So the same branches are followed once more as one who draws a
diagram follows them, with some hundred or thousand points, all of them written with their eigenvalues or multipliers (AUTO's
IID = 1). Where AUTO is told to write none of these (IID = 0) it is compared with the same run of zwang, which writes them."""
import glob, json, os, resource, shutil, subprocess, sys, tempfile

from common import processor, say

AUTO = os.environ.get("AUTO_DIR", "/usr/lib/auto-07p")
ROUNDS = 15
BUILDS = 3
DIAGRAMS = 7

FRAME = """
SUBROUTINE FUNC(NDIM,U,ICP,PAR,IJAC,F,DFDU,DFDP)
  IMPLICIT NONE
  INTEGER, INTENT(IN) :: NDIM, ICP(*), IJAC
  DOUBLE PRECISION, INTENT(IN) :: U(NDIM), PAR(*)
  DOUBLE PRECISION, INTENT(OUT) :: F(NDIM)
  DOUBLE PRECISION, INTENT(INOUT) :: DFDU(NDIM,NDIM), DFDP(NDIM,*)
  DOUBLE PRECISION P, R, C, S, D
  P = PAR(1)
%s
END SUBROUTINE FUNC
SUBROUTINE STPNT(NDIM,U,PAR,T)
  IMPLICIT NONE
  INTEGER, INTENT(IN) :: NDIM
  DOUBLE PRECISION, INTENT(INOUT) :: U(NDIM), PAR(*)
  DOUBLE PRECISION, INTENT(IN) :: T
  DOUBLE PRECISION, PARAMETER :: TPI = 6.283185307179586476925d0
%s
END SUBROUTINE STPNT
SUBROUTINE BCND
END SUBROUTINE BCND
SUBROUTINE ICND
END SUBROUTINE ICND
SUBROUTINE FOPT
END SUBROUTINE FOPT
SUBROUTINE PVLS
END SUBROUTINE PVLS
"""
CONSTANTS = """NDIM= {ndim}, IPS= {ips}, IRS= {irs}, ILP= 1
ICP= [1, 11]
NTST= {ntst}, NCOL= 4, IAD= 3, ISP= 2, ISW= 1, IPLT= 0, NBC= 0, NINT= 0
NMX= {nmx}, NPR= 2000, MXBF= 0, IID= {iid}, ITMX= 9, ITNW= 7, NWTN= 3, JAC= 0
EPSL= 1e-10, EPSU= 1e-10, EPSS= 1e-9
DS= {ds}, DSMIN= 1e-6, DSMAX= {dsmax}, IADS= 1
NPAR= 36, THL= {{11: 0.0}}, THU= {{}}
UZSTOP= {{1: [{low}, {high}]}}
"""

# name; FUNC, STPNT; runs of AUTO; model; what zwang is told; special points: kind, number, branch of zwang; for the diagram,
# what both are told instead: zwang has no fewer points then than AUTO, and is no less exact
PROBLEMS = [
    ("truss of two springs, limit loads",
     "  R = SQRT(1 + U(1)**2)\n  F(1) = U(2)\n  F(2) = -P + 2*(SQRT(2d0)/R - 1)*U(1) - 0.1d0*U(2)",
     "  PAR(1) = 0\n  U(1) = 1\n  U(2) = 0",
     [dict(ndim=2, ips=1, irs=0, ntst=1, ds=0.01, dsmax=1, low=-0.5, high=0.5)],
     "param P = 0\ncoord y\nkinetic y'^2/2\nforce y = -P + 2*(sqrt(2)/sqrt(1 + y^2) - 1)*y - 0.1*y'\ninitial y = 1\n",
     ["--over", "P=-0.5..0.5", "--points", "2"],
     [("fold", 0.2650282534374104805, 0), ("fold", -0.2650282534374104805, 0)],
     dict(dsmax=0.001), {"--points": "821"}),
    ("Ziegler's pendulum, flutter load",
     "  C = COS(U(1) - U(2))\n  S = SIN(U(1) - U(2))\n  D = 3 - C*C\n"
     "  R = -S*U(4)**2 - 0.2d0*U(3) + 0.1d0*U(4) - 2*U(1) + U(2) + P*S\n"
     "  F(1) = U(3)\n  F(2) = U(4)\n"
     "  F(3) = (R - C*(S*U(3)**2 - 0.1d0*(U(4) - U(3)) - U(2) + U(1)))/D\n"
     "  F(4) = (3*(S*U(3)**2 - 0.1d0*(U(4) - U(3)) - U(2) + U(1)) - C*R)/D",
     "  PAR(1) = 1\n  U(1:4) = 0",
     [dict(ndim=4, ips=1, irs=0, ntst=1, ds=0.01, dsmax=1, low=0.9, high=2)],
     "param P = 1\ncoord a, b\nkinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2\npotential (a^2 + (b-a)^2)/2\n"
     "force a = -0.2*a' + 0.1*b' + P*sin(a-b)\nforce b = -0.1*(b'-a')\n",
     ["--over", "P=1..2", "--points", "2"],
     [("hopf", 2057 / 1400, 0)],
     dict(dsmax=0.001), {"--points": "1001"}),
    ("pendulum with a torque, Hopf point and fold",
     "  F(1) = U(2)\n  F(2) = P - SIN(U(1)) - (-0.3d0 + COS(U(1)))*U(2)",
     "  PAR(1) = 0.5d0\n  U(1) = ASIN(0.5d0)\n  U(2) = 0",
     [dict(ndim=2, ips=1, irs=0, ntst=1, ds=0.01, dsmax=1, low=0.4, high=1.2)],
     "param tau = 0.5\ncoord th\nkinetic th'^2/2\nforce th = tau - sin(th) - (-0.3 + cos(th))*th'\ninitial th = 0.5\n",
     ["--over", "tau=0.4..1.2", "--points", "2"],
     [("hopf", 0.9539392014169456492, 0), ("fold", 1.0, 0)],
     dict(dsmax=0.001), {"--points": "1001"}),
    ("Duffing's resonance, folds",
     "  R = U(3)**2 + U(4)**2\n  F(1) = U(2)\n  F(2) = -0.1d0*U(2) - U(1) - U(1)**3 + 0.3d0*U(4)\n"
     "  F(3) = U(3) + P*U(4) - U(3)*R\n  F(4) = U(4) - P*U(3) - U(4)*R",
     "  PAR(1) = 2.5d0\n  PAR(11) = TPI/PAR(1)\n  U(1) = 0.3d0/(1 - PAR(1)**2)*COS(TPI*T)\n"
     "  U(2) = -0.3d0/(1 - PAR(1)**2)*PAR(1)*SIN(TPI*T)\n  U(3) = SIN(TPI*T)\n  U(4) = COS(TPI*T)",
     [dict(ndim=4, ips=2, irs=0, ntst=20, ds=-0.01, dsmax=0.1, low=0.8, high=2.6)],
     "param w = 2.5\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nforce x = -0.1*x' + 0.3*cos(w*t)\ninitial x = -0.057\n",
     ["--over", "w=0.8..2.6", "--points", "2", "--tol", "1e-9"],
     [("fold", 1.779719524298573114, 0), ("fold", 1.324236200770565557, 0)],
     dict(dsmax=0.01, ntst=25), {"--points": "89", "--tol": "1e-10"}),
    ("galloping oscillator, fold of cycles behind a Hopf point",
     "  F(1) = U(2)\n  F(2) = (P + U(1)**2 - U(1)**4)*U(2) - U(1)",
     "  PAR(1) = -0.2d0\n  U(1:2) = 0",
     [dict(ndim=2, ips=1, irs=0, ntst=1, ds=0.02, dsmax=1, low=-0.3, high=0.1),
      dict(ndim=2, ips=2, irs="HB", ntst=20, ds=0.02, dsmax=1, low=-0.3, high=0.1)],
     "param mu = -0.2\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (mu + x^2 - x^4)*x'\n",
     ["--over", "mu=-0.3..0.1", "--all", "--points", "2", "--tol", "1e-8"],
     [("hopf", 0.0, 0), ("fold", -0.1249932169028515178, 1)],
     dict(dsmax=0.011), {"--points": "51"}),
]
KINDS = {2: "fold", 5: "fold", 3: "hopf"}  # of AUTO's points


def spent(work):
    """processor seconds of the processes that it runs"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def auto_points(folder):
    """how many, and (kind, value, label) of the special ones"""
    found, count = [], 0
    with open(os.path.join(folder, "fort.7"), encoding="utf8") as table:
        for line in table:
            words = line.split()
            if len(words) < 5 or words[0] == "0":
                continue
            count += 1
            if int(words[2]) in KINDS:
                found.append((KINDS[int(words[2])], float(words[4]), words[3]))
    return count, found


def run_auto(folder, runs, most=1000, iid=0):
    """all runs, one behind the other, of at most so many points each; how many, and their special points"""
    found, count = [], 0
    for constants in runs:
        constants = dict(constants, nmx=most, iid=iid)
        if constants["irs"] == "HB":
            shutil.copy(os.path.join(folder, "fort.8"), os.path.join(folder, "fort.3"))
            constants["irs"] = next(label for kind, _, label in found if kind == "hopf")
        with open(os.path.join(folder, "fort.2"), "w", encoding="utf8") as out:
            out.write(CONSTANTS.format(**constants))
        subprocess.run(["./problem"], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, "OMP_NUM_THREADS": "1"})
        points, special = auto_points(folder)
        found += special
        count += points
    return count, found


def compiled(folder, func, stpnt):
    with open(os.path.join(folder, "problem.f90"), "w", encoding="utf8") as out:
        out.write(FRAME % (func, stpnt))
    words = ["gfortran", "-O3", "-fopenmp", "problem.f90", *sorted(glob.glob(AUTO + "/lib/*.o")), "-o", "problem"]
    return subprocess.run(words, cwd=folder, stderr=subprocess.DEVNULL).returncode == 0


def one_point(model):
    """what zwang is told to follow next to nothing"""
    name, start = model.split("\n")[0].removeprefix("param ").split(" = ")
    return ["--over", f"{name}={start}..{float(start) + 1e-6:.7f}", "--points", "2"]


def nearest(values, number):
    return min((abs(v - number) for v in values), default=float("inf"))


def run_zwang(zwang, path, told):
    """how many points, and its branches; it writes into a file, as AUTO does"""
    with open(path + ".json", "w+", encoding="utf8") as out:
        subprocess.run([zwang, "continue", path, *told, "--format", "json"], check=True, stdout=out, stderr=subprocess.DEVNULL)
        out.seek(0)
        branches = json.load(out)["branches"]
    return sum(len(b["points"]) for b in branches), branches


def off_zwang(branches, wanted):
    return max(nearest([s["p"] for s in branches[k]["special"] if s["kind"] == kind], number) for kind, number, k in wanted)


def off_auto(found, wanted):
    return max(nearest([v for kind, v, _ in found if kind == k], number) for k, number, _ in wanted)


def least(rounds, *works):
    """the least times of works done in turns, and what they gave"""
    done = [[spent(work) for work in works] for _ in range(rounds)]
    return [(min(turn[k][0] for turn in done), done[0][k][1]) for k in range(len(works))]


def compare(zwang, folder, problem):
    """with as few points as find the special ones"""
    name, func, stpnt, runs, model, words, wanted = problem[:7]
    path = os.path.join(folder, "model.zw")
    with open(path, "w", encoding="utf8") as out:
        out.write(model)
    peer = bool(glob.glob(AUTO + "/lib/*.o")) and shutil.which("gfortran")
    builds = [spent(lambda: compiled(folder, func, stpnt)) for _ in range(BUILDS if peer else 0)]
    peer = builds and builds[0][1]
    mine, theirs = lambda: run_zwang(zwang, path, words), lambda: run_auto(folder, runs)
    begin, start = lambda: run_zwang(zwang, path, one_point(model)), lambda: run_auto(folder, runs[:1], 1)
    times = least(ROUNDS, mine, begin, *([theirs, start] if peer else []))
    took, (points, branches) = times[0]
    text = f"    {name:<58} zwang {1e3 * took:7.2f} ms, {points} points, off by {off_zwang(branches, wanted):.0e}"
    if peer:
        all_of, (count, found) = times[2]
        built, along = all_of + min(b[0] for b in builds), all_of - len(runs) * times[3][0]
        text += f"   AUTO {1e3 * all_of:6.2f} ms, {count} points, {1e3 * built:.0f} ms from the text, "
        text += f"off by {off_auto(found, wanted):.0e}"
        text += f"\n      zwang takes {took / built:.3f} of it from the text, {took / all_of:.2f} of its processes, "
        follows = took - times[1][0]
        text += f"{follows / along:.2f} of its following alone ({1e3 * follows:.2f} of {1e3 * along:.2f} ms)"
    say(text)
    return peer


def diagram(zwang, folder, problem):
    """with the points of a picture; the folder is the one where both were compared"""
    name, _, _, runs, _, words, wanted, more, other = problem
    told = [other.get(before, word) for before, word in zip(["", *words], words)]
    fine = [dict(run, **more, ds=more["dsmax"] if run["ds"] > 0 else -more["dsmax"]) for run in runs]
    mine = lambda: run_zwang(zwang, os.path.join(folder, "model.zw"), told)
    theirs = lambda iid: run_auto(folder, fine, 100000, iid)
    (took, (points, branches)), (whole, (count, found)), (bare, _) = least(DIAGRAMS, mine, lambda: theirs(1), lambda: theirs(0))
    say(f"    {name:<58} zwang {1e3 * took:7.2f} ms, {points} points, off by {off_zwang(branches, wanted):.0e}"
        f"   AUTO {1e3 * whole:6.2f} ms, {count} points, off by {off_auto(found, wanted):.0e}"
        f"\n      zwang takes {took / whole:.2f} of it; {took / bare:.2f} of the {1e3 * bare:.2f} ms that AUTO takes where it "
        "writes points alone")


def main(zwang):
    say("\nContinuation: special points and processor time of whole processes, the least of "
        f"{ROUNDS}, against AUTO-07p")
    say(f"  {processor()}, {os.cpu_count()} cores")
    if not glob.glob(AUTO + "/lib/*.o") or not shutil.which("gfortran"):
        say("    AUTO-07p or gfortran is not installed")
    folders = [tempfile.mkdtemp(prefix="zwang-bench-") for _ in PROBLEMS]
    zwang = os.path.abspath(zwang)
    peers = [compare(zwang, folder, problem) for folder, problem in zip(folders, PROBLEMS)]
    if any(peers):
        say(f"  diagrams: all points written with their eigenvalues or multipliers, whole processes, the least of {DIAGRAMS}")
    for folder, problem, peer in zip(folders, PROBLEMS, peers):
        if peer:
            diagram(zwang, folder, problem)
        shutil.rmtree(folder)


main(*sys.argv[1:])
