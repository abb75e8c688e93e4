#!/usr/bin/env python3
"""Many runs as a person or a script asks for them. Prints TAP.

sweep.py PROGRAM ROOT [--slow]
"""
import ast, csv, math, os, pty, random, select, shutil, signal, struct, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import calls

PROGRAM, ROOT = (os.path.abspath(a) for a in sys.argv[1:3])
SLOW = "--slow" in sys.argv
SKATER = os.path.join(ROOT, "models", "skater_benchmark.zw")
BALL = os.path.join(ROOT, "models", "bouncing_ball.zw")


class Skip(Exception):
    pass


def zwang(*words, folder=None, **more):
    return subprocess.run([PROGRAM, *words], cwd=folder, text=True, capture_output=True, timeout=300, **more)


def sweep(model, *words, folder=None):
    done = zwang("sweep", model, *words, "--quiet", folder=folder)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(done.stdout.splitlines()))


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def rows_are_the_runs_themselves(folder):
    # one by one to the last bit: extremes need all rows; side by side to the tolerance
    words = ["--over", "e=0.5,0.9", "--over", "g=1.62..9.81:2", "--until", "1.2", "--points", "2"]
    rows = sweep(BALL, *words, "--results", "h,h',time(bounce),max(h)")
    along = sweep(BALL, *words, "--results", "h,h',time(bounce)")
    for row, other in zip(rows, along):
        for name in ("h", "h'", "time(bounce)"):
            assert abs(float(row[name]) - float(other[name])) < 1e-9, (row, other)
    assert [(row["e"], row["g"]) for row in rows] == [
        (a, b) for a in ("0.5", "0.9") for b in ("1.62", "9.81")]
    for row in rows:
        run = zwang("run", BALL, "--set", "e=" + row["e"], "--set", "g=" + row["g"], "--until", "1.2", "--points", "2", "--out", "-", "--quiet")
        last = list(csv.DictReader(run.stdout.splitlines()))[-1]
        assert (row["h"], row["h'"]) == (last["h"], last["h'"]), (row, last)
        assert abs(float(row["time(bounce)"]) - math.sqrt(2 / float(row["g"]))) < 1e-9, row


def starts_of_coordinates_and_velocities_are_swept(folder):
    rows = sweep(BALL, "--over", "h=0.5,2", "--over", "h'=-1,1", "--set", "e=0.5", "--results", "max(h), time(bounce), count(bounce)",
                 "--until", "0.8", "--points", "2001")
    assert len(rows) == 4
    for row in rows:
        h, v, g = float(row["h"]), float(row["h'"]), 9.81
        assert abs(float(row["time(bounce)"]) - (v + math.sqrt(v * v + 2 * g * h)) / g) < 1e-9, row
        assert abs(float(row["max(h)"]) - (h + v * v / 2 / g if v > 0 else h)) < 1e-5, row


def a_param_that_counts_repetitions_is_swept(folder):
    with open(os.path.join(folder, "row.zw"), "w") as file:
        file.write("param N = 2, k[1] = 1\nfor i in 1..N { coord x[i]\nkinetic x[i]'^2/2\npotential k[1]*x[i]^2/2\n"
                   "initial x[i] = i }\noutput E = energy()\nrun 0 .. 1\n")
    # columns keep their names, wherever they stand in the table of a run
    rows = sweep("row.zw", "--over", "N=1,2,3", folder=folder)
    assert rows[0]["reason"] and rows[0]["E"] == "nan", rows
    for row, want in zip(rows[1:], (2.5, 7)):
        assert abs(float(row["E"]) - want) < 1e-9 and abs(float(row["x[2]'"]) + 2 * math.sin(1)) < 1e-9, row
    rows = sweep("row.zw", "--over", "k[1]=1,4", "--over", "x[2]=5", "--results", "x[2]", folder=folder)
    for row in rows:
        assert abs(float(row["final(x[2])"]) - 5 * math.cos(math.sqrt(float(row["k[1]"])))) < 1e-9, row


def stages_may_end_at_times_not_known_before(folder):
    with open(os.path.join(folder, "thrown.zw"), "w") as file:
        file.write("param v = 1, g = 2\ncoord h\nkinetic h'^2/2\npotential g*h\ninitial h' = v\n"
                   "stage rise { until h' <= 0 }\nstage fall { set g = 8; until h <= 0 }\n")
    for row in sweep("thrown.zw", "--over", "v=1,2,3", folder=folder):
        v = float(row["v"])
        assert abs(float(row["t"]) - v * (1 / 2 + 1 / 4)) < 1e-9 and abs(float(row["h'"]) + 2 * v) < 1e-9, row


def a_run_that_fails_is_a_row_with_its_reason(folder):
    rows = sweep(SKATER, "--over", "m=0,7,-1", "--results", "xi")
    assert [bool(row["reason"]) for row in rows] == [True, False, True], rows
    assert rows[0]["xi"] == "nan" and float(rows[1]["xi"]) > 26, rows
    done = zwang("sweep", SKATER, "--over", "m=0,7,-1", "--results", "xi")
    assert done.returncode == 0 and "2 failed" in done.stderr, done.stderr


STEEP = """param h = 10, f = 0.1
coord x
kinetic x'^2/2
potential h*tanh(1e9*(x - 1))
force x = f*sin(t)
initial x' = 1
run 0 .. 3
"""


def runs_not_to_be_trusted_are_marked(folder):
    # steps pass over the wall at x = 1, and energy is missing behind it
    with open(os.path.join(folder, "steep.zw"), "w") as file:
        file.write(STEEP)
    words = ["sweep", "steep.zw", "--over", "h=0,1e-9,1e-3,10", "--method", "dop853"]
    # side by side, one by one, in HDF5
    for results, way in (("x", []), ("x,max(x)", []), ("x", ["--threads", "2"])):
        done = zwang(*words, "--results", results, *way, folder=folder)
        assert done.returncode == 1 and "2 of 4 runs are not to be trusted" in done.stderr, done.stderr
        rows = list(csv.DictReader(done.stdout.splitlines()))
        assert [row["quality"][:9] for row in rows] == ["", "", "doubtful:", "doubtful:"], rows
        assert all(abs(float(row["x"]) - 3) < 1 and row["reason"] == "" for row in rows), rows
        for row in rows:
            alone = zwang("run", "steep.zw", "--set", "h=" + row["h"], "--method", "dop853", folder=folder)
            said = [line[len("warning: "):] for line in alone.stderr.splitlines() if line.startswith("warning: ")]
            assert row["quality"].removeprefix("doubtful: ") == "; ".join(said), (row, said)
            assert alone.returncode == bool(said), alone.stderr
    if zwang(*words, "--results", "x", "--out", "a.h5", "--quiet", folder=folder).returncode != 2:
        done = zwang(*words, "--results", "x", "--out", "b.h5", folder=folder)
        assert done.returncode == 1 and b"doubtful: the energy" in read(folder, "b.h5"), done.stderr


def warnings_of_single_runs_are_in_the_table(folder):
    with open(os.path.join(folder, "rows.zw"), "w") as file:
        file.write("param a = 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*z\nconstraint one: x' + y' = 0\n"
                   "constraint two: x' + y' + a*z' = 0\ninitial x' = 1\ninitial y' ~ -1\nrun 0 .. 1\n")
    rows = sweep("rows.zw", "--over", "a=0,1", "--results", "x", folder=folder)
    assert rows[0]["quality"].startswith("warned: the constraint `two` follows") and rows[1]["quality"] == "", rows


def warnings_do_not_depend_on_the_rows(folder):
    # the table pulls the ball for a while, between the first row and the last, which are all that a sweep makes
    with open(os.path.join(folder, "shaken.zw"), "w") as file:
        file.write("param h = 1\nball b mass 0.2 radius 0.1\ngravity (0, 0, -9.81)\nframe table = world at (0, 0, 0.02*h*sin(11*t))\n"
                   "roll b as sphere(0.1) on table as plane at c\ninitial pos(c, table).x = 0.2\ninitial pos(c, table).y = 0\n"
                   "initial rotation(b) = z(0)\ninitial omega(b) = (1, 2, 3)\nrun 0 .. 0.6\n")
    rows = sweep("shaken.zw", "--over", "h=1,3.9,4.2,5", "--results", "b.x", folder=folder)
    for row in rows:
        alone = zwang("run", "shaken.zw", "--set", "h=" + row["h"], "--points", "1001", folder=folder)
        said = [line.partition("warning: ")[2] for line in alone.stderr.splitlines() if "warning: " in line]
        assert row["quality"].removeprefix("warned: ") == "; ".join(said), (row, said)
    assert [bool(row["quality"]) for row in rows] == [False, False, True, True], rows


def results_that_are_not_defined_are_told(folder):
    with open(os.path.join(folder, "root.zw"), "w") as file:
        file.write("param v = 1\ncoord x\nkinetic x'^2/2\ninitial x' = v\noutput r = sqrt(1 - x)\nevent far: x = 1 report\nrun 0 .. 2\n")
    # side by side and one by one; an event that does not happen is no fault
    for words in ("r", "r,max(x)", "r,time(far)"):
        rows = sweep("root.zw", "--over", "v=0.1,1", "--results", words, folder=folder)
        assert [row["quality"] for row in rows] == ["", "warned: `r` not defined there"], rows
        assert rows[1]["r"] == "nan" and rows[1]["reason"] == "", rows


def samples_of_sobol_are_spread_and_random_ones_follow_the_seed(folder):
    words = ["--over", "m=5..9", "--over", "k1=0.1..1", "--over", "L5=1,2", "--results", "xi"]
    rows = sweep(SKATER, *words, "--sobol", "8")
    assert len(rows) == 16 and rows[0]["m"] == rows[1]["m"] and rows[0]["L5"] != rows[1]["L5"]
    assert sorted(int((float(row["m"]) - 5) * 2) for row in rows[::2]) == list(range(8))
    first, second, third = (sweep(SKATER, *words, "--random", "4", "--seed", seed) for seed in ("1", "1", "2"))
    assert first == second and first != third


def basins_tell_where_runs_end(folder):
    model = os.path.join(folder, "wells.zw")
    with open(model, "w") as file:
        file.write("""model "Two wells"
param c = 0.5
coord x
coord y
particle P mass 1 = (x, y, 0) in world
potential (x^2 - 1)^2/4 + y^2/2
force x = -c*x'
force y = -c*y'
initial x = 0.1
initial y = 0
run 0 .. 60
""")
    rows = sweep(model, "--over", "x'=-2..2:9", "--basin", "left: x=-1, y=0", "--basin", "right, far: x=1, y=0", "--results", "x")
    for row in rows:
        assert abs(abs(float(row["x"])) - 1) < 1e-3, row
        assert row["basin"] == ("left" if float(row["x"]) < 0 else "right, far"), row
    assert {row["basin"] for row in rows} == {"left", "right, far"}


def one_layout(folder, model, words, name, before=(), threads=1):
    command = [*before, PROGRAM, "sweep", model, *words, "--quiet", "--threads", str(threads), "--out", name]
    here = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    done = subprocess.run(command, cwd=folder, env=here, text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return read(folder, name)


def threads_and_ranks_give_the_same_file(folder):
    cases = [(SKATER, ["--over", "m=5..9", "--over", "k1=0.1..1", "--sobol", "5000"]),
             (BALL, ["--over", "h=0.5..2:40", "--results", "h,count(bounce),time(bounce,3)"])]
    for i, (model, words) in enumerate(cases):
        one = one_layout(folder, model, words, f"one{i}.csv")
        placed = one_layout(folder, model, words, f"one{i}.npy")
        for threads in (2, 3, 7):
            assert one_layout(folder, model, words, f"many{i}-{threads}.csv", threads=threads) == one, threads
            assert one_layout(folder, model, words, f"many{i}-{threads}.npy", threads=threads) == placed, threads
        if not shutil.which("mpirun"):
            raise Skip("no mpirun here")
        for ranks in (2, 3):
            # Open MPI keeps memory of its own to the end, which a check for leaks would count
            before = ["mpirun", "-x", "ASAN_OPTIONS=detect_leaks=0", "-n", str(ranks)]
            assert one_layout(folder, model, words, f"ranks{i}-{ranks}.csv", before) == one, ranks
            assert one_layout(folder, model, words, f"ranks{i}-{ranks}.npy", before) == placed, ranks


def killed_and_resumed_to_the_same_bytes(folder, model, words, ending, kills):
    command = [PROGRAM, "sweep", model, *words, "--quiet", "--out"]
    started = time.time()
    subprocess.run([*command, "whole" + ending], cwd=folder, check=True)
    took = time.time() - started
    chance = random.Random(7)
    killed = 0
    for attempt in range(400):
        more = ["--resume"] if os.path.exists(os.path.join(folder, "broken" + ending + ".journal")) else []
        run = subprocess.Popen([*command, "broken" + ending, *more], cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            _, err = run.communicate(timeout=None if killed >= kills else 0.005 + chance.random() * 1.5 * took / kills)
            assert run.returncode == 0, err
            break
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
            killed += 1
    assert killed >= 1, "it was never killed in time"
    assert read(folder, "broken" + ending) == read(folder, "whole" + ending)
    assert sorted(os.listdir(folder)) == sorted(["broken" + ending, "whole" + ending]), os.listdir(folder)


def a_killed_sweep_goes_on_where_it_was(folder):
    runs, kills = (1000, 20) if SLOW else (250, 8)
    killed_and_resumed_to_the_same_bytes(folder, BALL, ["--over", f"h=0.5..2:{runs}"], ".csv", kills)


def so_does_one_of_runs_side_by_side(folder):
    runs = 400000 if SLOW else 100000
    killed_and_resumed_to_the_same_bytes(folder, SKATER, ["--over", "m=5..9", "--sobol", str(runs), "--results", "xi,eta"], ".csv", 8)


def so_does_one_into_hdf5(folder):
    done = zwang("run", BALL, "--out", os.path.join(folder, "try.h5"), "--quiet")
    if done.returncode:
        raise Skip("no HDF5 here")
    os.remove(os.path.join(folder, "try.h5"))
    killed_and_resumed_to_the_same_bytes(folder, BALL, ["--over", "h=0.5..2:150"], ".h5", 5)


def so_does_one_as_numpy_keeps_it(folder):
    runs = 400000 if SLOW else 100000
    killed_and_resumed_to_the_same_bytes(folder, SKATER, ["--over", "m=5..9", "--sobol", str(runs), "--results", "xi,eta"], ".npy", 8)


def a_table_of_numpy_has_the_numbers_of_the_others(folder):
    words = ["--over", "h=0.5..2:7", "--over", "e=0.5,2", "--results", "h,count(bounce)", "--basin", "low: h=0", "--basin", "high: h=1",
             "--until", "1.5"]
    zwang("sweep", BALL, *words, "--out", "a.npy", "--quiet", folder=folder)
    rows = sweep(BALL, *words)
    bytes = read(folder, "a.npy")
    before = 10 + int.from_bytes(bytes[8:10], "little")
    head = ast.literal_eval(bytes[10:before].decode())
    assert head["shape"] == (14,) and not head["fortran_order"], head
    assert head["descr"] == [(n, "<f8") for n in ("h", "e", "final(h)", "count(bounce)", "basin", "quality")], head
    table = list(struct.iter_unpack("<6d", bytes[before:]))
    assert len(table) == 14
    for row, (h, e, end, count, basin, quality) in zip(rows, table):
        assert (float(row["h"]), float(row["e"])) == (h, e), row
        if row["reason"]:
            assert math.isnan(end) and math.isnan(count) and basin == quality == -1, row
            continue
        assert (float(row["final(h)"]), float(row["count(bounce)"])) == (end, count), row
        assert ["low", "high"][int(basin)] == row["basin"] and quality == 0, row
    assert 0 < sum(row[-1] < 0 for row in table) < 14
    done = zwang("sweep", BALL, "--over", "h=1,2", "--out", "nowhere/a.npy", folder=folder)
    assert done.returncode == 2 and "nowhere" in done.stderr, done.stderr
    # to a stream as to a file
    zwang("sweep", BALL, *words, "--out", "/dev/null", "--quiet", folder=folder)


def a_full_disk_is_told_of_by_tables_in_places(folder):
    done = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$0" "$@"', PROGRAM, "sweep", SKATER, "--over", "m=5..9", "--sobol", "20000", "--out", "a.npy",
                           "--results", "xi"], cwd=folder, text=True, capture_output=True, timeout=300)
    assert done.returncode == 3 and "cannot write" in done.stderr, (done.returncode, done.stderr)


def rows_that_were_damaged_meanwhile_are_made_again(folder):
    command = [PROGRAM, "sweep", BALL, "--over", "h=0.5..2:400", "--out"]
    subprocess.run([*command, "whole.csv", "--quiet"], cwd=folder, check=True)
    run = subprocess.Popen([*command, "broken.csv", "--quiet"], cwd=folder, env=dict(os.environ, ZWANG_KEEP_EVERY="0.01"))
    journal, part = os.path.join(folder, "broken.csv.journal"), os.path.join(folder, "broken.csv.part")

    def is_marked():
        # two lines: the name of the sweep, and rows that are good; it goes when the sweep is complete
        try:
            with open(journal) as file:
                return file.read().count("\n") >= 2
        except FileNotFoundError:
            return False

    while run.poll() is None and not is_marked():
        time.sleep(0.01)
    run.kill()
    run.wait()
    # at its end the table gets its name before the journal goes
    if not os.path.exists(journal) or not os.path.exists(part):
        raise Skip("it was never killed in time")
    os.truncate(part, 300)
    done = subprocess.run([*command, "broken.csv", "--resume"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and "was changed since it was written" in done.stderr, done.stderr
    assert read(folder, "broken.csv") == read(folder, "whole.csv")


def runs_side_by_side_are_the_runs_themselves(folder):
    words = ["--over", "m=5..9", "--over", "k1=0.1..1", "--over", "theta=0..6", "--sobol", "50"]
    fast, plain = sweep(SKATER, *words), sweep(SKATER, *words, "--method", "taylor")
    for a, b in zip(fast, plain):
        for name in a:
            assert name in ("quality", "reason") or abs(float(a[name]) - float(b[name])) < 1e-9 * (1 + abs(float(b[name]))), (name, a, b)
    # what machine code, the interpreter and other vectors give is the same to the last bit
    whole = zwang("sweep", SKATER, *words, "--quiet").stdout
    for kind in ("interp", "avx2"):
        done = zwang("sweep", SKATER, *words, "--quiet", env=dict(os.environ, ZWANG_CODE=kind))
        assert done.stdout == whole, kind


def events_that_are_hardly_reached_are_seen_side_by_side(folder):
    # thrown up as high as an event that throws it up again, or not quite; steps of free fall are long
    with open(os.path.join(folder, "kick.zw"), "w") as file:
        file.write("param g = 9.81, v = 2\ncoord h\nparticle ball mass 1 = (0, 0, h) in world\ngravity (0, 0, -g)\ninitial h' = v\n"
                   "event kick: h = 0.2 falling { set h' = 3 }\nrun 0 .. 3\n")
    words = ["kick.zw", "--over", "v=1.96..2.02:121", "--results"]
    along, alone = (sweep(*words, results, folder=folder) for results in ("h,count(kick)", "h,count(kick),max(t)"))
    enough = math.sqrt(2 * 9.81 * 0.2)
    for a, b in zip(along, alone):
        assert a["count(kick)"] == b["count(kick)"] and (int(a["count(kick)"]) > 0) == (float(a["v"]) > enough), (a, b)
        assert abs(float(a["h"]) - float(b["h"])) < 1e-8, (a, b)


def starts_side_by_side_are_those_of_ordinary_runs(folder):
    # velocities that the constraints leave open are chosen by the masses; equations that determine them; a rod that moves, on which the start lies
    blade = ("param m = 1, M = 25, J = 0.3, V = 1\ncoord x, y, th\nkinetic (m*x'^2 + M*y'^2 + J*th'^2)/2\n"
             "constraint blade: x'*sin(th) - y'*cos(th) = {}\ninitial th = 0.4\ninitial th' = 1\n{}run 0 .. 2\n")
    rod = ("param m = 1, L = 1, J = 2\ncoord x, y\nparticle P mass m = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
           "constraint rod: x^2 + y^2 = (L + 0.1*sin(J*t))^2\ninitial x {} 0.6*L\ninitial y {} -0.8*L\n{}run 0 .. 2\n")
    models = [blade.format("0", "initial x' ~ V\n"), blade.format("V", ""), blade.format("0", "initial x' ~ V\ninitial y' ~ 3\n"),
              blade.format("0", "initial x' + y' = V\n"), rod.format("=", "=", ""), rod.format("~", "~", "initial x' ~ 1\n"),
              rod.format("=", "=", "initial 3*x' + y' = 1\n")]
    for text in models:
        with open(os.path.join(folder, "start.zw"), "w") as file:
            file.write(text)
        words = ["start.zw", "--over", "J=0.25..0.35:9", "--results"]
        along, alone = (sweep(*words, results, folder=folder) for results in ("x,y,x',y'", "x,y,x',y',max(t)"))
        for a, b in zip(along, alone):
            assert all(abs(float(a[n]) - float(b[n])) < 1e-8 for n in ("x", "y", "x'", "y'")), (text, a, b)


def a_journal_of_another_sweep_is_refused(folder):
    run = subprocess.Popen([PROGRAM, "sweep", BALL, "--over", "h=0.5..2:100000", "--out", "a.csv", "--quiet"], cwd=folder)
    until = time.time() + 20
    while time.time() < until and not os.path.exists(os.path.join(folder, "a.csv.journal")):
        time.sleep(0.02)
    time.sleep(0.3)
    again = zwang("sweep", BALL, "--over", "h=0.5..2:100000", "--out", "a.csv", "--resume", folder=folder)
    assert again.returncode == 2 and "another run or sweep is writing" in again.stderr, again.stderr
    run.kill()
    run.wait()
    other = zwang("sweep", BALL, "--over", "h=0.5..3:100000", "--out", "a.csv", "--resume", folder=folder)
    assert other.returncode == 2 and "another sweep" in other.stderr, other.stderr
    anew = zwang("sweep", BALL, "--over", "h=0.5..2:100000", "--out", "a.csv", folder=folder)
    assert anew.returncode == 2 and "--resume" in anew.stderr, anew.stderr


def an_interrupted_sweep_keeps_what_it_has(folder):
    run = subprocess.Popen([PROGRAM, "sweep", BALL, "--over", "h=0.5..2:100000", "--out", "a.csv"], cwd=folder,
                           stderr=subprocess.PIPE, text=True)
    calls.has_worked(run, 0.5)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 1 and "--resume" in err, err
    assert os.path.exists(os.path.join(folder, "a.csv.journal")) and not os.path.exists(os.path.join(folder, "a.csv"))


def a_long_sweep_shows_its_rate_on_a_terminal(folder):
    ours, theirs = pty.openpty()
    run = subprocess.Popen([PROGRAM, "sweep", BALL, "--over", "h=0.5..2:100000", "--out", "a.csv"], cwd=folder, stderr=theirs)
    os.close(theirs)
    seen, until = b"", time.time() + 60
    while time.time() < until and b"left" not in seen:
        if select.select([ours], [], [], 0.2)[0]:
            seen += os.read(ours, 4096)
    run.send_signal(signal.SIGINT)
    run.wait(timeout=120)
    os.close(ours)
    assert b"%" in seen and b"/s" in seen and b"left" in seen, seen


def a_gpu_agrees_or_is_missed_in_words(folder):
    for model, words in ((SKATER, ["--over", "m=5..9:20", "--results", "xi,eta", "--tol", "1e-9"]),
                         (BALL, ["--over", "h=1..2:20", "--results", "h,time(bounce)", "--until", "1"])):
        done = zwang("sweep", model, *words, "--device", "gpu", "--quiet")
        if done.returncode:
            assert done.returncode == 2 and "--device gpu" in done.stderr and done.stdout == "", done.stderr
            assert "does not suit" not in done.stderr, done.stderr
            continue
        for a, b in zip(csv.DictReader(done.stdout.splitlines()), sweep(model, *words)):
            assert all(abs(float(a[name]) - float(b[name])) < 1e-7 for name in a if a[name]), (a, b)
    done = zwang("sweep", BALL, "--over", "h=1,2", "--results", "max(h)", "--device", "gpu")
    assert done.returncode == 2 and "results need more than the end of the run" in done.stderr, done.stderr


def pictures_are_curves_or_maps(folder):
    if not shutil.which("gnuplot"):
        raise Skip("no gnuplot here")
    sweep(BALL, "--over", "h=0.5..2:6", "--results", "h,count(bounce)", "--out", "a.csv", "--plot", "a.svg", folder=folder)
    assert b"count(bounce)" in read(folder, "a.svg")
    sweep(BALL, "--over", "h=0.5..2:4", "--over", "e=0.5..0.9:3", "--out", "b.csv", "--plot", "b.gp", folder=folder)
    script = read(folder, "b.gp").decode()
    assert "with image" in script and script.split("$rows << END\n")[1].split("END")[0].count("\n") == 12 + 3


TESTS = [rows_are_the_runs_themselves, starts_of_coordinates_and_velocities_are_swept,
         a_param_that_counts_repetitions_is_swept, stages_may_end_at_times_not_known_before, a_run_that_fails_is_a_row_with_its_reason,
         runs_not_to_be_trusted_are_marked, warnings_of_single_runs_are_in_the_table,
         warnings_do_not_depend_on_the_rows, results_that_are_not_defined_are_told, samples_of_sobol_are_spread_and_random_ones_follow_the_seed,
         basins_tell_where_runs_end, threads_and_ranks_give_the_same_file, a_killed_sweep_goes_on_where_it_was,
         so_does_one_of_runs_side_by_side, so_does_one_into_hdf5, so_does_one_as_numpy_keeps_it, a_table_of_numpy_has_the_numbers_of_the_others,
         a_full_disk_is_told_of_by_tables_in_places, rows_that_were_damaged_meanwhile_are_made_again,
         runs_side_by_side_are_the_runs_themselves, events_that_are_hardly_reached_are_seen_side_by_side,
         starts_side_by_side_are_those_of_ordinary_runs,
         a_journal_of_another_sweep_is_refused, an_interrupted_sweep_keeps_what_it_has,
         a_long_sweep_shows_its_rate_on_a_terminal, a_gpu_agrees_or_is_missed_in_words, pictures_are_curves_or_maps]
if __name__ == "__main__":
    print(f"1..{len(TESTS)}")
    failed = 0
    for number, test in enumerate(TESTS, 1):
        with tempfile.TemporaryDirectory() as place:
            try:
                test(place)
                print(f"ok {number} - {test.__name__}")
            except Skip as reason:
                print(f"ok {number} - {test.__name__} # SKIP {reason}")
            except Exception as fault:
                failed += 1
                print(f"#   {type(fault).__name__}: {fault}".replace("\n", "\n#   "))
                print(f"not ok {number} - {test.__name__}")
        sys.stdout.flush()
    sys.exit(failed != 0)
