"""fresh.py LIBRARY [PYTHON]: the package in fresh virtual environments of the system's Python, as somebody meets it who
follows the pages. Prints TAP with the times.

With numpy (Debian's, seen from the environment): `pip install ./python` without network, README's Python example in a folder
of its own, then the tests of the package against what was installed, from an empty folder. Without numpy: a clear message.
"""
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
LIBRARY = os.path.abspath(sys.argv[1])
PYTHON = sys.argv[2] if len(sys.argv) > 2 else "/usr/bin/python3"
results = []


def call(*command, cwd, **more):
    """without what this process was told of the package, and without network"""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "VIRTUAL_ENV", "ZWANG_"))}
    env.update(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", MPLBACKEND="Agg", **more)
    done = subprocess.run(command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def tell(what, fine, out, began):
    lines = [] if fine else [f"#   {line}" for line in out.splitlines()[-40:]]
    results.append("\n".join(lines + [f"{'ok' if fine else 'not ok'} {len(results) + 1} - {what} ({time.monotonic() - began:.1f} s)"]))
    return fine


def environment(folder, *options):
    began = time.monotonic()
    status, out = call(PYTHON, "-m", "venv", *options, folder, cwd="/")
    tell(f"python3 -m venv {' '.join(options)}".rstrip(), status == 0, out, began)
    return os.path.join(folder, "bin", "python")


def install(python, source, *options):
    began = time.monotonic()
    status, out = call(python, "-m", "pip", "install", *options, "./python", cwd=source, ZWANG_LIBRARY=LIBRARY)
    return tell(f"pip install {' '.join(options)}{' ' if options else ''}./python", status == 0 and "Successfully installed" in out, out, began)


def example():
    """README's model and the first Python of it"""
    with open(os.path.join(ROOT, "README.md"), encoding="utf8") as f:
        page = f.read()
    model = re.search(r"```zw name=skater\.zw\n(.*?)```", page, re.S)[1]
    return model, re.search(r"```python\n(.*?)```", page, re.S)[1]


def is_path_s_end(out):
    """of the blade: along it v = 7 exp(-k t/m), and it turns by theta = L5 t^2/(2 J); Simpson's rule"""
    steps = 4000
    h, end = 15/steps, [0.0, 0.0]
    for i in range(steps + 1):
        t, weight = i*h, h/3*(1 if i in (0, steps) else 4 if i % 2 else 2)
        v, theta = 7*math.exp(-0.6*t/14), t*t/28
        end[0] += weight*v*math.cos(theta)
        end[1] += weight*v*math.sin(theta)
    said = [float(x) for x in out.splitlines()[-1].split()]
    return all(abs(a - b) < 1e-8 for a, b in zip(said, end, strict=True))


def with_numpy(place, source):
    python = environment(os.path.join(place, "with"), "--system-site-packages")
    if not install(python, source):
        return
    began = time.monotonic()
    work = os.path.join(place, "a folder")
    os.mkdir(work)
    model, text = example()
    for name, content in (("skater.zw", model), ("first.py", text)):
        with open(os.path.join(work, name), "w", encoding="utf8") as f:
            f.write(content)
    status, out = call(python, "first.py", cwd=work)
    tell("README's example in Python", status == 0 and "theta''" in out and is_path_s_end(out), out, began)
    began = time.monotonic()
    _, where = call(python, "-c", "import zwang; print(zwang.__file__, zwang._library.lib._name)", cwd=work)
    tell("package and library are those of the environment", where.count(os.path.join(place, "with")) == 2, where, began)
    began = time.monotonic()
    status, out = call(python, os.path.join(source, "python", "tests", "run.py"), "installed", cwd=work)
    passed, skipped = len(re.findall(r"^ok (?!.*# SKIP)", out, re.M)), len(re.findall("# SKIP", out))
    tell(f"the tests with what was installed: {passed} passed, {skipped} skipped", status == 0 and passed > 40, out, began)


def without_numpy(place, source):
    python = environment(os.path.join(place, "without"))
    if not install(python, source, "--no-deps"):
        return
    began = time.monotonic()
    status, out = call(python, "-c", "import zwang", cwd=place)
    tell("without numpy: " + out.strip().splitlines()[-1], status == 1 and "ImportError: zwang needs numpy: install it" in out, out, began)
    began = time.monotonic()
    status, out = call(python, "-m", "pip", "install", "./python", cwd=source, ZWANG_LIBRARY=LIBRARY)
    tell("pip says that numpy is missing, where it cannot be had", status == 1 and "numpy" in out, out, began)


def main():
    for module, why in (("ensurepip", "the system's Python makes no environments (python3-venv)"), ("numpy", "numpy is not installed")):
        if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode:
            print(f"1..0 # SKIP {why}")
            return 0
    with tempfile.TemporaryDirectory() as place:
        # the sources as a clone has them, so that nothing of this folder helps, and nothing is left in it
        source = os.path.join(place, "clone")
        for name in ("python", "docs", "include"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(source, name), ignore=shutil.ignore_patterns("__pycache__"))
        with_numpy(place, source)
        without_numpy(place, source)
    print("\n".join(results))
    print(f"1..{len(results)}")
    return any(line.split("\n")[-1].startswith("not ok") for line in results)


if __name__ == "__main__":
    sys.exit(main())
