"""Tests of the package; by unittest or pytest."""
import doctest
import gc
import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np
import zwang as zw

HERE = os.path.dirname(os.path.abspath(__file__))
SPRING = "param k = 1 [N/m], m = 1 [kg]\ncoord x [m]\nkinetic m*x'^2/2\npotential k*x^2/2\ninitial x = 1\nrun 0 .. 1\n"
CART = """param M = 1 [kg], m = 0.1 [kg], l = 0.5 [m], g = 9.81 [m/s^2], u = 0 [N]
coord x [m]
coord th [rad]
kinetic (M + m)*x'^2/2 + m*l*x'*th'*cos(th) + m*l^2*th'^2/2
potential m*g*l*cos(th)
force x = u
initial th = 0.05
event fallen: th = 1 stop
"""


def here(name):
    """is it installed?"""
    try:
        importlib.import_module(name)
        return True
    except ImportError:
        return False


class Models(unittest.TestCase):
    def test_errors_are_what_the_program_says(self):
        with self.assertRaises(zw.ModelError) as caught:
            zw.Model(text="coord x\nkinetic y'^2\n", name="wrong.zw")
        self.assertIn("wrong.zw:2:9", str(caught.exception))
        self.assertIn("^", str(caught.exception))
        with self.assertRaises(zw.ModelError):
            zw.Model("no/such/file.zw")
        with self.assertRaises(TypeError):
            zw.Model()

    def test_a_file_and_its_params(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "spring.zw")
            with open(path, "w") as f:
                f.write(SPRING)
            m = zw.Model(path, k=9)
            self.assertEqual(m.with_params(k=4).params["k"], 4.0)
        self.assertEqual((m.coords, m.constraints, m.params["k"]), (["x"], [], 9.0))
        with self.assertRaises(KeyError):
            m.params["z"]

    def test_equations_in_every_style(self):
        e = zw.Model(text=zw.example("pendulum")).equations()
        self.assertIn("reaction(rod)", str(e))
        self.assertIn("\\begin{align", e.latex)
        self.assertIn("double", e.c)
        self.assertEqual(len(e.data["equations"]), 3)
        self.assertTrue(e._repr_latex_().startswith("$$"))
        with self.assertRaises(zw.Error) as caught:
            zw.Model(text=SPRING).equations("nobody")
        self.assertIn("nobody", str(caught.exception))

    def test_studies(self):
        m = zw.Model(text=zw.example("chaplygin_sleigh"))
        self.assertTrue(m.verify(5).ok)
        self.assertIn("degrees of freedom", str(m.check()))
        self.assertIn("T", str(m.functions("T")))
        self.assertTrue(m.forms().data)
        s = zw.Model(text=SPRING)
        self.assertAlmostEqual(s.eval({"x": 0.5, "x'": 0})["x''"], -0.5)
        self.assertIn("stable", str(s.stability(state={"x": 0})))
        self.assertTrue(str(s.geometry()))
        cart = zw.Model(text=CART)
        a = np.array(cart.linearise(inputs=["u"], outputs=["x", "th"], state={"th": 0, "x": 0}).data["A"])
        poles = np.linalg.eigvals(a)
        self.assertAlmostEqual(max(poles.real), np.sqrt(9.81*1.1/0.5), places=9)

    def test_builder_writes_text(self):
        b = zw.Builder("Spring")
        k, x = b.param("k", 4), b.coord("x")
        b.kinetic(x.dt**2/2)
        b.potential(k*x**2/2)
        b.force(x, -(k - 3)*x.dt*2)
        b.initial(x, 1)
        b.run(0, 1)
        self.assertIn("force x = -(k - 3)*x'*2\n", b.text)
        r = b.model().run(points=3)
        w = np.sqrt(3)
        self.assertAlmostEqual(r["x"][-1], np.exp(-1)*(np.cos(w) + np.sin(w)/w), places=9)


class Tracks(unittest.TestCase):
    def test_arrays_are_the_library_s_own(self):
        r = zw.Model(text=SPRING).run(points=101)
        self.assertEqual(len(r), 101)
        self.assertTrue(np.shares_memory(r["x"], r.values))
        self.assertEqual(r.values.ctypes.data, zw._library.lib.zw_track_values(r._at))
        self.assertFalse(r.values.flags.writeable)
        np.testing.assert_allclose(r["x"], np.cos(r.t), atol=1e-9)
        x = r["x"]
        del r
        gc.collect()
        np.testing.assert_allclose(x[-1], np.cos(1), atol=1e-9)

    def test_what_is_known_of_a_run(self):
        r = zw.Model(text=CART).run(until=5)
        self.assertEqual((r.status, [e.name for e in r.events], r.units["x'"]), ("stopped", ["fallen"], "m/s"))
        self.assertAlmostEqual(r["th"][-1], 1, places=9)
        self.assertAlmostEqual(r.events[0].time, r.t[-1], places=9)
        self.assertLess(abs(r.energy), 1e-9)
        self.assertIn("status", r.summary)
        with self.assertRaises(KeyError) as caught:
            r["y"]
        self.assertIn("`y`", str(caught.exception))

    def test_options_and_files(self):
        m = zw.Model(text=SPRING)
        r = m.run(until=2, tol=1e-12, method="dop853", at=[0.5, 1, 2])
        np.testing.assert_allclose(r.t, [0.5, 1, 2])
        with self.assertRaises(zw.RunError) as caught:
            m.run(method="nobody")
        self.assertIn("nobody", str(caught.exception))
        with tempfile.TemporaryDirectory() as folder:
            r.save(os.path.join(folder, "x.csv"))
            self.assertEqual(len(open(os.path.join(folder, "x.csv")).readlines()), 4)
            page = r.view(os.path.join(folder, "x.html"), show=False)
            self.assertIn("<html", open(page).read(2000))

    def test_columns_of_what_is_saved(self):
        r = zw.Model(text=CART).run(until=0.5, points=3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.csv")
            r.save(path, columns=["th", "x*"], units=True)
            with open(path) as f:
                self.assertEqual(f.readline(), "t [s],th [rad],x [m],x' [m/s]\n")
                row = [float(x) for x in f.readlines()[-1].split(",")]
            self.assertEqual(row, [r.t[-1], r["th"][-1], r["x"][-1], r["x'"][-1]])
            with self.assertRaises(zw.RunError) as caught:
                r.save(path, columns="y")
            self.assertIn("`y`", str(caught.exception))
            with self.assertRaises(zw.RunError):
                r.save(os.path.join(folder, "no", "folder.csv"))

    def test_digits_where_they_are_asked_for(self):
        m = zw.Model(text=SPRING)
        self.assertTrue(np.isnan(m.run().digits))
        r = m.run(estimate=True)
        self.assertGreaterEqual(r.digits, 8)
        self.assertLess(abs(r["x"][-1] - np.cos(1)), 10**(1 - r.digits))

    def test_progress_may_end_a_run(self):
        seen = []
        r = zw.Model(text=SPRING).run(until=1e4, progress=lambda t, a, b: seen.append(t) or t < 100)
        self.assertEqual(r.status, "interrupted")
        self.assertLess(seen[-1], 200)
        with self.assertRaises(ZeroDivisionError):
            zw.Model(text=SPRING).run(progress=lambda t, a, b: 1/0)

    def test_ctrl_c_keeps_what_was_computed(self):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        r = zw.Model(text=SPRING).run(until=1e8, every=1e3)
        timer.join()
        self.assertEqual(r.status, "interrupted")
        self.assertLess(time.monotonic() - began, 30)


class Programs(unittest.TestCase):
    def test_a_run_equals_that_of_the_model_with_the_param_set(self):
        p = zw.Model(text=SPRING).program(points=5)
        np.testing.assert_array_equal(p.run(k=7)["x"], zw.Model(text=SPRING, k=7).run(points=5)["x"])
        self.assertAlmostEqual(p.run(**{"x'": 1, "x": 0})["x"][-1], np.sin(1), places=9)
        with self.assertRaises(zw.RunError) as caught:
            p.run(z=1)
        self.assertIn("`z`", str(caught.exception))
        with self.assertRaises(ValueError):
            p.run(k=np.nan)

    def test_sweeps_are_arrays(self):
        p = zw.Model(text=SPRING).program()
        k = np.linspace(1, 9, 500)
        s = p.sweep(["x", "max(x)"], k=k)
        self.assertEqual(s.dtype.names, ("k", "x", "max(x)", "quality"))
        np.testing.assert_array_equal(s["k"], k)
        np.testing.assert_allclose(s["x"], np.cos(np.sqrt(k)), atol=1e-9)
        np.testing.assert_allclose(s["max(x)"], 1, atol=1e-12)
        self.assertFalse(s["quality"].any())
        two = p.sweep("x", k=[1, 4], m=[1, 2, 3])
        self.assertEqual(len(two), 6)
        self.assertEqual(len(p.sweep("x", k="1..3", sobol=16)), 16)
        with self.assertRaises(zw.RunError):
            p.sweep("nothing", k=[1, 2])

    def test_sweeps_take_numbers_as_they_are(self):
        p = zw.Model(text=SPRING).program()
        k = np.array([0.1, 1/3, np.nextafter(2, 3), 1e-300, 7])[::-1]
        np.testing.assert_array_equal(p.sweep("x", k=k)["k"], k)
        np.testing.assert_array_equal(p.sweep("x", k=k[::2])["k"], k[::2])
        np.testing.assert_array_equal(p.sweep("x", k=(1, 2))["x"], p.sweep("x", k="1,2")["x"])
        for wrong in ([], [1, np.inf], [[1, 2], [3, 4]]):
            with self.assertRaises(ValueError):
                p.sweep("x", k=wrong)

    def test_progress_of_a_sweep(self):
        seen = []
        p = zw.Model(text=SPRING).program(until=20)
        s = p.sweep("x", k=np.linspace(1, 2, 20000), progress=lambda done, total: seen.append((done, total)) or done < 2000)
        self.assertLess(len(s), 20000)
        self.assertEqual(seen[-1][1], 20000)
        np.testing.assert_allclose(s["x"], np.cos(20*np.sqrt(s["k"])), atol=1e-7)

    def test_rates_serve_scipy(self):
        if not here("scipy"):
            self.skipTest("SciPy is not installed")
        from scipy.integrate import solve_ivp
        for name in ("pendulum", "chaplygin_sleigh", "skater_benchmark", "double_pendulum", "heavy_top", "snakeboard",
                     "spherical_pendulum", "slider_crank", "knife_edge", "rolling_disc"):
            m = zw.Model(text=zw.example(name))
            p = m.program(points=2, until=1, tol=1e-12)
            y = p.start()
            ours = p.run().values[-1][1:1 + p.size]
            theirs = solve_ivp(p.rates, (0, 1), y, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
            np.testing.assert_allclose(theirs, ours, rtol=1e-7, atol=1e-7, err_msg=name)

    def test_many_states_at_once(self):
        p = zw.Model(text=CART).program()
        rng = np.random.default_rng(1)
        y = rng.normal(size=(4, 50))
        many = p.rates(0, y)
        one = np.column_stack([p.rates(0, y[:, k]) for k in range(50)])
        np.testing.assert_allclose(many, one, rtol=1e-13)
        j, h = p.jacobian(0, y[:, 0]), 1e-6
        for i in range(4):
            e = np.zeros(4)
            e[i] = h
            np.testing.assert_allclose(j[:, i], (p.rates(0, y[:, 0] + e) - p.rates(0, y[:, 0] - e))/(2*h), atol=1e-6)
        a = np.linalg.solve(p.mass(0, y[:, 0], u=2), p.forces(0, y[:, 0], u=2))
        np.testing.assert_allclose(p.rates(0, y[:, 0], u=2)[2:], a, rtol=1e-12)
        np.testing.assert_array_equal(p.rates(0, list(y[:, 0])), one[:, 0])
        np.testing.assert_array_equal(p.rates(0, y[:, ::2]), many[:, ::2])
        np.testing.assert_allclose(p.rates(0, y, u=2), np.column_stack([p.rates(0, y[:, k], u=2) for k in range(50)]), rtol=1e-13)
        np.testing.assert_array_equal(p.rates(0, y[:, 0].astype(np.float32)), p.rates(0, y[:, 0].astype(np.float32).astype(float)))
        for wrong in (np.zeros(3), np.zeros((4, 2, 2)), 1.0):
            with self.assertRaises(ValueError):
                p.rates(0, wrong)

    def test_states_side_by_side_on_every_example(self):
        """by the lanes where nothing switches, else one by one: the same numbers, off the constraints as well"""
        rng = np.random.default_rng(7)
        asked = 0
        for name in zw.examples()[::4]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", zw.ZwangWarning)
                try:
                    p = zw.Model(text=zw.example(name)).program()
                    start = p.start()
                except zw.Error:  # kinds that have no program, or no start for it
                    continue
            y = start[:, None]*(1 + 1e-3*rng.normal(size=(p.size, 19))) + 1e-3*rng.normal(size=(p.size, 19))
            try:
                many = p.rates(0.0, y)
                one = np.column_stack([p.rates(0.0, y[:, k]) for k in range(19)])
            except zw.RunError:  # some of them has no accelerations
                continue
            size = np.abs(one).max()
            np.testing.assert_allclose(many, one, rtol=1e-9, atol=1e-11*size, err_msg=name)
            asked += 1
        self.assertGreater(asked, 15)

    def test_a_stepper_takes_inputs_as_they_are_named(self):
        s = zw.Model(text=CART).program().stepper()
        s.inputs["u"] = 0.1
        self.assertEqual((s.inputs["M"], dict(s.inputs)), (1.0, {"M": 1.0, "u": 0.1}))
        s.step(0.01)
        other = zw.Model(text=CART).program().stepper("u", "M", u=0.1)
        other.step(0.01)
        np.testing.assert_array_equal(s.state, other.state)
        with self.assertRaises(KeyError) as caught:
            s.inputs["m"] = 2
        self.assertIn("before the first step", str(caught.exception))
        with self.assertRaises(zw.RunError):
            zw.Model(text=CART).program().stepper().inputs["nothing"] = 1

    def test_a_stepper_balances_the_pole(self):
        s = zw.Model(text=CART).program().stepper("u")
        for _ in range(3000):
            x, th, v, w = s.state
            s.inputs["u"] = 40*th + 10*w + x + 2*v
            self.assertTrue(s.step(0.001))
        self.assertAlmostEqual(s.t, 3, places=9)
        self.assertLess(abs(s["th"]), 0.01)
        saved = s.save()
        s.step(0.5)
        row = s.row.copy()
        s.load(pickle.loads(pickle.dumps(saved)))
        s.step(0.5)
        np.testing.assert_array_equal(s.row, row)
        s.reset()
        self.assertEqual(s.inputs["u"], 0)
        while s.step(0.1):
            pass
        self.assertEqual((s.status, [e.name for e in s.events]), ("stopped", ["fallen"]))
        with self.assertRaises(zw.RunError):
            s.load(saved[:-1])

    def test_states_of_the_first_order_are_among_the_velocities(self):
        p = zw.Model(text="coord x\nstate z = 2\nrate z = x - z\nkinetic x'^2/2\nforce x = z\ninitial x = 1\n").program()
        y = p.start()
        np.testing.assert_array_equal(y, [1, 0, 0, 2])
        np.testing.assert_allclose(p.rates(0, y), [0, 2, 2, -1], atol=1e-14)

    def test_an_environment(self):
        env = zw.Environment(zw.Model(text=CART).program(), ["u"], ["x", "th"], 0.02, reward=lambda e: 1.0, most_steps=50,
                             starts=["th"], start=lambda rng: {"th": rng.uniform(-0.1, 0.1)})
        seen, _ = env.reset(seed=3)
        self.assertEqual(seen.shape, (2,))
        again, _ = env.reset(seed=3)
        np.testing.assert_array_equal(seen, again)
        over = cut = False
        while not (over or cut):
            seen, reward, over, cut, _ = env.step([0.0])
        self.assertEqual(reward, 1)

    def test_threads(self):
        p = zw.Model(text=SPRING).program(points=3)
        want = [p.run(k=k)["x"][-1] for k in range(1, 30)]
        wrong = []

        def work():
            own = zw.Model(text=SPRING).program(points=3)
            for k in range(1, 30):
                if p.run(k=k)["x"][-1] != want[k - 1] or own.run(k=k)["x"][-1] != want[k - 1]:
                    wrong.append(k)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for x in threads:
            x.start()
        for x in threads:
            x.join()
        self.assertEqual(wrong, [])


class Package(unittest.TestCase):
    def test_examples_in_the_docstrings(self):
        for name in ("zwang", "zwang.model", "zwang.program", "zwang.builder"):
            found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
            self.assertEqual(found.failed, 0, name)
            self.assertGreater(found.attempted, 0, name)

    def test_the_page_of_the_package(self):
        page = os.path.join(HERE, "..", "..", "docs", "python.md")
        found = doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS)
        self.assertEqual(found.failed, 0)
        self.assertGreater(found.attempted, 10)

    def test_without_numpy_a_clear_word(self):
        code = "import sys; sys.modules['numpy'] = None; import zwang"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                             env={**os.environ, "PYTHONPATH": os.path.join(HERE, "..")})
        self.assertIn("zwang needs numpy", out.stderr)

    @unittest.skipUnless(here("pip"), "pip is not installed")
    def test_it_installs_without_network(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", folder,
                            os.path.join(HERE, "..")], check=True, capture_output=True,
                           env={**os.environ, "ZWANG_LIBRARY": zw._library.lib._name})
            code = "import zwang; print(zwang.__file__, zwang.Model(text='coord x\\nkinetic x\\'^2/2').run(points=2).status)"
            env = {k: v for k, v in os.environ.items() if k != "ZWANG_LIBRARY"}
            out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder,
                                 env={**env, "PYTHONPATH": folder})
            self.assertTrue(out.stdout.startswith(folder) and out.stdout.strip().endswith("done"), out.stdout + out.stderr)


if __name__ == "__main__":
    unittest.main()
