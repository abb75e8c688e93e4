"""What the package believes of the library, against its header."""
import ctypes
import os
import re
import unittest

import zwang._library as library

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "zwang", "zwang.h")
STRUCTS = {"zw_progress": library.Progress, "zw_run_options": library.RunOptions, "zw_sweep_progress": library.SweepProgress,
           "zw_sweep_options": library.SweepOptions, "zw_geometry_options": library.GeometryOptions,
           "zw_stability_options": library.StabilityOptions, "zw_linearise_options": library.LineariseOptions,
           "zw_continue_options": library.ContinueOptions, "zw_structure_options": library.StructureOptions,
           "zw_chaos_options": library.ChaosOptions, "zw_runs": library.Runs, "zw_view_options": library.ViewOptions}
NUMBERS = {"double": ctypes.c_double, "int": ctypes.c_int, "long": ctypes.c_long, "bool": ctypes.c_bool,
           "long long": ctypes.c_longlong, "unsigned long long": ctypes.c_ulonglong}


def members(body):
    """names and types of what is declared; None for pointers"""
    for line in filter(None, map(str.strip, body.split(";"))):
        if pointer := re.match(r".*\(\*(\w+)\)", line, re.S):
            yield pointer[1], None
            continue
        kind, names = re.match(r"((?:const )?(?:unsigned long long|long long|\w+))\b(.*)$", line, re.S).groups()
        for name in names.split(","):
            yield re.search(r"(\w+)\s*$", name)[1], None if "*" in name else NUMBERS[kind]


@unittest.skipUnless(os.path.exists(HEADER), "the header is elsewhere")
class Layout(unittest.TestCase):
    def setUp(self):
        with open(HEADER) as f:
            self.text = re.sub(r"//[^\n]*", "", f.read())

    def test_members_stand_where_the_library_has_them(self):
        for name, struct in STRUCTS.items():
            body = re.search(r"typedef struct %s\s*\{(.*?)\}\s*%s;" % (name, name), self.text, re.S)[1]
            want = list(members(body))
            self.assertEqual([x for x, _ in want], [x for x, *_ in struct._fields_], name)
            for (member, kind), (_, ours) in zip(want, struct._fields_):
                if kind is None:
                    self.assertEqual(ctypes.sizeof(ours), ctypes.sizeof(ctypes.c_void_p), f"{name}.{member}")
                else:
                    self.assertIs(ours, kind, f"{name}.{member}")

    def test_functions_take_as_many_arguments(self):
        for name, (_, arguments) in library._FUNCTIONS.items():
            found = re.search(r"\b%s\(((?:[^()]|\([^()]*\))*)\);" % name, self.text)
            self.assertIsNotNone(found, name)
            given = re.sub(r"\([^()]*\)", "", found[1]).strip()
            self.assertEqual(0 if given == "void" else given.count(",") + 1, len(arguments), name)
