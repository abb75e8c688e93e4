"""What hands do in a notebook: odd types, copies, pickles, other processes, Ctrl-C. Errors are exceptions that name the cause."""
import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import tempfile
import threading
import time
import unittest

import numpy as np
import zwang as zw

SPRING = "param k = 1 [N/m], m = 1 [kg]\ncoord x [m]\nkinetic m*x'^2/2\npotential k*x^2/2\ninitial x = 1\nrun 0 .. 1\n"
LATE = "param late = 0.2 [s]\ncoord x\nkinetic x'^2/2\nforce x = -4*delay(x, late)\ninitial x = 1\nrun 0 .. 2\n"


def end_of(job):
    program, k = job
    return program.run(k=k)["x"][-1]


class Types(unittest.TestCase):
    def setUp(self):
        self.m = zw.Model(text=SPRING)
        self.p = self.m.program()

    def refused(self, kind, words, f, *arguments, **named):
        with self.assertRaises(kind) as caught:
            f(*arguments, **named)
        self.assertIn(words, str(caught.exception))

    def test_params_are_a_mapping(self):
        self.assertEqual(dict(self.m.params), {"k": 1.0, "m": 1.0})
        self.assertEqual(repr(self.m.params), "{'k': 1.0, 'm': 1.0}")
        self.assertEqual((len(self.m.params), "k" in self.m.params, "x" in self.m.params), (2, True, False))
        self.refused(KeyError, "it has k, m", lambda: self.m.params["z"])
        with self.assertRaises(TypeError) as caught:
            self.m.params["k"] = 3
        self.assertIn("with_params(k=3)", str(caught.exception))
        # what stands for a delayed value is no param that somebody wrote
        self.assertEqual(list(zw.Model(text=LATE).params), ["late"])

    def test_numbers_of_every_make(self):
        for k in (4, np.int64(4), np.float32(4), np.array(4), "8/2"):
            self.assertEqual(zw.Model(text=SPRING, k=k).params["k"], 4.0)
        self.refused(TypeError, "`k` is a number, not None", zw.Model, text=SPRING, k=None)
        self.refused(ValueError, "`k` cannot be nan", zw.Model, text=SPRING, k=np.nan)
        self.assertEqual(len(self.m.run(until=np.int32(2), points=np.int64(7))), 7)
        np.testing.assert_array_equal(self.m.run(at=0.5).t, [0.5])

    def test_options_that_are_none(self):
        self.refused(TypeError, "did you mean `tol`", self.m.run, tolerance=1e-6)
        self.refused(TypeError, "m.with_params(k=...)", self.m.run, k=2)
        self.refused(TypeError, "`until` is a number, not '2'", self.m.run, until="2")
        self.refused(TypeError, "`points` is a whole number", self.m.run, points=7.5)
        for wrong in ({"until": np.inf}, {"until": np.nan}, {"points": 10**12}, {"at": []}, {"at": [0, np.nan]}):
            with self.assertRaises(ValueError, msg=str(wrong)):
                self.m.run(**wrong)
        self.refused(zw.RunError, "not after its start", self.m.run, until=-1)

    def test_states_that_are_none(self):
        y = np.array([1.0, 0.0])
        self.refused(TypeError, "complex", self.p.rates, 0, y + 0j)
        self.refused(TypeError, "the time is a number, not '0'", self.p.rates, "0", y)
        self.refused(TypeError, "the time is a number, not '0'", self.p.rates, "0", np.ones((2, 3)))
        self.refused(TypeError, "`k` is a number, not '3'", self.p.rates, 0, y, k="3")
        s = self.p.stepper("k")
        self.refused(TypeError, "a step is a number", s.step, "0.1")
        self.refused(KeyError, "no column `y`; it has t, x, x'", lambda: s["y"])
        self.refused(TypeError, "bytes", s.load, "text")
        self.refused(KeyError, "`y`", lambda: self.m.eval()["y"])
        self.assertIn("acceleration", repr(self.m.eval()))

    def test_texts_and_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "spring.zw"
            path.write_text(SPRING)
            before = os.getcwd()
            try:
                os.chdir(folder)
                m = zw.Model("spring.zw")
                os.chdir("/")
                self.assertEqual(m.with_params(k=9).params["k"], 9.0)  # from wherever it was read
                self.assertEqual(pickle.loads(pickle.dumps(m)).params["k"], 1.0)
            finally:
                os.chdir(before)
            self.assertEqual(zw.Model(path).coords, ["x"])
        self.assertEqual(zw.Model(text=SPRING.encode()).coords, ["x"])
        self.refused(zw.ModelError, "a.zw:1:6", zw.Model, text="coord", name=pathlib.Path("a.zw"))
        self.refused(zw.ModelError, "not UTF-8", zw.Model, text="coord x\nkinetic \ud800")

    def test_tracks_as_tables(self):
        r = self.m.run(points=5)
        self.assertEqual(r[["x", "x'"]].shape, (5, 2))
        self.assertEqual(sorted(dict(r)), ["t", "x", "x'"])
        np.testing.assert_array_equal(np.asarray(r), r.values)


class Copies(unittest.TestCase):
    """Handles of the library are never shared by two owners, nor taken to another process."""

    def both(self, x):
        return [copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))]

    def test_models_and_programs(self):
        m = zw.Model(text=SPRING, k=4)
        p = m.program(points=3)
        want = p.run()["x"]
        for other in self.both(m):
            self.assertEqual(other.params["k"], 4.0)
            self.assertNotEqual(other._model.at, m._model.at)
        for other in self.both(p):
            np.testing.assert_array_equal(other.run()["x"], want)

    def test_tracks_outlive_their_run(self):
        for run in (zw.Model(text=SPRING).run, zw.Model(text=SPRING).program().run):
            r = run()
            text, x = r.summary, r["x"].copy()
            copies = self.both(r)
            del r
            gc.collect()
            for other in copies:
                np.testing.assert_array_equal(other["x"], x)
                self.assertEqual((other.summary, other.status, other.units["x"]), (text, "done", "m"))
                with self.assertRaises(zw.RunError):
                    other.save("never.csv")

    def test_reports_and_points(self):
        m = zw.Model(text=SPRING)
        for of in (m.check(), m.equations(), m.verify(3)):
            for other in self.both(of):
                self.assertEqual((str(other), other.data), (str(of), of.data))
        for other in self.both(m.equations()):
            self.assertIn("double", other.c)
        for other in self.both(m.eval({"x": 0.5})):
            self.assertEqual(other["x''"], -0.5)

    def test_steppers_go_on_by_themselves(self):
        for text, inputs in ((SPRING, {"k": 2.0}), (LATE, {}), (zw.example("bouncing_ball"), {})):
            s = zw.Model(text=text).program().stepper(**inputs)
            fresh = pickle.loads(pickle.dumps(s))
            for _ in range(60):
                s.step(0.01)
                fresh.step(0.01)
            np.testing.assert_array_equal(fresh.row, s.row)
            others = self.both(s)
            row = s.row.copy()
            s.step(0.3)
            for other in others:
                np.testing.assert_array_equal(other.row, row)
                other.step(0.3)
                np.testing.assert_array_equal(other.row, s.row)

    def test_other_processes(self):
        p = zw.Model(text=SPRING).program()
        p.sweep("x", k=np.linspace(1, 2, 100))  # threads of the parent are not those of its children
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map_async(end_of, [(p, k) for k in (1, 4, 9)]).get(timeout=60)
        np.testing.assert_allclose(found, np.cos([1, 2, 3]), atol=1e-9)


class Interrupts(unittest.TestCase):
    def press(self, *times):
        """Ctrl-C after each of these seconds"""
        def hand():
            for wait in times:
                time.sleep(wait)
                os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=hand)
        thread.start()
        self.addCleanup(thread.join)

    def test_a_second_one_leaves_a_loop_of_runs(self):
        m = zw.Model(text=SPRING)
        time.sleep(zw._library.Watch.SOON)
        self.press(0.3, 0.3)
        runs = []
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(1000):
                runs.append(m.run(until=1e8, every=1e5).status)
        self.assertEqual(runs, ["interrupted"])

    def test_a_sweep_keeps_what_it_has(self):
        p = zw.Model(text=SPRING).program(until=1e4)
        time.sleep(zw._library.Watch.SOON)
        self.press(0.3)
        s = p.sweep("x", k=np.linspace(1, 2, 100000))
        self.assertLess(len(s), 100000)
        np.testing.assert_allclose(s["x"], np.cos(1e4*np.sqrt(s["k"])), atol=1e-4)


if __name__ == "__main__":
    unittest.main()
