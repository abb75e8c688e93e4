#!/usr/bin/env python3
"""Equations as zwang prints them, against kept pages; LaTeX set as a page. Prints TAP.

golden_derive.py PROGRAM ROOT [--renew] [part of a name]

A case is ROOT/test/golden/derive/MODEL.FORM.txt or .tex: what `zwang derive` prints of that model of the gallery in
that form, as text or LaTeX (a colon of the form's name is written as a dash). Each .tex is also set by pdflatex, where
there is one: without an error and without a line that runs over the margin. --renew shows how the pages differ and
writes them.
"""
import argparse, difflib, os, shutil, sys, tempfile

import calls

SECONDS = 60


def derive(program, root, name):
    model, form, kind = name.rsplit(".", 2)
    style = {"txt": "text", "tex": "latex"}[kind]
    line = [program, "derive", os.path.join(root, "models", model + ".zw"), "--form", form.replace("-", ":"), "--as", style]
    done = calls.run(line, SECONDS, text=True)
    return done.out, done.fault or (None if done.status == 0 else done.err)


def faults_of_page(page):
    """what TeX has against the page: nothing is right"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "page.tex"), "w", encoding="utf8") as file:
            file.write(page)
        done = calls.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"], SECONDS, cwd=folder)
        log = done.out.decode("utf8", "replace").splitlines()
        faults = [line for line in log if line.startswith(("!", "Overfull"))]
        if done.status != 0 and not faults:
            faults = [done.fault or "pdflatex ended with status %d" % done.status]
        if not faults and not os.path.getsize(os.path.join(folder, "page.pdf")):
            faults = ["the page is empty"]
        return faults


def difference(want, got):
    return [line.rstrip("\n") for line in difflib.unified_diff(want.splitlines(), got.splitlines(), "wanted", "got", lineterm="")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--renew", action="store_true")
    given = parser.parse_args()
    folder = os.path.join(given.root, "test", "golden", "derive")
    names = [n for n in sorted(os.listdir(folder)) if given.part in n]
    tex = [n for n in names if n.endswith(".tex")]
    print("1..%d" % (len(names) + len(tex)))
    number, failed = 0, 0
    for name in names:
        path = os.path.join(folder, name)
        want = open(path, encoding="utf8").read()
        got, fault = derive(given.program, given.root, name)
        lines = [fault] if fault else difference(want, got)
        if given.renew and lines and not fault:
            open(path, "w", encoding="utf8").write(got)
        for line in lines:
            print("#   " + line)
        number += 1
        failed += bool(lines)
        print("%sok %d - %s is printed as kept" % ("not " if lines else "", number, name))
    for name in tex:
        number += 1
        if not shutil.which("pdflatex"):
            print("ok %d - %s is set without fault # SKIP pdflatex is not installed" % (number, name))
            continue
        faults = faults_of_page(derive(given.program, given.root, name)[0])
        for line in faults:
            print("#   " + line)
        failed += bool(faults)
        print("%sok %d - %s is set without fault" % ("not " if faults else "", number, name))
    return 1 if failed else 0


sys.exit(main())
