"""What generators of systems have in common: their options, and the judging of seeds side by side."""
import argparse, concurrent.futures, os, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import calls


def parser(plain):
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--first", type=int, default=1)
    p.add_argument("--count", type=int, default=plain)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--show", type=int)
    p.add_argument("--slow", action="store_true", help="the program checks itself")
    return p


def judged(options, judge, seeds):
    """what judge(program, seed) says of each"""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        program = calls.held(options.program, folder)
        return list(pool.map(lambda seed: judge(program, seed), seeds))


def told(verdicts, what):
    """TAP of verdicts (seed, why it is wrong or nothing); the status"""
    wrong = [v for v in verdicts if v[1]]
    print("1..1")
    print(f"{'not ' if wrong else ''}ok 1 - {len(verdicts)} {what}")
    for seed, why in wrong:
        print(f"#   {seed}: {why}")
    return 1 if wrong else 0
