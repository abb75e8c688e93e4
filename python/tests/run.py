"""run.py LIBRARY [notebooks]: the tests of the package with this library, or its notebooks; `installed` in the place of LIBRARY
takes the package that is installed, with its own. Prints TAP."""
import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
if sys.argv[1] != "installed":
    os.environ["ZWANG_LIBRARY"] = os.path.abspath(sys.argv[1])
    sys.path.insert(0, os.path.join(here, ".."))
sys.path.insert(0, here)
try:
    import numpy  # noqa: F401
except ImportError:
    print("1..0 # SKIP numpy is not installed")
    sys.exit(0)


class Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lines = []

    def _tell(self, test, ok, text="", skip=""):
        self.lines += [f"# {line}" for line in text.splitlines()]
        number = sum(not line.startswith("#") for line in self.lines) + 1
        self.lines.append(f"{'ok' if ok else 'not ok'} {number} - {test.id()}" + (f" # SKIP {skip}" if skip else ""))

    def addSuccess(self, test):
        self._tell(test, True)

    def addError(self, test, err):
        self._tell(test, False, self._exc_info_to_string(err, test))

    def addFailure(self, test, err):
        self._tell(test, False, self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        self._tell(test, True, skip=reason)


result = Tap()
os.environ.setdefault("MPLBACKEND", "Agg")  # no window
which = "test_notebooks.py" if sys.argv[2:] == ["notebooks"] else "test_[!n]*.py"
unittest.defaultTestLoader.discover(here, which).run(result)
print("\n".join(result.lines))
print(f"1..{sum(not line.startswith('#') for line in result.lines)}")
sys.exit(any(line.startswith("not ok") for line in result.lines))
