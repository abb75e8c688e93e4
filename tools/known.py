"""Lists of known failures, for tests that see more faults than are mended yet.

A list is a text file, one line for each failure: what fails, then the reason. What fails and is not listed fails the
test, and so does what is listed and passes: a list can only shrink. It is not there when nothing fails. A reason that
begins with `near:` is a number just outside of its bound, which another order of additions may move inside: such a
failure is listed and counted, but the test takes it both ways.
"""
import os


def read(path):
    """what fails -> reason"""
    listed = {}
    if os.path.exists(path):
        with open(path, encoding="utf8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, _, reason = line.strip().partition(" ")
                    listed[name] = reason.strip()
    return listed


def kind(reason):
    return reason.partition(":")[0] if reason else None


def renew(path, faults):
    """FAULTS (name -> reason or None) are what was tried; what was not stays. Shows the difference first."""
    listed = read(path)
    fresh = {name: reason for name, reason in listed.items() if name not in faults}
    for name, reason in faults.items():
        if reason:
            told = " ".join(reason.split())
            # the same kind of failure keeps its line, whatever its last digits are today
            fresh[name] = listed[name] if kind(listed.get(name)) == kind(told) else told
    for name in sorted(set(listed) | set(fresh)):
        if listed.get(name) != fresh.get(name):
            print(f"{name}\n  was {listed.get(name, 'right')}\n  is  {fresh.get(name, 'right')}")
    if not fresh:
        if os.path.exists(path):
            os.unlink(path)
        return
    with open(path, "w", encoding="utf8") as file:
        file.write("# Known failures: what fails, and how. Written by make gauges.\n")
        file.writelines(f"{name} {fresh[name]}\n" for name in sorted(fresh, key=lambda n: (n.count("+"), n)))


def table(path, faults):
    failing = {name: reason for name, reason in faults.items() if reason}
    width = max(map(len, failing), default=0)
    with open(path, "w", encoding="utf8") as file:
        file.write(f"{len(failing)} of {len(faults)} fail\n")
        file.writelines(f"{name:{width}}  {reason}\n" for name, reason in failing.items())


def tap(path, faults, title):
    """prints TAP; TITLE holds {} for the name. Returns the number of faults that are not as listed"""
    listed = read(path)
    print(f"1..{len(faults)}")
    bad = 0
    for i, (name, reason) in enumerate(faults.items(), 1):
        wrong = bool(reason) != (name in listed) and "near" not in (kind(reason), kind(listed.get(name)))
        bad += wrong
        if wrong:
            told = reason or f"known to fail, and passes: take it out of {os.path.basename(path)}"
            print("\n".join("#   " + line for line in told.splitlines()))
        print(f"{'not ok' if wrong else 'ok'} {i} - {title.format(name)}{', known to fail' if reason and not wrong else ''}")
    return bad


def conclude(path, faults, title, options):
    """what the options --table and --renew ask for, else TAP; the exit status"""
    if options.table:
        table(options.table, faults)
    if options.renew:
        renew(path, faults)
        return 0
    return 1 if tap(path, faults, title) else 0
