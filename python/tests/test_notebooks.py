"""The notebooks, executed from top to bottom; with NOTEBOOKS=FOLDER they are left there as HTML."""
import glob
import importlib
import os
import unittest
import warnings
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "notebooks")
NEEDS = {"bicycle": ["matplotlib"], "cartpole": ["matplotlib", "scipy"], "disc": ["sympy"], "skater": ["matplotlib", "scipy"]}


def missing(names):
    return [name for name in names if importlib.util.find_spec(name) is None]


class Notebooks(unittest.TestCase):
    def execute(self, name):
        lost = missing(["nbformat", "nbconvert", "ipykernel", *NEEDS[name]])
        if lost:
            self.skipTest(f"{lost[0]} is not installed")
        import nbformat
        from nbconvert import HTMLExporter
        from nbconvert.preprocessors import ExecutePreprocessor
        book = nbformat.read(os.path.join(FOLDER, name + ".ipynb"), as_version=4)
        for cell in book.cells:
            self.assertFalse(cell.get("outputs"), "notebooks are kept without what they print")
        around = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
        around["PYTHONPATH"] = os.pathsep.join(filter(None, [os.path.join(HERE, ".."), os.environ.get("PYTHONPATH")]))
        around["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
        with mock.patch.dict(os.environ, around, clear=True), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what Debian's nbconvert does with its own parts
            ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(book, {"metadata": {"path": FOLDER}})
        for cell in book.cells:
            for output in cell.get("outputs", []):
                self.assertNotEqual(output.get("name"), "stderr", output.get("text"))
        if os.environ.get("NOTEBOOKS"):
            os.makedirs(os.environ["NOTEBOOKS"], exist_ok=True)
            page, _ = HTMLExporter().from_notebook_node(book)
            with open(os.path.join(os.environ["NOTEBOOKS"], name + ".html"), "w", encoding="utf8") as f:
                f.write(page)

    def test_all_are_here(self):
        self.assertEqual(sorted(NEEDS), sorted(os.path.basename(x)[:-6] for x in glob.glob(os.path.join(glob.escape(FOLDER), "*.ipynb"))))


for _name in NEEDS:
    setattr(Notebooks, f"test_{_name}", lambda self, name=_name: self.execute(name))
