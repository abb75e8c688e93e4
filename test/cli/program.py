#!/usr/bin/env python3
"""The program as a person or a script meets it. Prints TAP.

program.py PROGRAM ROOT BUILD COMPILER [FLAG ...]
"""
import csv, ctypes, glob, json, math, os, pty, re, select, shlex, shutil, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import calls

PROGRAM, ROOT, BUILD = (os.path.abspath(a) for a in sys.argv[1:4])
COMPILER = sys.argv[4:]
SKATER = os.path.join(ROOT, "models", "skater_benchmark.zw")
PENDULUM = os.path.join(ROOT, "models", "pendulum.zw")


def zwang(*words, folder=None, **more):
    return subprocess.run([PROGRAM, *words], cwd=folder, text=True, capture_output=True, timeout=60 * calls.PATIENCE,
                          preexec_fn=calls.limit(60), **more)


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def ctrl_c_keeps_what_was_computed(folder):
    run = subprocess.Popen([PROGRAM, "run", PENDULUM, "--until", "1e7", "--every", "1", "--out", "kept.csv"],
                           cwd=folder, stderr=subprocess.PIPE, text=True)
    calls.has_worked(run, 0.5)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 1, run.returncode
    assert "interrupted" in err, err
    rows = rows_of(open(os.path.join(folder, "kept.csv")).read())
    assert len(rows) > 10 and float(rows[5]["t"]) == 5.0


def ctrl_c_in_a_proof_keeps_the_table(folder):
    run = subprocess.Popen([PROGRAM, "run", PENDULUM, "--until", "200", "--out", "kept.csv", "--certify"], cwd=folder,
                           stderr=subprocess.PIPE, text=True)
    calls.has_worked(run, 1)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 1, run.returncode
    assert "in long arithmetic: interrupted" in err or "without Arb" in err, err
    assert len(rows_of(open(os.path.join(folder, "kept.csv")).read())) == 501


def a_request_to_end_and_a_closed_terminal_keep_it_too(folder):
    for kind in (signal.SIGTERM, signal.SIGHUP):
        # also where the tests themselves are run under nohup
        run = subprocess.Popen([PROGRAM, "run", PENDULUM, "--until", "1e7", "--every", "1", "--out", "kept.csv"],
                               cwd=folder, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        calls.has_worked(run, 0.5)
        run.send_signal(kind)
        # a terminal that closes is told of by the kernel and by the shell
        if kind == signal.SIGHUP:
            run.send_signal(kind)
        _, err = run.communicate(timeout=120)
        assert run.returncode == 1 and "interrupted" in err, (kind, run.returncode, err)
        rows = rows_of(open(os.path.join(folder, "kept.csv")).read())
        assert len(rows) > 10 and float(rows[5]["t"]) == 5.0
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))


def under_nohup_a_closed_terminal_ends_nothing(folder):
    run = subprocess.Popen([PROGRAM, "run", PENDULUM, "--until", "1e7", "--every", "1", "--out", "kept.csv", "--quiet"], cwd=folder,
                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    calls.has_worked(run, 0.3)
    run.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert run.poll() is None, run.returncode
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=120) == 1


def ctrl_c_in_a_film_leaves_nothing_behind(folder):
    # a browser that never ends
    os.makedirs(os.path.join(folder, "bin"))
    os.makedirs(os.path.join(folder, "room"))
    for name in ("chromium", "ffmpeg"):
        path = os.path.join(folder, "bin", name)
        with open(path, "w") as f:
            f.write("#!/bin/sh\nsleep 300\n")
        os.chmod(path, 0o755)
    world = dict(os.environ, PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"], TMPDIR=os.path.join(folder, "room"))
    for name in (signal.SIGINT, signal.SIGTERM):
        run = subprocess.Popen([PROGRAM, "view", PENDULUM, "--film", "film.png", "--quiet"], cwd=folder, env=world,
                               stderr=subprocess.PIPE, text=True)
        until = time.time() + 30
        while time.time() < until and not any("film" in n for n in os.listdir(world["TMPDIR"])):
            time.sleep(0.05)
        time.sleep(0.2)
        run.send_signal(name)
        _, err = run.communicate(timeout=120)
        assert run.returncode == 1 and "broken off" in err, (run.returncode, err)
        assert os.listdir(world["TMPDIR"]) == [] and not os.path.exists(os.path.join(folder, "film.png"))


def a_long_run_shows_its_progress_on_a_terminal(folder):
    ours, theirs = pty.openpty()
    run = subprocess.Popen([PROGRAM, "run", PENDULUM, "--until", "1e7", "--every", "1000"], cwd=folder, stderr=theirs)
    os.close(theirs)
    seen, until = b"", time.time() + 60
    while time.time() < until and b"residual" not in seen:
        if select.select([ours], [], [], 0.2)[0]:
            seen += os.read(ours, 4096)
    run.send_signal(signal.SIGINT)
    run.wait(timeout=120)
    os.close(ours)
    assert b"%" in seen and b"step" in seen and b"residual" in seen, seen


def rows_stand_at_exactly_the_times_asked_for(folder):
    done = zwang("run", SKATER, "--at", "15,0.1,7.3", "--out", "-", "--quiet")
    assert [row["t"] for row in rows_of(done.stdout)] == ["0.1", "7.3", "15"]
    assert done.stderr == "", done.stderr


def a_tolerance_beyond_doubles_gives_thirty_digits(folder):
    model = os.path.join(folder, "swing.zw")
    with open(model, "w") as f:
        f.write("coord q\nparticle P mass 0.1 = (q, 0, 0) in world\npotential 0.05*q^2\ninitial q = 0.1\n"
                "initial q' = 0\nrun 0 .. 10\n")
    done = zwang("run", model, "--tol", "1e-28", "--at", "0.1,10", "--out", "-")
    rows = rows_of(done.stdout)
    assert "taylor, double-double" in done.stderr, done.stderr
    # cos(0.1)/10 and cos(10)/10, to 29 digits
    assert [row["t"] for row in rows] == ["0.1", "10"]
    assert rows[0]["q"].startswith("0.0995004165278025766095561987"), rows
    assert rows[1]["q"].startswith("-0.0839071529076452452258863947"), rows


def digits_are_told_and_can_be_asked_for(folder):
    model = os.path.join(folder, "swing.zw")
    with open(model, "w") as f:
        f.write("coord q\nkinetic q'^2/2\npotential q^2/2\ninitial q = 1\ninitial q' = 0\nevent down: q = 0 report\nrun 0 .. 10\n")

    def good(*words):
        done = zwang("run", model, "--points", "2", "--out", "t.json", *words, folder=folder)
        told = json.load(open(os.path.join(folder, "t.json")))["statistics"]
        return done, told["digits"]["good"], told["tolerance"]

    done, usual, tolerance = good()
    assert usual > 9 and tolerance == 1e-10 and f"{int(usual)} of the end state are good" in done.stderr, done.stderr
    done, few, tolerance = good("--digits", "5", "--quiet")
    assert done.returncode == 0 and done.stderr == "" and 5 <= few < 12 and tolerance > 1e-10, (few, done.stderr)
    done, many, tolerance = good("--digits", "13")
    assert done.returncode == 0 and many >= 13 and tolerance < 1e-10, (many, done.stderr)
    # events are found in doubles
    done, most, tolerance = good("--digits", "20", "--method", "dop853")
    assert done.returncode == 1 and "20 digits were asked for" in done.stderr and 12 < most < 20, done.stderr
    done = zwang("run", model, "--digits", "0.5")
    assert done.returncode == 2 and "--digits 0.5: expected a whole number" in done.stderr, done.stderr


def integrals_of_the_gallery_hold_and_a_wrong_one_is_found(folder):
    names = ["free_body", "heavy_top", "spherical_pendulum", "figure_eight", "rolling_disc", "chaplygin_ball"]
    for name in names:
        done = zwang("verify", os.path.join(ROOT, "models", name + ".zw"), "--states", "3", "--format", "json")
        integrals = json.loads(done.stdout)["integrals"]
        assert done.returncode == 0 and integrals, (name, done.stderr)
        for each in integrals.values():
            assert each["conserved"] and each["drift"] < 1e-9 and each["rate"] < 1e-12, (name, integrals)
    wrong = os.path.join(folder, "wrong.zw")
    with open(wrong, "w") as file:
        file.write(open(PENDULUM).read() + "\nintegral mistake = x\n")
    done = zwang("verify", wrong)
    assert done.returncode == 1 and "NOT an integral of the motion" in done.stdout, done.stdout
    done = zwang("run", wrong, "--out", "-")
    assert "integrals" in done.stderr and "mistake" in done.stdout.splitlines()[0], done.stderr


def a_run_shows_its_motion_and_says_where_files_went(folder):
    path = os.path.join(folder, "fall.zw")
    with open(path, "w") as f:
        f.write("coord h [m]\nkinetic h'^2/2\npotential 9.81*h\nrun 0 .. 2\n")
    done = zwang("run", path)
    rows = [line.split() for line in done.stderr[done.stderr.index("  motion "):].splitlines()[:7]]
    assert done.stdout == "" and rows[0] == ["motion", "t", "[s]", "h", "[m]", "h'", "[m/s]"], done
    for i, (t, h, speed) in enumerate(rows[1:]):
        assert abs(float(t) - 0.4 * i) < 1e-9 and abs(float(h) + 9.81 / 2 * float(t) ** 2) < 1e-5 * 20 and abs(float(speed) + 9.81 * float(t)) < 1e-4, rows
    table, picture = os.path.join(folder, "a.csv"), os.path.join(folder, "a.gp")
    done = zwang("run", path, "--out", table, "--plot", picture)
    assert f"\n  table        {table}\n  picture      {picture}\n" in done.stderr and "motion" not in done.stderr, done
    for quiet in (("--quiet",), ("--columns", "h"), ("--format", "json")):
        assert "motion" not in zwang("run", path, *quiet).stderr
    # a file that was not written is not told of
    done = zwang("run", path, "--out", os.path.join(folder, "none", "a.csv"))
    assert done.returncode == 2 and "  table " not in done.stderr, done


def compared_runs_are_told_side_by_side(folder):
    done = zwang("run", SKATER, "--compare", "L5=1,0.65", "--points", "4", "--out", os.path.join(folder, "a.csv"))
    lines = done.stderr.splitlines()
    # what is the same once, what differs line below line
    assert sum(line.startswith("  method ") for line in lines) == 1 and sum("gauss16" in line for line in lines) == 1, lines
    at = next(i for i, line in enumerate(lines) if line.startswith("  energy "))
    assert lines[at].startswith("  energy       L5 = 1     start 343, end 102.859") and \
        lines[at + 1].startswith("               L5 = 0.65  start 343, end 98.218"), lines
    assert sum(line.startswith("  status ") for line in lines) == 1 and sum("done," in line for line in lines) == 2, lines


def compared_runs_share_a_table(folder):
    done = zwang("run", SKATER, "--compare", "L5=1,0.3", "--points", "4", "--out", "-", "--quiet")
    rows = rows_of(done.stdout)
    assert [float(row["L5"]) for row in rows] == [1] * 4 + [0.3] * 4
    assert abs(float(rows[-1]["xi"]) - 49.6886168639324401) < 1e-6


def json_and_csv_say_the_same(folder):
    zwang("run", SKATER, "--points", "5", "--out", "a.json", folder=folder)
    zwang("run", SKATER, "--points", "5", "--out", "a.csv", folder=folder)
    data = json.load(open(os.path.join(folder, "a.json")))
    rows = rows_of(open(os.path.join(folder, "a.csv")).read())
    for name, values in data["columns"].items():
        assert [float(row[name]) for row in rows] == values, name


BOX = """coord x, y, th
frame F = world at (x, y, 0) rotated z(th)
body B mass 2 inertia (1, 1, 1) at (0, 0, 0) in F
point L = (-1, -0.5, 0) in F
point R = (1, -0.5, 0) in F
gravity (0, -9.81, 0)
force (6*t, 0, 0) in world at B
constraint left: pos(L).y >= 0 with friction 0.4
constraint right: pos(R).y >= 0 with friction 0.4
initial y = 0.5
run 0 .. 2
"""


def a_second_solver_of_contacts_agrees_or_is_refused(folder):
    model = os.path.join(folder, "box.zw")
    open(model, "w").write(BOX)
    own, second = (zwang("run", model, "--contact-solver", name, "--points", "5", "--out", "-", "--quiet")
                   for name in ("own", "siconos"))
    assert zwang("run", model, "--contact-solver", "other").returncode == 2
    assert own.returncode == 0, own.stderr
    if second.returncode:
        assert second.returncode == 2 and "cannot be solved by Siconos" in second.stderr, second.stderr
        return
    for a, b in zip(rows_of(own.stdout), rows_of(second.stdout), strict=True):
        for name in ("t", "x", "y", "th", "x'"):
            assert abs(float(a[name]) - float(b[name])) < 1e-9, (name, a, b)


def check_picture(folder, *words):
    """a script for gnuplot, and where that is installed a picture"""
    for name, mark in (("a.gp", "plot"), ("a.svg", "</svg>")):
        done = zwang(*words, "--plot", name, folder=folder)
        if name == "a.svg" and not shutil.which("gnuplot"):
            assert done.returncode == 2 and "gnuplot is not installed" in done.stderr, done
        else:
            assert done.returncode == 0 and mark in open(os.path.join(folder, name)).read(), done


def geometry_speaks_json_text_and_latex(folder):
    cam = os.path.join(ROOT, "models", "cam_flywheel.zw")
    data = json.loads(zwang("geometry", cam, "--at", "phi=0.3", "--format", "json").stdout)
    assert data["coordinates"] == ["phi", "Theta"] and data["flat"] == "no"
    assert abs(data["sectional"]["12"] - 0.5) < 1e-12 and abs(data["scalar"] - 1) < 1e-12
    assert data["at"]["phi"] == 0.3 and data["metric"][0][0] == 2
    assert data["symbolic"]["sectional"]["12"] == "1/J1"
    assert "K_12 = 1/J1" in zwang("geometry", cam).stdout
    page = zwang("geometry", cam, "--as", "latex").stdout
    assert page.startswith("\\documentclass") and "\\Gamma_{1,22}" in page and page.endswith("\\end{document}\n")
    assert data["embedding"]["dimension"] == 3 and data["embedding"]["motion"]["difference"] < 1e-10
    check_picture(folder, "geometry", cam)
    for words, reason in ((("--at", "x=1"), "x"), (("--region", "phi=2..1"), "LOW"), (("--region", "x=1..2"), "x"), (("--as", "c"), "latex"), (("--at", "phi=0.1, phi=0.2"), "")):
        done = zwang("geometry", cam, *words)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def geometry_follows_geodesics(folder):
    path = os.path.join(folder, "ball.zw")
    with open(path, "w") as f:
        f.write("param R = 1.7\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint s: x^2 + y^2 + z^2 = R^2\n"
                "initial x = R\ninitial z' = 1\n")
    data = json.loads(zwang("geometry", path, "--geodesic", "12", "--format", "json").stdout)
    assert "embedding" not in data and data["constant_curvature"]["verdict"] == "yes"
    way = data["geodesic"]
    assert [c["multiplicity"] for c in way["conjugate"]] == [1, 1]
    assert abs(way["conjugate"][0]["length"] - 1.7 * math.pi) < 1e-10 and way["constraint_error"] < 1e-11
    assert all(abs(z - 1.7 * math.sin(s / 1.7)) < 1e-10 for s, (x, y, z) in zip(way["s"], way["q"]))
    check_picture(folder, "geometry", path, "--geodesic", "12")
    for words, reason in ((("--geodesic", "-1"), "above zero"), (("--energy", "much"), "no energy"), (("--energy", "-1"), "nothing moves"),
                          (("--geodesic", "3", "--at", "z' = 0"), "no geodesic")):
        done = zwang("geometry", path, *words)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def maps_are_written_for_other_programs(folder):
    path, c, program = (os.path.join(folder, name) for name in ("slider.zw", "map.c", "map"))
    with open(path, "w") as f:
        f.write("coord r, a\nkinetic 0.75*r'^2 + (0.4 + 1.5*r^2)/2*a'^2\ninitial r = 0.5\n")
    assert zwang("geometry", path, "--region", "r=0.2..1, a=0..1", "--map", c).returncode == 0
    with open(os.path.join(folder, "main.c"), "w") as f:
        f.write("#include <stdio.h>\nint zwang_map(const double*, double*, double*);\nint main(void)\n{\n"
                "  double q[2] = {0.55, 0.7}, x[3], d[6];\n  printf(\"%d\", zwang_map(q, x, d));\n"
                "  printf(\" %.15g %.15g %.15g\\n\", d[0]*d[0] + d[2]*d[2] + d[4]*d[4], d[0]*d[1] + d[2]*d[3] + d[4]*d[5],\n"
                "         d[1]*d[1] + d[3]*d[3] + d[5]*d[5]);\n  return 0;\n}\n")
    subprocess.run([*COMPILER, "-std=c99", "-Wall", "-Werror", "-o", program, c, os.path.join(folder, "main.c"), "-lm"], check=True)
    code, rr, ra, aa = map(float, subprocess.run([program], capture_output=True, text=True, check=True).stdout.split())
    assert code == 0 and abs(rr - 1.5) < 1e-10 and abs(ra) < 1e-10 and abs(aa - 0.4 - 1.5 * 0.55**2) < 1e-10
    out = os.path.join(folder, "map.json")
    assert zwang("geometry", path, "--map", out).returncode == 0
    data = json.load(open(out))
    assert data["dimension"] == 3 and data["error_of_series"] < 1e-12 and len(data["coefficients"]) == 3
    for words, reason in ((("--map", os.path.join(folder, "map.txt")), ".json"), (("--curvature", "--map", out), "no embedding was asked for")):
        done = zwang("geometry", path, *words)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def runs_watch_the_integrals_that_are_found(folder):
    path = os.path.join(folder, "orbit.zw")
    with open(path, "w") as f:
        f.write("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\ninitial x = 1\ninitial y' = 1.1\nrun 0 .. 3\n")
    done = zwang("run", path, "--conserved", "--out", os.path.join(folder, "orbit.csv"))
    found = re.findall(r"(\w+) = (\S+), drift (\S+)", done.stderr)
    assert done.returncode == 0 and [name for name, _, _ in found] == ["F1", "G2", "G3"], done.stderr
    assert abs(float(found[0][1]) - 1.1) < 1e-9 and all(float(drift) < 1e-9 for _, _, drift in found)


def check_counts_freedoms_behind_integrable_constraints(folder):
    models = {
        "hidden": ("coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint a: z' - y*x' + w' = 0\n"
                   "constraint b: z' - y*x' - w' = 0\n", 3, 2),
        "alone": ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: y*z*x' + x*z*y' + x*y*z' = 0\n"
                  "initial x = 1\ninitial y = 1\ninitial z = 1\n", 2, 2),
        "skate": ("coord x, y, f\nkinetic (x'^2 + y'^2 + f'^2)/2\nconstraint a: x'*sin(f) = y'*cos(f)\n", 3, 2)}
    for name, (text, positions, velocities) in models.items():
        path = os.path.join(folder, name + ".zw")
        open(path, "w").write(text)
        data = json.loads(zwang("check", path, "--format", "json").stdout)
        assert (data["dof_positions"], data["dof_velocities"]) == (positions, velocities), (name, data)


def stability_speaks_text_json_and_pictures(folder):
    open(os.path.join(folder, "wheel.zw"), "w").write(
        "model \"Bead on a turning hoop\"\nparam w = 1, g = 9, R = 1\ncoord th\n"
        "kinetic R^2*(th'^2 + w^2*sin(th)^2)/2\npotential -g*R*cos(th)\ninitial th = 0.1\n")
    wheel = os.path.join(folder, "wheel.zw")
    data = json.loads(zwang("stability", wheel, "--format", "json").stdout)
    assert set(data["steady"]) == {"th", "th'"} and abs(data["steady"]["th"]) < 1e-12
    assert data["verdict"] == "stable" and data["multipliers"] == []
    assert [abs(abs(im) - 8**0.5) < 1e-13 and abs(re) < 1e-13 for re, im in data["eigenvalues"]] == [True, True]
    scan = json.loads(zwang("stability", wheel, "--over", "w=1..5", "--format", "json").stdout)
    (critical,) = scan["over"]["critical"]
    assert abs(critical["value"] - 3) < 1e-8 and critical["becomes"] == "unstable", critical
    check_picture(folder, "stability", wheel, "--over", "w=1..5")
    tilted = json.loads(zwang("stability", wheel, "--set", "w=5", "--state", "th=1", "--format", "json").stdout)
    assert abs(math.cos(tilted["steady"]["th"]) - 9 / 25) < 1e-12 and tilted["verdict"] == "stable"
    assert "stable: the potential" in zwang("stability", wheel).stdout
    for words, reason in ((("--over", "w=2"), "FROM..TO"), (("--over", "z=1..2"), "no param"), (("--plot", "w.svg"), "--over"),
                          (("--period", "-1"), "above zero"), (("--format", "c"), "text and json"), (("--state", "q=1"), "q")):
        done = zwang("stability", wheel, *words)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def continuation_takes_a_tolerance(folder):
    path = os.path.join(folder, "gallop.zw")
    open(path, "w").write("param mu = -0.2\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (mu + x^2 - x^4)*x'\n")
    words = ("continue", path, "--over", "mu=-0.3..0.1", "--all", "--points", "10")
    for tolerance, off in (("1e-12", 1e-13), ("1e-8", 1e-9)):
        told = json.loads(zwang(*words, "--tol", tolerance, "--format", "json").stdout)
        (fold,) = [s["p"] for s in told["branches"][1]["special"]]
        assert abs(fold + 0.1249932169028515178) < off, (tolerance, fold)
    # a part that turns says where
    turning = os.path.join(folder, "turning.zw")
    open(turning, "w").write("param P = 1\ncoord y, z\nkinetic (y'^2 + z'^2)/2\npotential -z^2/2\nforce y = P - y^2 - 0.1*y'\ninitial y = 1\n")
    said = zwang("continue", turning, "--over", "P=-1..1").stdout
    assert re.search(r"unstable +from 1 to (0|-?\S+e-\d\d) and back to 1\n", said), said
    for value, reason in (("1e-3", "not told apart"), ("1e-20", "expected 1e-14"), ("-1", "above zero"), ("x", "a number")):
        done = zwang(*words, "--tol", value)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def manifolds_of_a_pendulum_are_its_separatrix(folder):
    path, table = os.path.join(folder, "pendulum.zw"), os.path.join(folder, "curves.csv")
    open(path, "w").write("coord x\nkinetic x'^2/2\npotential -cos(x)\ninitial x = 3\n")
    told = json.loads(zwang("chaos", path, "--manifolds", "--out", table, "--format", "json").stdout)
    assert (told["kind"], told["unstable"], told["stable"]) == ("equilibrium", 1, 1) and len(told["curves"]) == 4, told
    with open(table) as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == sum(len(curve["points"]) for curve in told["curves"])
    assert {(row["manifold"], row["side"]) for row in rows} == {(a, b) for a in ("stable", "unstable") for b in ("1", "-1")}
    assert all(abs(float(row["x'"]) ** 2 - 4 * math.cos(float(row["x"]) / 2) ** 2) < 1e-10 for row in rows)
    check_picture(folder, "chaos", path, "--manifolds")
    for words, reason in ((("--manifolds", "--section", "x = 0"), "no --section"), (("--period", "1"), "--manifolds"),
                          (("--manifolds", "--until", "-1"), "above zero"), (("--manifolds", "--state", "x = 0.1"), "no saddle"),
                          (("--manifolds", "--out", os.path.join(folder, "no", "x.csv")), "no/x.csv")):
        done = zwang("chaos", path, *words)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done


def stability_finds_branches_charts_and_periods(folder):
    def model(name, text):
        open(os.path.join(folder, name), "w").write(text)
        return os.path.join(folder, name)

    def asked(*words):
        return json.loads(zwang("stability", *words, "--format", "json").stdout)

    hoop = model("hoop.zw", "param w = 4, g = 9\ncoord th\nkinetic (th'^2 + w^2*sin(th)^2)/2\npotential -g*cos(th)\n")
    states = sorted((one["steady"]["th"], one["verdict"]) for one in asked(hoop, "--all")["others"])
    assert [word for th, word in states if abs(th) < 3] == ["stable", "stable"], states
    (fork,) = asked(hoop, "--all", "--over", "w=1..5")["over"]["critical"]
    assert fork["kind"] == "pitchfork" and (fork["before"], fork["after"]) == (2, 4) and abs(fork["value"] - 3) < 1e-8, fork
    rows = asked(hoop, "--over", "w=1..5, g=4..16", "--points", "5")["chart"]["rows"]
    assert all(abs(row["critical"][0]["value"] - row["value"] ** 0.5) < 1e-8 for row in rows), rows
    # a branch that begins at its fork
    (fork,) = asked(hoop, "--set", "g=16", "--over", "w=1..5")["over"]["critical"]
    assert abs(fork["value"] - 4) < 1e-8, fork
    # the narrow second tongue of Mathieu's equation: d = 4 - q^2/12 .. 4 + 5 q^2/12, q = 0.2
    hill = model("hill.zw", "param d = 4\ncoord x\nkinetic x'^2/2\npotential (d + 0.4*cos(2*t))*x^2/2\n")
    edges = [one["value"] for one in asked(hill, "--over", "d=3..5", "--points", "11")["over"]["critical"]]
    assert len(edges) == 2 and abs(edges[0] - 4 + 0.04 / 12) < 1e-5 and abs(edges[1] - 4 - 0.2 / 12) < 1e-4, edges
    assert abs(asked(hill)["period"] - math.pi) < 1e-12
    top = model("top.zw", "coord a, b, c\nframe top = world at (0, 0, 0.02*cos(10*t)) rotated x(a) y(b) z(c)\n"
                "body B mass 1 inertia (0.3, 0.3, 0.2) at (0, 0, 0.5) in top\ngravity (0, 0, -9.81)\ninitial c' = 3\n")
    said = asked(top)
    assert said["verdict"] == "unstable" and said["chetaev"]["speaks"] and said["chetaev"]["verdict"] == "unstable"
    surface = model("surface.zw", "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' = y^2*x'\n")
    reach = json.loads(zwang("check", surface, "--format", "json").stdout)
    assert reach["growth"] == [2, 3] and reach["degree"] == 2 and reach["along"] == [{"growth": [2, 2, 3], "degree": 3}]


def a_section_has_a_point_for_each_event(folder):
    model = os.path.join(folder, "oscillator.zw")
    with open(model, "w") as f:
        f.write("coord x\nkinetic x'^2/2\npotential x^2/2\nevent turn: sin(t) = 0 report\ninitial x = 1\n"
                "run 0 .. 40\nplot x' : x\nplot x', 2*x' : x at turn\n")
    script = os.path.join(folder, "oscillator.gp")
    for method in ([], ["--method", "moreau", "--step", "0.001"]):
        done = zwang("run", model, "--plot", script, "--quiet", *method)
        assert done.returncode == 0, done.stderr
        blocks = dict(re.findall(r"^\$(\S+) << END\n(.*?)^END", open(script).read(), re.M | re.S))
        points = [[float(x) for x in line.split()] for line in blocks["panel2_curve1"].splitlines() if line.strip()]
        # cos(k pi) at t = k pi, k = 1 .. 12
        assert len(points) == 12, points
        for k, (x, v) in enumerate(points, 1):
            assert abs(x - (-1) ** k) < (1e-2 if method else 1e-8) and abs(v) < (1e-2 if method else 1e-7), points
        assert "panel2_curve1 using 1:2 with points" in open(script).read()


def every_command_explains_itself(folder):
    words = zwang("--help").stdout
    for command in ("run", "derive", "eval", "check", "geometry", "stability", "sweep", "examples"):
        assert command in words
        done = zwang(command, "--help")
        assert done.returncode == 0 and "usage" in done.stdout
        assert zwang("help", command).stdout == done.stdout
        assert zwang(command, "--version").stdout == zwang("--version").stdout
    assert zwang("--version").stdout.startswith("zwang ")


def a_reader_who_has_seen_enough_is_no_fault(folder):
    for words in ("derive", SKATER, "--as", "json"), ("run", SKATER, "--points", "20000", "--quiet", "--out", "-"):
        run = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        run.stdout.close()
        err = run.stderr.read()
        assert run.wait(timeout=120) == 0 and err == "", (words, run.returncode, err)


def a_table_in_hdf5_touches_no_other_file(folder):
    # found in the folder of the build: while the library had the program itself open, nobody could start it
    watch = ctypes.CDLL(None).inotify_init1(os.O_NONBLOCK)
    for name in ("zwang", "table", "a"):
        path = os.path.join(folder, name)
        open(path, "w").close()
        assert ctypes.CDLL(None).inotify_add_watch(watch, path.encode(), 0x20) > 0  # IN_OPEN
    done = zwang("run", PENDULUM, "--out", "a.h5", "--quiet", folder=folder)
    assert done.returncode == 0 or "HDF5" in done.stderr, done.stderr
    with open(watch, "rb", buffering=0) as events:
        assert events.read(4096) is None, "a file that is not its own was opened"


def options_of(command):
    return {word for line in zwang(command, "--help").stdout.splitlines() for word in line.split()[:1] if word[:2] == "--"}


def completions_and_man_page_know_every_command_and_option(folder):
    share = os.path.join(ROOT, "share")
    bash, zsh, fish = (os.path.join(share, "completions", n) for n in ("zwang.bash", "_zwang", "zwang.fish"))
    man = open(os.path.join(share, "man", "zwang.1")).read().replace("\\-", "-")
    zsh, fish = open(zsh).read(), open(fish).read()
    listing = zwang("--help").stdout.splitlines()
    commands = [line.split()[0] for line in listing if line.startswith("  ")]
    assert "run" in commands and len(commands) >= 5
    for command in commands:
        options = options_of(command)
        ask = f'source {shlex.quote(bash)}; COMP_WORDS=(zwang {command} --); COMP_CWORD=2; _zwang; echo "${{COMPREPLY[@]}}"'
        offered = subprocess.run(["bash", "-c", ask], text=True, capture_output=True).stdout
        assert set(offered.split()) == options, (command, offered, options)
        assert f"zwang {command}" in man and f"'{command}:" in zsh and f"-a {command} " in fish, command
        for option in options:
            assert option in man and f"{option}[" in zsh and f" -l {option[2:]} " in fish, (command, option)


def manual_and_language_name_every_method(folder):
    names = [line.split()[0] for line in zwang("run", "--method", "list").stdout.splitlines()]
    assert len(names) > 5 and "gauss16" in names, names
    for page in ("share/man/zwang.1", "docs/language.md", "docs/numerics.md"):
        with open(os.path.join(ROOT, page), encoding="utf8") as f:
            text = f.read()
        missing = [name for name in names if name not in text]
        assert not missing, f"{page} does not name {missing}"


def forms_are_listed_by_derive_and_eval(folder):
    listed = zwang("derive", SKATER, "--form", "list", "--format", "json")
    assert zwang("eval", SKATER, "--form", "list", "--format", "json").stdout == listed.stdout
    share = os.path.join(ROOT, "share", "completions")
    for form in json.loads(listed.stdout)["forms"]:
        for name in ("zwang.bash", "zwang.fish", "_zwang"):
            words = re.split(r"[\s()\"]+", open(os.path.join(share, name)).read().replace("\\:", ":"))
            assert form["name"] in words, (name, form["name"])


def equations_leave_out_what_depends_on_others_along_the_motion(folder):
    # the third constraint follows from the first two only where these hold; taken as independent it stops the linkage
    linkage = os.path.join(ROOT, "models", "parallelogram_redundant.zw")
    page = json.loads(zwang("derive", linkage, "--form", "maggi", "--as", "json").stdout)
    assert len(page["equations"]) == 3, page["equations"]
    assert {d["left"] for d in page["definitions"]} == {"v", "a'", "b'", "c'"}
    assert all(d["right"] != "0" for d in page["definitions"]), page["definitions"]
    assert [r["right"] for r in page["reactions"] if r["label"] == "level"] == ["0"], page["reactions"]


def every_example_is_a_model(folder):
    names = [line.split()[0] for line in zwang("examples").stdout.splitlines()]
    assert "skater_benchmark" in names and len(names) > 20
    for name in names:
        text = zwang("examples", name).stdout
        assert text == open(os.path.join(ROOT, "models", name + ".zw"), encoding="utf8").read(), name
    done = zwang("run", "/dev/stdin", "--quiet", input=zwang("examples", "cam_flywheel").stdout)
    assert done.returncode == 0, done.stderr


def a_text_is_laid_out_in_its_place(folder):
    path, neat = os.path.join(folder, "a.zw"), "coord x\nkinetic x'^2/2\n"
    with open(path, "w") as f:
        f.write("coord  x\nkinetic x'^2 / 2\n")
    assert zwang("format", path).stdout == neat
    done = zwang("format", path, "--check")
    assert done.returncode == 1 and "a.zw" in done.stderr, done
    assert open(path).read() != neat
    assert zwang("format", path, "--write").returncode == 0 and open(path).read() == neat
    assert zwang("format", path, "--check").returncode == 0 and os.listdir(folder) == ["a.zw"]
    assert zwang("format", "-", input="coord  x\n").stdout == "coord x\n"
    assert zwang("format", path, "--check", "--write").returncode == 2 and zwang("lsp", path).returncode == 2
    with open(path, "w") as f:
        f.write("coord $\n")
    done = zwang("format", path, "--write")
    assert done.returncode == 2 and "a.zw:1:7" in done.stderr and open(path).read() == "coord $\n", done


def on_a_terminal(folder, **variables):
    """what is written to a terminal"""
    master, slave = os.openpty()
    subprocess.run([PROGRAM, "check", "bad.zw"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave,
                   env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **variables}, timeout=60 * calls.PATIENCE)
    os.close(slave)
    said = os.read(master, 10000).decode()
    os.close(master)
    return said


def faults_have_colours_on_a_terminal_alone(folder):
    with open(os.path.join(folder, "bad.zw"), "w") as f:
        f.write("coord x\nkinetic x'^2/2 + yy\n")
    said = on_a_terminal(folder)
    assert "\033[1;31merror:\033[0m unknown name `yy`" in said and "\033[1;31m^~\033[0m" in said, said
    for none in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\033" not in on_a_terminal(folder, **none)
    assert "\033" not in zwang("check", os.path.join(folder, "bad.zw")).stderr


def editors_are_answered(folder):
    def framed(message):
        text = json.dumps({"jsonrpc": "2.0", **message})
        return f"Content-Length: {len(text)}\r\n\r\n{text}"

    opened = {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a.zw", "text": "coord x\nforce x = y"}}}
    said = [{"id": 1, "method": "initialize", "params": {}}, opened, {"id": 2, "method": "shutdown"}, {"method": "exit"}]
    done = zwang("lsp", input="".join(map(framed, said)))
    answers = [json.loads(text) for text in re.findall(r"\{.*?\}(?=Content-Length|$)", done.stdout)]
    assert done.returncode == 0 and len(answers) == 3, done
    assert answers[1]["params"]["diagnostics"][0]["range"]["start"] == {"line": 1, "character": 10}, answers[1]
    # one that goes without a word
    assert zwang("lsp", input=framed(said[0])).returncode == 1


def neovim(folder, script, **more):
    """set up as the page says, with a script of this folder; what it printed"""
    page = open(os.path.join(ROOT, "docs", "editors.md"), encoding="utf8").read()
    with open(os.path.join(folder, "init.lua"), "w") as f:
        f.write(re.search(r"```lua\n(.*?)```", page, re.S).group(1))
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    return subprocess.run(["nvim", "--headless", "-u", "init.lua", "-c", "luafile " + os.path.join(ROOT, "test", "cli", script).replace(" ", "\\ "), "-c", "qa!"],
                          cwd=folder, text=True, capture_output=True, timeout=300 * calls.PATIENCE, env=dict(os.environ, PATH=path, HOME=folder, **more))


def a_real_editor_is_served(folder):
    if not shutil.which("nvim"):
        return "there is no Neovim"
    for name, text in (("bad", "coord x\nkinetic x'^2/2\nforce x = -k*x\n"),
                       ("good", "param m = 2 [kg] \"of the cart\"\ncoord x\nkinetic m/2*x'^2\nforce x = -m*x\n")):
        with open(os.path.join(folder, name + ".zw"), "w") as f:
            f.write(text)
    done = neovim(folder, "editor.lua", ZWANG_TEST_FOLDER=folder)
    told = done.stdout.splitlines()
    assert told[0].startswith("fault 2 11 12 unknown name `k`"), done
    assert told[1].startswith("hover ") and "`m` = 2 [kg]" in told[1] and "of the cart" in told[1], done
    assert told[2].startswith("offers ") and int(told[2].split()[1]) > 20, done
    assert told[3:] == ["text param mass = 2 [kg] \"of the cart\"", "text coord x", "text kinetic mass/2*x'^2", "text force x = -mass*x"], done


def a_real_editor_is_served_on_every_model(folder):
    if not shutil.which("nvim"):
        return "there is no Neovim"
    gallery = sorted(glob.glob(os.path.join(glob.escape(ROOT), "models", "*.zw")))
    with open(os.path.join(folder, "list"), "w") as f:
        f.write("\n".join(gallery) + "\n")
    done = neovim(folder, "editor_gallery.lua", ZWANG_TEST_LIST=os.path.join(folder, "list"))
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [r[-1] for r in rows] == [os.path.basename(p) for p in gallery], done
    for ms, right, wrong, offers, hover, places, after, name in rows:
        assert any("sanitize" in word for word in COMPILER) or float(ms) < 50, f"{name}: diagnostics after {ms} ms"
        assert (right, wrong, hover, after) == ("0", "1", "1", "0"), f"{name}: {right} faults, {wrong} with one typed in, hover {hover}, {after} after renaming"
        assert int(offers) > 20 and int(places) > 0, f"{name}: {offers} names offered, {places} places renamed"


STEEP = """model "A wall too steep to be seen"
param h = 10
coord x
kinetic x'^2/2
potential h*tanh(1e9*(x - 1))
initial x' = 1
integral E = energy()
run 0 .. 3
"""


def numbers_not_to_be_trusted_are_status_1(folder):
    with open(os.path.join(folder, "steep.zw"), "w") as file:
        file.write(STEEP)
    # steps pass over the wall, and energy is missing behind it
    for method in ("dop853", "gauss16", "adams", "bdf"):
        done = zwang("run", "steep.zw", "--method", method, "--out", "a.json", folder=folder)
        assert done.returncode == 1 and "do not trust these numbers" in done.stderr, (method, done.stderr)
        kept = json.load(open(os.path.join(folder, "a.json")))
        assert len(kept["columns"]["x"]) == 501 and kept["status"] == "done" and "energy" in kept["doubt"], kept["doubt"]
    # a status that is not 0 has its reason on stderr, however quiet the rest is to be
    for words in (["run", "steep.zw", "--out", "a.csv"], ["run", "steep.zw", "--compare", "h=0,10", "--out", "a.csv"],
                  ["view", "steep.zw", "--out", "a.html"], ["sweep", "steep.zw", "--over", "h=0,10", "--out", "b.csv"]):
        done = zwang(*words, "--method", "dop853", "--quiet", folder=folder)
        assert done.returncode == 1 and re.search("not to be trusted|do not trust", done.stderr) and "steps" not in done.stderr, (words, done.stderr)
    done = zwang("run", "steep.zw", "--set", "h=0", "--out", "a.csv", "--quiet", folder=folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert zwang("run", "steep.zw", "--set", "h=0", "--out", "a.json", folder=folder).returncode == 0
    assert json.load(open(os.path.join(folder, "a.json")))["doubt"] == ""
    # the one that fails is not hidden by the one that does not, in either order
    for values in ("0,10", "10,0"):
        done = zwang("run", "steep.zw", "--compare", "h=" + values, "--out", "a.csv", folder=folder)
        assert done.returncode == 1 and len(rows_of(open(os.path.join(folder, "a.csv")).read())) == 2 * 501, done.stderr
        assert done.stderr.count("do not trust") == 1 and "zwang:" not in done.stderr, done.stderr
    assert zwang("view", "steep.zw", "--out", "a.html", folder=folder).returncode == 1
    assert "do not trust these numbers" in open(os.path.join(folder, "a.html")).read()
    done = zwang("verify", "steep.zw", folder=folder)
    assert done.returncode == 1, done.stdout


def cells_without_a_value_are_empty_and_said_once(folder):
    with open(os.path.join(folder, "root.zw"), "w") as file:
        file.write("param v = 1\ncoord x\nkinetic x'^2/2\ninitial x' = v\noutput r = sqrt(1 - x)\noutput s = log(1 - x)\nrun 0 .. 2\n")
    done = zwang("run", "root.zw", "--points", "5", "--out", "a.csv", folder=folder)
    assert done.returncode == 0 and done.stderr.count("left empty") == 1, done.stderr
    assert "`r`, `s` have no value at t = 1 and in 2 more rows" in done.stderr, done.stderr
    rows = rows_of(open(os.path.join(folder, "a.csv")).read())
    assert [row["r"] == "" for row in rows] == [False, False, False, True, True], rows
    assert [row["s"] == "" for row in rows] == [False, False, True, True, True], rows
    assert all(row["x"] for row in rows)
    zwang("run", "root.zw", "--points", "5", "--out", "a.json", folder=folder)
    kept = json.load(open(os.path.join(folder, "a.json")))
    assert kept["columns"]["s"][2:] == [None] * 3 and any("left empty" in text for text in kept["warnings"]), kept["warnings"]
    # two runs, one word; where all is defined, none
    done = zwang("run", "root.zw", "--points", "5", "--compare", "v=0.1,1,2", "--out", "a.csv", folder=folder)
    assert done.stderr.count("left empty") == 1, done.stderr
    assert "left empty" not in zwang("run", "root.zw", "--set", "v=0.1", "--out", "a.csv", folder=folder).stderr


def equations_say_where_they_hold(folder):
    block = os.path.join(ROOT, "models", "dry_friction.zw")
    floor = "coord z\nkinetic z'^2/2\npotential 9.81*z\nconstraint floor: z >= 0\ninitial z = 1\n"
    with open(os.path.join(folder, "ball.zw"), "w") as file:
        file.write(floor)
    # the exported C decides both
    for style in ("text", "latex", "json"):
        done = zwang("derive", "ball.zw", "--as", style, folder=folder)
        assert "is stressed" in done.stdout, (style, done.stdout)
        # a force that jumps
        assert "force jumps" in zwang("derive", block, "--as", style).stdout, style
        assert "stressed" not in zwang("derive", PENDULUM, "--as", style).stdout, style
    assert "stressed" not in zwang("derive", "ball.zw", "--as", "c", folder=folder).stderr
    kept = json.loads(zwang("derive", "ball.zw", "--as", "json", folder=folder).stdout)["assumptions"]
    assert [one["constraint"] for one in kept] == ["floor"], kept
    # Gauss's principle has the inequality itself
    assert "is stressed" not in zwang("derive", "ball.zw", "--form", "gauss", folder=folder).stdout
    assert "stressed" not in zwang("derive", "ball.zw", "--show", "T,V", folder=folder).stdout


def exported_c_decides_where_friction_holds(folder):
    block = os.path.join(ROOT, "models", "dry_friction.zw")
    with open(os.path.join(folder, "block.c"), "w") as file:
        file.write(zwang("derive", block, "--as", "c").stdout)
        file.write("#include <stdio.h>\nint main(void)\n{\n  double v;\n  for (v = -1; v <= 1; v++) {\n"
                   "    double q = 0.1, a = 9;\n    int rc = zwang_accelerations(0, &q, &v, 0, &a, 0);\n"
                   "    printf(\"%d %.17g\\n\", rc, a);\n  }\n  return 0;\n}\n")
    subprocess.run([*COMPILER, "-o", "block", "block.c", "-lm"], cwd=folder, check=True)
    got = subprocess.run(["./block"], cwd=folder, text=True, capture_output=True).stdout.split()
    # k x = 0.1 against f = 0.15
    assert got[0] == "0" and abs(float(got[1]) - 0.05) < 1e-15, got
    assert got[2] == "0" and abs(float(got[3])) < 1e-15, got
    assert got[4] == "0" and abs(float(got[5]) + 0.25) < 1e-15, got


def a_run_that_outlives_its_last_stage_says_so(folder):
    text = "coord x\nkinetic x'^2/2\nparam f = 0\nforce x = f\nstage push { set f = 1; until %s }\n"
    for until in ("t >= 1", "x >= 0.5"):
        with open(os.path.join(folder, "push.zw"), "w") as file:
            file.write(text % until + "run 0 .. 3\n")
        for way in ([], ["--method", "moreau", "--step", "0.01"]):
            done = zwang("run", "push.zw", *way, folder=folder)
            assert done.returncode == 0 and done.stderr.count("`run` goes on in it to t = 3") == 1, (until, way, done.stderr)
        # who says when to stop knows
        assert "goes on" not in zwang("run", "push.zw", "--until", "2", folder=folder).stderr
        assert "goes on" not in zwang("run", "push.zw", "--until", "0.5", folder=folder).stderr
    with open(os.path.join(folder, "push.zw"), "w") as file:
        file.write(text % "t >= 3" + "run 0 .. 3\n")
    assert "goes on" not in zwang("run", "push.zw", folder=folder).stderr


def what_looks_like_an_oversight_is_hinted_at(folder):
    def said(text, *words):
        with open(os.path.join(folder, "m.zw"), "w") as file:
            file.write(text)
        done = zwang("run", "m.zw", *words, folder=folder)
        assert done.returncode == 0, done.stderr
        return done.stderr
    pendulum = "coord theta [rad]\nkinetic theta'^2/2\npotential -cos(theta)\ninitial theta = %s\nrun 0 .. 1\n"
    assert "m.zw:4:17: note: an angle of 45 rad" in said(pendulum % "45") and "45 [deg]" in said(pendulum % "45")
    for fine in ("45 [deg]", "0.5", "6", "12.5", "1000"):
        assert "turns" not in said(pendulum % fine), fine
    assert "note: an angle of 90 rad" in said("param a = 90\ncoord x\nframe f = world rotated z(a)\nparticle P mass 1 = (x, 0, 0) in f\ninitial x' = 1\nrun 0 .. 1\n")
    assert "nothing moves" in said(pendulum % "0")
    assert "nothing moves" not in said(pendulum % "0.1")
    assert "nothing moves" not in said("coord x\nkinetic x'^2/2\nforce x = if(t < 0.9, 0, 1)\nrun 0 .. 1\n")


def no_output_tells_the_folder_of_its_author(folder):
    home = os.path.join(folder, "the quokka's own folder")
    os.makedirs(os.path.join(home, "parts"))
    with open(os.path.join(home, "parts", "numbers.inc"), "w") as file:
        file.write("param g = 9.81, L = 1\n")
    path = os.path.join(home, "swing.zw")
    with open(path, "w") as file:
        file.write('model "A swing"\nuse "parts/numbers.inc"\ncoord phi\nkinetic L^2*phi\'^2/2\npotential -g*L*cos(phi)\n'
                   "initial phi = 1\nevent low: phi = 0 report\nrun 0 .. 1\nplot phi : t\n")
    made = [("run", "--out", name) for name in ("run.csv", "run.json", "run.h5")]
    made += [("run", "--plot", name) for name in ("run.gp", "run.svg")]
    made += [("view", "--out", "page.html"), ("sweep", "--over", "g=1,2", "--out", "sweep.csv"),
             ("sweep", "--over", "g=1,2", "--out", "sweep.h5", "--plot", "sweep.gp")]
    printed = [("derive", "--as", style) for style in ("text", "latex", "c", "json")]
    printed += [(command, "--format", kind) for command in ("check", "geometry", "verify", "stability") for kind in ("text", "json")]
    for command, *words in made + printed:
        done = zwang(command, path, *words, folder=folder)
        assert done.returncode == 0, (command, words, done.stderr)
        assert "quokka" not in done.stdout, (command, words)
    names = {words[i + 1] for _, *words in made for i, word in enumerate(words) if word in ("--out", "--plot")}
    for name in names:
        assert b"quokka" not in open(os.path.join(folder, name), "rb").read(), name


def an_installed_library_serves_a_program(folder):
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder], check=True,
                   stdout=subprocess.DEVNULL)
    found = [os.path.join(at, n) for at, _, names in os.walk(folder) for n in names]
    pc = next(f for f in found if f.endswith("zwang.pc"))
    here = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(pc), PKG_CONFIG_SYSROOT_DIR=folder)
    flags = shlex.split(subprocess.run(["pkg-config", "--cflags", "--libs", "zwang"], env=here, check=True, text=True,
                                       capture_output=True).stdout)
    library = os.path.dirname(next(f for f in found if f.endswith("libzwang.so")))
    source = os.path.join(ROOT, "examples", "pendulum.c")
    program = os.path.join(folder, "pendulum")
    subprocess.run([*COMPILER, "-std=c17", source, "-o", program, *flags, "-lm"], check=True)
    done = subprocess.run([program], env=dict(os.environ, LD_LIBRARY_PATH=library), text=True, capture_output=True)
    assert done.returncode == 0 and "period" in done.stdout, done.stdout + done.stderr
    assert any(f.endswith("zwang.1") for f in found), "no man page"


TESTS = [ctrl_c_keeps_what_was_computed, ctrl_c_in_a_proof_keeps_the_table,
         a_request_to_end_and_a_closed_terminal_keep_it_too,
         under_nohup_a_closed_terminal_ends_nothing, ctrl_c_in_a_film_leaves_nothing_behind, a_long_run_shows_its_progress_on_a_terminal,
         rows_stand_at_exactly_the_times_asked_for, a_tolerance_beyond_doubles_gives_thirty_digits,
         digits_are_told_and_can_be_asked_for, a_run_shows_its_motion_and_says_where_files_went, compared_runs_are_told_side_by_side, compared_runs_share_a_table,
         integrals_of_the_gallery_hold_and_a_wrong_one_is_found, json_and_csv_say_the_same,
         a_second_solver_of_contacts_agrees_or_is_refused, geometry_speaks_json_text_and_latex, geometry_follows_geodesics, maps_are_written_for_other_programs, runs_watch_the_integrals_that_are_found,
         check_counts_freedoms_behind_integrable_constraints, stability_speaks_text_json_and_pictures, stability_finds_branches_charts_and_periods, continuation_takes_a_tolerance,
         manifolds_of_a_pendulum_are_its_separatrix,
         a_section_has_a_point_for_each_event, every_command_explains_itself, a_reader_who_has_seen_enough_is_no_fault, a_table_in_hdf5_touches_no_other_file,
         completions_and_man_page_know_every_command_and_option,
         manual_and_language_name_every_method,
         forms_are_listed_by_derive_and_eval,
         equations_leave_out_what_depends_on_others_along_the_motion, every_example_is_a_model,
         a_text_is_laid_out_in_its_place, faults_have_colours_on_a_terminal_alone, editors_are_answered, a_real_editor_is_served, a_real_editor_is_served_on_every_model,
         numbers_not_to_be_trusted_are_status_1, cells_without_a_value_are_empty_and_said_once,
         equations_say_where_they_hold, exported_c_decides_where_friction_holds,
         a_run_that_outlives_its_last_stage_says_so, what_looks_like_an_oversight_is_hinted_at,
         no_output_tells_the_folder_of_its_author, an_installed_library_serves_a_program]
print(f"1..{len(TESTS)}")
failed = 0
for number, test in enumerate(TESTS, 1):
    with tempfile.TemporaryDirectory() as folder:
        try:
            skipped = test(folder)
            print(f"ok {number} - {test.__name__}" + (f" # SKIP {skipped}" if skipped else ""))
        except Exception as fault:
            failed += 1
            print(f"#   {type(fault).__name__}: {fault}".replace("\n", "\n#   "))
            print(f"not ok {number} - {test.__name__}")
sys.exit(failed != 0)
