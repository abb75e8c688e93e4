"""zwang: write a mechanical system as a textbook does, get its equations and its motion.

>>> import zwang as zw
>>> m = zw.Model(text='''
... param m = 2 [kg], l = 1 [m], g = 9.81 [m/s^2]
... coord phi [rad]
... kinetic m*l^2*phi'^2/2
... potential -m*g*l*cos(phi)
... initial phi = 0.1
... run 0 .. 2
... ''')
>>> m.equations().data["equations"][0]["right"]
'-m*l*g*sin(phi)'
>>> r = m.run(points=5)
>>> r.t
array([0. , 0.5, 1. , 1.5, 2. ])
>>> r["phi"].shape, abs(r.energy) < 1e-9
((5,), True)
"""
from ._library import Error, ModelError, RunError, ZwangWarning, lib as _lib
from .builder import Builder
from .model import Equations, Model, Point, Report, example, examples, methods
from .notebook import load_ipython_extension
from .program import Environment, Program, Stepper
from .track import Event, Track

__version__ = _lib.zw_version().decode()
__all__ = ["Builder", "Environment", "Equations", "Error", "Event", "Model", "ModelError", "Point", "Program", "Report",
           "RunError", "Stepper", "Track", "ZwangWarning", "example", "examples", "load_ipython_extension", "methods"]
