#!/usr/bin/env python3
"""Systems that weak springs couple move alike by two methods. Prints TAP.

springs.py PROGRAM [--all] [SYSTEM...]

A force between two systems couples them through their places alone: each is still decided by itself, and what one
decides must follow the other's motion. Every pair of systems/NAME.zw below is joined by a spring with a damper between
one coordinate of each, and run as usual and by `adams`, which takes other steps, and more of them. Every column at
every instant must agree. Without options some pairs are tried, drawn by the bytes of the program.
"""
import argparse, concurrent.futures, hashlib, itertools, math, os, random, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
import calls, unions

# the coordinate, and the statement of a force along it
ALONG = "force {q} = {f}"
AT_BALL = "force ({f}, 0, 0) in world at {ball}"
ENDS = {
    "abs": ("x_", ALONG), "blade": ("th_", ALONG), "curved": ("x_", ALONG), "friction_plane": ("x_", ALONG),
    "friction_space": ("y_", ALONG), "impacts": ("b_", ALONG), "landing": ("ball_.x", AT_BALL), "order_0": ("x_", ALONG),
    "order_1": ("a_", ALONG), "order_2": ("x_", ALONG), "resist": ("th_", ALONG), "sign": ("x_", ALONG),
    "slide_slip": ("ball_.x", AT_BALL), "smooth": ("a_", ALONG), "while": ("x_", ALONG),
}
# landing is not taken beside friction of a contact that cannot let go
APART = {("landing", "slide_slip")}
STIFFNESS, DAMPING = 0.8, 0.05
USUAL, OTHER = [], ["--method", "adams"]
ALLOWED = 1e-7                   # of a column's size
CHOSEN = 16                      # pairs of a plain test


def joined(systems, pair):
    """the model of both systems and the spring between them"""
    q, r = (unions.renamed(ENDS[name][0], name) for name in pair)
    text = systems.join(pair).replace("run 0 .. 1\n", "")
    for name, own, other in ((pair[0], q, r), (pair[1], r, q)):
        force = f"-{STIFFNESS}*({own} - {other}) - {DAMPING}*{own}'"
        text += ENDS[name][1].format(q=own, f=force, ball=unions.renamed("ball_", name)) + "\n"
    return text + "run 0 .. 1\n"


def run(program, folder, text, tag, options):
    runner = unions.Runner(program, folder, unions.SECONDS)
    return runner.compute(text, tag, options)


def apart(program, folder, systems, pair):
    """None, or how the two runs differ"""
    tag, text = "+".join(pair), joined(systems, pair)
    try:
        usual = run(program, folder, text, tag + "-usual", USUAL)
        other = run(program, folder, text, tag + "-other", OTHER)
    except unions.Failure as failure:
        return f"{failure.kind}: {failure.reason}"
    single = unions.Alone(usual)
    for t, want, got in zip(unions.INSTANTS, single.rows, unions.rows_of(other)):
        for column, size in single.size.items():
            off = abs(want[column] - got[column])
            if column.endswith(".angle"):  # of a contact, within one turn
                off = min(off, 2 * math.pi - off)
            off /= size
            if not off <= ALLOWED:
                return f"{column} at {t}: {want[column]} and {got[column]}, off by {off:.2g} of its size"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--slow", action="store_true", help="a program that checks itself")
    parser.add_argument("systems", nargs="*")
    options = parser.parse_intermixed_args()
    systems = unions.Systems(os.path.join(HERE, "systems"))
    pairs = [p for p in itertools.combinations(sorted(ENDS), 2) if p not in APART]
    if options.systems:
        pairs = [p for p in pairs if set(p) & set(options.systems)]
    elif not options.all:
        with open(options.program, "rb") as file:
            pairs = random.Random(hashlib.sha256(file.read()).hexdigest()).sample(pairs, CHOSEN // (4 if options.slow else 1))
    if options.slow:
        unions.SECONDS *= unions.SLOW
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = calls.held(os.path.abspath(options.program), folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda p: apart(program, folder, systems, p), pairs))
    print(f"1..{len(pairs)}")
    for number, (pair, fault) in enumerate(zip(pairs, found), 1):
        if fault:
            print(f"# {fault}")
            failed += 1
        print(f"{'not ok' if fault else 'ok'} {number} - {'+'.join(pair)}: the same by two methods")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
