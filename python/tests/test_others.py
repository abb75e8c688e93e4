"""Beside other packages, where they are: SymPy, pandas, matplotlib, IPython."""
import importlib
import io
import os
import tempfile
import unittest
from unittest import mock

import numpy as np
import zwang as zw
from zwang import notebook

SPRING = "param k = 1 [N/m], m = 1 [kg]\ncoord x [m]\nkinetic m*x'^2/2\npotential k*x^2/2\ninitial x = 1\nrun 0 .. 1\n"


def needs(name):
    return unittest.skipUnless(importlib.util.find_spec(name), f"{name} is not installed")


@needs("sympy")
class Symbols(unittest.TestCase):
    def residuals(self, m, form="lagrange"):
        """of the equations of SymPy at the model's start, with the accelerations and reactions that zwang finds there"""
        import sympy
        t = sympy.Symbol("t")
        p = m.eval()
        numbers = {}
        for name in m.coords:
            x = sympy.Function(name)(t)
            numbers |= {x.diff(t, 2): p[name + "''"], x.diff(t): p[name + "'"], x: p[name]}
        for e in m.equations(form).sympy():
            # rates first: they hold the coordinate
            left = (e.lhs - e.rhs).subs([(k, numbers[k]) for k in sorted(numbers, key=lambda k: -getattr(k, "derivative_count", 0))])
            symbols = {s: p["reaction." + s.name[7:]] if s.name.startswith("Lambda_") else m.params[s.name]
                       for s in left.free_symbols - {t}}
            yield float(left.subs(symbols).subs(t, 0))

    def test_equations_of_examples_hold_where_zwang_says(self):
        for name in ("pendulum", "double_pendulum", "slider_crank", "skater_benchmark", "snakeboard", "heavy_top", "knife_edge",
                     "rolling_disc", "appell_hamel", "spherical_pendulum", "chaplygin_sleigh", "three_orders"):
            m = zw.Model(text=zw.example(name))
            found = list(self.residuals(m))
            self.assertTrue(found)
            np.testing.assert_allclose(found, 0, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(list(self.residuals(zw.Model(text=zw.example("skater_benchmark")), "maggi")), 0, atol=1e-9)

    def test_coordinates_are_functions_on_both_sides(self):
        import sympy
        t, k, m = sympy.symbols("t k m")
        x = sympy.Function("x")(t)
        e = zw.Model(text=SPRING).equations().sympy()[0]
        self.assertEqual(sympy.simplify(e.lhs - e.rhs - m*x.diff(t, 2) - k*x), 0)

    def test_quasi_velocities_are_functions(self):
        import sympy
        t = sympy.Symbol("t")
        v = sympy.Function("v")(t)
        e = zw.Model(text=zw.example("skater_benchmark")).equations("hamel").sympy()[0]
        self.assertTrue(e.has(v.diff(t)) and e.rhs.has(v))

    def test_terms_there_and_back(self):
        import sympy
        t, a, b = sympy.symbols("t a b")
        x = sympy.Function("x")(t)
        reader = zw.symbols.Reader(["x"])
        terms = {sympy.Rational(1, 2)*x.diff(t)**2: "x'^2/2", sympy.Abs(x): "abs(x)", sympy.Max(a, 2): None, a**-b: None, a**b**2: None,
                 (a**b)**2: None, -a**2/b/3: None, sympy.sqrt(a + 1): "sqrt(a + 1)", 1/sympy.sqrt(a): None, sympy.exp(-a): "exp(-a)",
                 sympy.E*a: None, sympy.pi/4: None, x.diff(t, 2) - a*(b - a): None, sympy.atan2(a, b): "atan2(a, b)",
                 sympy.Piecewise((a, x < 1), (b, True)): "if(x < 1, a, b)", (-a)**2*b: None, a - (b - 1): None, sympy.Float(0.1)*a: "0.1*a",
                 a**sympy.Rational(2, 3): None, -(a + b)/(a - b): None}
        for term, text in terms.items():
            ours = str(zw.builder.term(term))
            if text:
                self.assertEqual(ours, text)
            back = reader.expression(ours)
            self.assertEqual(sympy.simplify(back - term), 0, f"{term} -> {ours} -> {back}")
            zw.Model(text=f"param a = 2, b = 3\ncoord x\nkinetic x'^2/2\noutput y = {ours}\n")  # the language takes it
        for wrong in (sympy.gamma(a), sympy.Function("f")(a), sympy.Integral(sympy.Function("f")(a), a), sympy.Derivative(x, a), sympy.I):
            with self.assertRaises(TypeError, msg=str(wrong)):
                zw.builder.term(wrong + a)

    def test_a_builder_takes_terms(self):
        import sympy
        t = sympy.Symbol("t")
        m, k, x = sympy.Symbol("m"), sympy.Symbol("k"), sympy.Function("x")(t)
        b = zw.Builder()
        b.param("m", 1)
        b.param("k", 4)
        b.coord("x")
        b.kinetic(m*x.diff(t)**2/2)
        b.potential(k*x**2/2)
        b.initial(x, 1)
        b.run(0, 1)
        self.assertAlmostEqual(b.model().run()["x"][-1], np.cos(2), places=9)


class Tables(unittest.TestCase):
    @needs("pandas")
    def test_frames(self):
        r = zw.Model(text=SPRING).run(points=11)
        f = r.frame()
        self.assertEqual((list(f.columns), f.index.name), (r.columns[1:], "t"))
        np.testing.assert_array_equal(f["x"].to_numpy(), r["x"])
        self.assertEqual(list(r.frame("x*").columns), ["x", "x'"])
        with self.assertRaises(KeyError):
            r.frame("y")

    @needs("matplotlib")
    def test_plots(self):
        import matplotlib.pyplot as plot
        r = zw.Model(text=SPRING).run(points=11)
        figure, ax = plot.subplots()
        self.assertIs(r.plot("x", "x'", ax=ax), ax)
        self.assertEqual([x.get_text() for x in ax.get_legend().get_texts()], ["x [m]", "x' [m/s]"])
        self.assertEqual(ax.get_xlabel(), "t [s]")
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), r["x"])
        plot.close(figure)
        figure, ax = plot.subplots()
        r.plot("x'", over="x", ax=ax, color="black")
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("x [m]", "x' [m/s]"))
        plot.close(figure)


class Watching(unittest.TestCase):
    """bars and pages"""

    def test_a_bar_on_a_terminal(self):
        with mock.patch("sys.stderr", io.StringIO()) as shown:
            zw.Model(text=SPRING).run(until=3e4, progress=True, points=3)
        self.assertRegex(shown.getvalue(), r"\r\[#*\.*\] t = ")
        self.assertTrue(shown.getvalue().endswith("\n"))

    def test_where_nobody_looks_there_is_none(self):
        self.assertIsNone(notebook.shown_by(None))
        with mock.patch("sys.stderr.isatty", lambda: True, create=True):
            self.assertIsInstance(notebook.shown_by(None), notebook.Bar)
        self.assertIsNone(notebook.shown_by(False))

    def test_short_runs_show_nothing(self):
        with mock.patch("sys.stderr", io.StringIO()) as shown:
            bar = notebook.Bar(patience=100)
            bar(mock.Mock(spec=["t", "t_from", "t_to"], t=1, t_from=0, t_to=2))
            bar.end()
        self.assertEqual(shown.getvalue(), "")

    @needs("IPython")
    def test_in_a_notebook(self):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config
        with mock.patch.object(notebook, "in_notebook", lambda: True):
            page = zw.Model(text=SPRING).run().view()
            self.assertTrue(page.data.startswith("<div><iframe srcdoc="))
            with mock.patch("IPython.display.display") as display:
                bar = notebook.Bar()
                for t in (0.1, 0.2):
                    bar._last = 0
                    bar(mock.Mock(spec=["t", "t_from", "t_to"], t=t, t_from=0, t_to=1))
                bar.end()
            self.assertIn('value="0.1', display.call_args.args[0].data)
            self.assertEqual(display.return_value.update.call_count, 2)
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, IPYTHONDIR=folder):
            shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
            shell.run_line_magic("load_ext", "zwang")
            shell.run_cell_magic("zw", "spring", SPRING)
            self.assertEqual(shell.user_ns["spring"].coords, ["x"])
            with self.assertRaises(zw.ModelError) as caught:
                shell.run_cell_magic("zw", "spring", "coord x\nkinetic y'^2\n")
            self.assertIn("spring.zw:2:9", str(caught.exception))
            self.assertIn("\\ddot{x}", shell.user_ns["spring"].equations()._repr_latex_())
