#!/usr/bin/env python3
"""Tests of the shape of the source. Prints TAP.

shape.py format ROOT                   every C file is as clang-format writes it
shape.py sizes ROOT                    files and functions of src/ are short and not too branched
shape.py warnings ROOT BUILD COMPILER  the other compiler (not COMPILER) has nothing to warn of
shape.py exports HEADER LIBRARY        the library exports the ZW_API names of the header and nothing else
shape.py called HEADER FOLDER          the tests in FOLDER call every function of the header
shape.py elsewhere ROOT                in a folder with blanks and other signs the build finds all its files
"""
import concurrent.futures, glob, json, os, re, shlex, shutil, subprocess, sys, tempfile

LONGEST = 450  # lines of a file
BRANCHED = 20  # cyclomatic complexity of a function
LONG = 45  # lines that one function of a hundred may have more than
# one switch over the bytes of a text
SCANNERS = {("src/lang/parser.c", "skip")}


def tap(results):
    """results: (name, list of faults); exits"""
    print(f"1..{len(results)}")
    for i, (name, faults) in enumerate(results, 1):
        for fault in faults:
            print("\n".join("#   " + line for line in fault.splitlines()))
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
    sys.exit(any(faults for _, faults in results))


def skip(reason):
    print(f"1..1\nok 1 - not checked # SKIP {reason}")
    sys.exit(0)


def folders(root, tops):
    """C files by folder, deep folders on their own"""
    found = {}
    for top in tops:
        for file in sorted(glob.glob(os.path.join(glob.escape(root), top, "**", "*.[ch]"), recursive=True)):
            found.setdefault(os.path.relpath(os.path.dirname(file), root), []).append(file)
    return found


def check_format(root):
    if not shutil.which("clang-format"):
        skip("clang-format is not installed")
    results = []
    for folder, files in folders(root, ["src", "include", "test", "bench"]).items():
        run = subprocess.run(["clang-format", "--dry-run", "-Werror", *(os.path.relpath(f, root) for f in files)], cwd=root,
                             capture_output=True, text=True)
        bad = sorted(set(re.findall(r"^(.+?):\d+:\d+: error", run.stderr, re.M)))
        faults = [f"{f} is not formatted; make format" for f in bad]
        if run.returncode and not faults:
            faults = [run.stderr]
        results.append((f"{folder} is formatted", faults))
    tap(results)


def bare(text):
    """C text without comments and what stands in quotes, line by line as before"""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", re.sub(r"'(\\.|[^'\\\n])+'", "' '", text))


def definitions(text):
    """name, first line, length in lines and body of every function, formatted as it is here"""
    lines = bare(text).split("\n")
    i = 0
    while i < len(lines):
        if lines[i] == "{" and i:
            end, head = i, i - 1
            while end < len(lines) and lines[end] != "}":
                end += 1
            while head > 0 and not re.match(r"[A-Za-z_]", lines[head]):
                head -= 1
            name = re.search(r"(\w+)\s*\(", " ".join(lines[head:i]))
            if name and not re.match(r"typedef|struct|enum|union", lines[head]):
                yield name.group(1), lines[head], end - head + 1, "\n".join(lines[i:end])
            i = end
        i += 1


def functions(text):
    """name, length in lines and cyclomatic complexity of every function"""
    for name, _, length, body in definitions(text):
        yield name, length, 1 + len(re.findall(r"\b(?:if|for|while|case)\b|&&|\|\||\?", body))


def check_sizes(root):
    results, lengths = [], []
    for folder, files in folders(root, ["src"]).items():
        faults = []
        for f in files:
            text, name = open(f, encoding="utf8").read(), os.path.relpath(f, root)
            if text.count("\n") > LONGEST:
                faults.append(f"{name} has {text.count(chr(10))} lines, at most {LONGEST}")
            for function, length, branches in functions(text):
                lengths.append((length, f"{function} of {name}"))
                if branches > BRANCHED and (name, function) not in SCANNERS:
                    faults.append(f"{function} of {name} has a complexity of {branches}, at most {BRANCHED}")
        results.append((f"{folder} has short files and plain functions", faults))
    lengths.sort(reverse=True)
    far = lengths[: len(lengths) // 100 + 1]
    results.append((f"99 of 100 functions have at most {LONG} lines",
                    [f"{name} has {length} lines" for length, name in far] if far[-1][0] > LONG else []))
    results.append(("functions are found", [] if len(lengths) > 1000 else [f"only {len(lengths)}"]))
    tap(results)


def check_warnings(root, build, compiler):
    other = "gcc" if compiler == "clang" else "clang"
    if not shutil.which(other):
        skip(f"{other} is not installed")
    # what both compilers understand of the flags each file is built with
    keep = re.compile(r"-(I|D|U|isystem|std=|W(?!l,)|fvisibility|ffp-contract)")
    jobs = {}
    for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
        flags = [f for f in shlex.split(entry["command"])[1:] if keep.match(f)]
        jobs.setdefault(os.path.normpath(os.path.join(entry["directory"], entry["file"])), (entry["directory"], *flags))
    alike = {}
    for file, how in sorted(jobs.items()):
        alike.setdefault(how, []).append(file)

    def compile_one(file, how):
        run = subprocess.run([other, *how[1:], "-Werror", "-fsyntax-only", file], cwd=how[0], capture_output=True, text=True)
        return run.stderr if run.returncode else ""

    def compile_some(job):
        how, files = job
        if are_clean_for_clang(files, how, other):
            return [(file, "") for file in files]
        return [(file, compile_one(file, how)) for file in files]

    found = {}
    parts = [(how, files[i:i + 40]) for how, files in alike.items() for i in range(0, len(files), 40)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, text in (one for some in pool.map(compile_some, parts) for one in some):
            folder = os.path.relpath(os.path.dirname(file), root)
            found.setdefault("what is generated" if folder.startswith("..") else folder, []).extend([text] if text else [])
    tap([(f"{folder} is clean under {other}", faults) for folder, faults in sorted(found.items())])


def are_clean_for_clang(files, how, compiler):
    """Files with the same flags in one process of clang, which takes half as long as one for each; false if unsure."""
    if compiler != "clang":
        return False
    told = subprocess.run([compiler, *how[1:], "-Werror", "-fsyntax-only", "-###", files[0]], cwd=how[0], capture_output=True, text=True)
    lines = [line for line in told.stderr.splitlines() if '"-cc1"' in line]
    words = shlex.split(lines[0]) if len(lines) == 1 else []
    if words[-1:] != [files[0]]:
        return False
    return subprocess.run([*words[:-1], *files], cwd=how[0], capture_output=True).returncode == 0


def promised_by(header):
    """the names of the header that are ZW_API"""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*(\\\n[^\n]*)*", "", open(header, encoding="utf8").read(), flags=re.M | re.S)
    promised = set()
    for declaration in re.findall(r"\bZW_API\b([^;]*);", text):
        promised.add(re.findall(r"\b(zw_\w+)\s*(?=[(\[]|$)", declaration.strip())[0])
    return promised


def check_called(header, folder):
    called = set()
    for file in glob.glob(os.path.join(glob.escape(folder), "*.c")):
        text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', "", open(file, encoding="utf8").read(), flags=re.S)
        called |= set(re.findall(r"\b(zw_\w+)\s*\(", text))
    promised = promised_by(header)
    tap([(f"{name} is called by a test", [] if name in called else [f"no test of {os.path.basename(folder)} calls it"])
         for name in sorted(promised)] + [("the header promises something", [] if promised else ["nothing was found"])])


def check_exports(header, library):
    if not shutil.which("nm"):
        skip("nm is not installed")
    promised = promised_by(header)
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True)
    # names with two underscores are the compiler's own
    found = {line.split()[0] for line in listed.stdout.splitlines()}
    found = {name for name in found if not name.startswith(("__", "_init", "_fini", "_edata", "_end"))}
    tap([("everything promised is exported", [f"{n} is in {os.path.basename(header)} only" for n in sorted(promised - found)]),
         ("nothing else is exported", [f"{n} is not in {os.path.basename(header)}" for n in sorted(found - promised)]),
         ("the header promises something", [] if promised else ["no ZW_API declaration was found"])])


def check_elsewhere(root):
    meson, ninja = shutil.which("meson"), shutil.which("ninja")
    if not meson or not ninja:
        skip("meson or ninja is not in the path")
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "it's a long folder's name [1] with blanks & $igns, which goes on " + "and on " * 15, "zwang")
        # folders of builds are large, and what `make live` is made with has links into nothing
        shutil.copytree(root, copy, ignore=lambda at, names: [n for n in names if n == "node_modules" or n.startswith(".") or
                                                              (at == root and n.startswith("build")) or
                                                              os.path.exists(os.path.join(at, n, "build.ninja"))])
        modules = os.path.join(root, "web", "node_modules")
        if os.path.isdir(modules):
            os.symlink(modules, os.path.join(copy, "web", "node_modules"))
        made = os.path.join(copy, "build")
        results, steps = [], [("it is set up", [meson, "setup", made, copy]),
                              ("every file is found", [ninja, "-C", made, "-n"]),
                              ("generated files are made", [ninja, "-C", made, "src/api/examples.c", "src/lang/library_texts.c", "src/out/page_bundle.c"])]
        for name, words in steps:
            run = subprocess.run(words, cwd=copy, capture_output=True, text=True)
            results.append((name, [(run.stdout + run.stderr)[-2000:]] if run.returncode else []))
            if run.returncode:
                break
        if not results[0][1]:
            text = open(os.path.join(made, "build.ninja"), encoding="utf8").read()
            results.append(("no folder stands behind -Wl, which a comma in its name ends",
                            sorted({w for w in re.findall(r"-Wl,\S*", text) if folder in w})))
    tap(results)


if __name__ == "__main__":
    checks = {"format": check_format, "sizes": check_sizes, "warnings": check_warnings, "exports": check_exports,
              "elsewhere": check_elsewhere, "called": check_called}
    checks[sys.argv[1]](*sys.argv[2:])
