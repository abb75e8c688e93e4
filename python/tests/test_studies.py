"""Studies of a model: branches, structure, chaos, forces for a motion."""
import os
import tempfile
import unittest

import numpy as np
import zwang as zw

ARCH = """param P = 0, h = 1
coord y
kinetic y'^2/2
potential (sqrt(1 + y^2) - sqrt(1 + h^2))^2 + P*y
force y = -0.1*y'
initial y = h
"""


class Studies(unittest.TestCase):
    def test_branches_have_their_folds(self):
        """of the shallow arch: dP/dy = 0 where (1 + y^2)^(3/2) = sqrt(1 + h^2)"""
        b = zw.Model(text=ARCH).branches("P=-0.5..0.5")
        folds = [p for p in b["branches"][0]["special"] if p["kind"] == "fold"]
        y = np.sqrt(2**(1/3) - 1)
        np.testing.assert_allclose(sorted(p["state"]["y"] for p in folds), [-y, y], rtol=1e-9)
        self.assertTrue(b.csv.startswith("branch,"))
        self.assertEqual(str(zw.Model(text=ARCH).continue_("P=-0.5..0.5")), str(b))
        with self.assertRaises(zw.RunError) as caught:
            zw.Model(text=ARCH).branches("Q=0..1")
        self.assertIn("`Q`", str(caught.exception))

    def test_structure(self):
        s = zw.Model(text=zw.example("spherical_pendulum")).structure()
        self.assertEqual((s["symmetries"], s["linear_integrals"]["dimension"]), (1, 1))
        self.assertIn("symmetries", str(s))

    def test_conserved(self):
        m = zw.Model(text="coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\ninitial x = 1\ninitial y = 0\n"
                          "initial x' = 0\ninitial y' = 1.1\nrun 0 .. 10\n")
        track = m.with_conserved().run()
        self.assertAlmostEqual(track["F1"][0], 1.1, 14)
        self.assertLess(max(abs(track["F1"] - 1.1)), 1e-9)
        self.assertNotIn("F1", m.run().columns)
        with self.assertRaises(zw.ModelError):
            zw.Model(text="coord x\nkinetic x'^2/2\nforce x = -x'^3\ninitial x = 1\nrun 0 .. 1\n").with_conserved()

    def test_map_of_an_embedding(self):
        m = zw.Model(text="coord a, b\nkinetic (a'^2 + sin(a)^2*b'^2)/2\ninitial a = 1\ninitial b = 0\ninitial b' = 1\nrun 0 .. 1\n")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sphere.c")
            m.geometry(map=path)
            with open(path) as f:
                self.assertIn("double", f.read())

    def test_chaos(self):
        m = zw.Model(text="coord x\nkinetic x'^2/2\npotential -x^4/4 + x^6/100\ninitial x = 0.1\ninitial x' = 0\n")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "section.csv")
            c = m.chaos(until=200, section="x' = 0", out=path)
            self.assertIn("exponents", str(c))
            with open(path) as f:
                self.assertGreater(len(f.readlines()), 2)

    def test_forces_for_a_motion(self):
        """those of a run, given back"""
        m = zw.Model(text="param k = 2\ncoord x\nkinetic x'^2/2\nforce x = 3*cos(t)\npotential k*x^2/2\ninitial x = 1\nrun 0 .. 1\n")
        r = m.run(points=201)
        bare = zw.Model(text="param k = 2\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n")
        forces = bare.inverse({"t": r.t, "x": r["x"], "x'": r["x'"]}, along=["x"])
        np.testing.assert_allclose(forces["force.x"], 3*np.cos(r.t), atol=1e-4)

    def test_linearise_in_all_its_places(self):
        m = zw.Model(text="param k = 4, u = 0\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nforce x = u\ninitial x = 1\n")
        for where in ("state", "rest"):
            np.testing.assert_allclose(m.linearise(inputs="u", outputs="x", where=where)["A"], [[0, 1], [-4, 0]], atol=1e-12)
        with self.assertRaises(ValueError):
            m.linearise(where="nowhere")
