#!/usr/bin/env python3
"""growth.py TEST_SIM: how the counted work from a text to a tape grows with what is made, for families of models at three
sizes each; the table is that of the tests themselves (test/walk/test_growth*.c)."""
import subprocess, sys

from common import say

done = subprocess.run([sys.argv[1], "work"], capture_output=True, text=True)
say("\nCounted work from a text to a tape: arguments of nodes asked for or looked at; made: characters of the text, arguments")
say("of the distinct nodes of the equations, operations of their tape. Forms: the work of writing one down for blades that do")
say("not know of each other, three coordinates each, and arguments of the nodes of its equations. Hanging, relative: up to the")
say("end of a short run of a chain, beside that of one rod less. The same on every machine.")
for line in done.stdout.splitlines():
    if line.startswith("# ") and ": work" in line:
        say("  " + line[2:])
sys.exit(done.returncode)
