#!/usr/bin/env python3
"""The examples of the manual, executed. Prints TAP.

doc_examples.py PROGRAM ROOT [--slow] [part of a file name]

In README.md and docs/**/*.md these fenced blocks count:

  ```zw name=pendulum.zw    a model, saved under that name (example.zw without one)
  ```zw add=pendulum.zw     lines that, put behind that earlier model, make a model of the same name
  ```zw error               a model that must be refused (exit status 2)
  ```console                commands, in a folder outside of the repository with the page's models alone; `$ ` before
                            each, other lines are what it prints (a block without a name that begins so counts, too)
  ```output                 what the commands before it print

Lines that stand in by four blanks and begin with `zwang` or `make` are how a command is written: each of its options has to
be one that `zwang COMMAND --help` has, each target one of the Makefile.

A model with no command before the next one is given to `zwang check`. A line `...` in the expected text stands
for any number of lines. Commands must end well, unless their expected text ends in `exit N`.
make, git and sudo are left alone.
"""
import glob, os, re, subprocess, sys, tempfile

import calls

SECONDS = 60


class Block:
    def __init__(self, kind, words, line):
        self.kind, self.line, self.text = kind, line, ""
        self.flags = {w.partition("=")[0]: w.partition("=")[2] for w in words}


def blocks_of(path):
    block, found = None, []
    for n, line in enumerate(open(path, encoding="utf8"), 1):
        fence = re.match(r"\s*```(.*)$", line)
        if fence and block is None:
            words = fence.group(1).split() or [""]
            block = Block(words[0], words[1:], n)
            block.bare = not fence.group(1).strip()
        elif fence:
            if block.bare and block.text.startswith("$ "):
                block.kind = "console"
            found.append(block)
            block = None
        elif block is not None:
            block.text += line
    if block is not None:
        raise SystemExit(f"{path}:{block.line}: this block is not closed")
    return found


def fits(want, got):
    """lines equal, `...` for any number of lines"""
    parts = [r"(?:[^\n]*\n)*" if w.strip() == "..." else re.escape(w.rstrip()) + r"[ \t]*\n" for w in want]
    return re.fullmatch("".join(parts), "".join(g.rstrip() + "\n" for g in got)) is not None


class Page:
    """one file: its commands in order, in a folder of their own"""

    def __init__(self, path, program, root, seconds):
        self.path, self.name, self.seconds = path, os.path.relpath(path, root), seconds
        self.path_variable = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
        self.root, self.results = root, []

    def record(self, line, what, fault, skip=""):
        self.results.append((f"{self.name}:{line} {what}", fault, skip))

    def shell(self, command):
        done = calls.run(["bash", "-o", "pipefail", "-c", command], self.seconds, cwd=self.folder,
                         env=dict(os.environ, PATH=self.path_variable, LC_ALL="C.UTF-8"), text=True, errors="replace",
                         stderr=subprocess.STDOUT)
        return (None, done.fault) if done.fault else (done.status, done.out)

    def command(self, line, command, want):
        if re.match(r"(make|git|sudo)\b", command):
            return self.record(line, command, "", "not run in the tests")
        status, out = self.shell(command)
        wanted_status = 0
        if want and (m := re.fullmatch(r"exit (\d+)", want[-1].strip())):
            wanted_status, want = int(m.group(1)), want[:-1]
        missing = re.search(r"\w+ is not installed", out)
        if missing and status == 2:
            return self.record(line, command, "", missing.group())
        if status != wanted_status:
            return self.record(line, command, f"exit status {status}, wanted {wanted_status}\n{out}")
        if want and not fits(want, out.splitlines()):
            return self.record(line, command, "wanted:\n" + "\n".join(want) + "\ngot:\n" + out)
        self.record(line, command, "")

    def console(self, block, answer):
        lines = block.text.splitlines()
        marked = any(text.startswith("$ ") for text in lines)
        commands = []
        for n, text in enumerate(lines, block.line + 1):
            if text.startswith("$ ") or (not marked and text.strip()):
                commands.append([n, text[2:] if marked else text, []])
            elif commands:
                commands[-1][2].append(text)
        if answer and commands:
            commands[-1][2] += answer.text.splitlines()
        for n, text, want in commands:
            self.command(n, text, want)

    def model(self, block, alone):
        flags = block.flags
        name = flags.get("name") or flags.get("add") or "example.zw"
        path = os.path.join(self.folder, name)
        text = block.text
        if "add" in flags:
            text = open(os.path.join(self.folder, flags["add"]), encoding="utf8").read() + text
        open(path, "w", encoding="utf8").write(text)
        if "error" in flags or alone:
            self.command(block.line, f"zwang check {name}", ["...", "exit 2"] if "error" in flags else [])

    def synopsis(self):
        """lines outside of blocks that say how a command is written"""
        fenced = False
        for n, line in enumerate(open(self.path, encoding="utf8"), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and (m := re.match(r"    (zwang|make)(?: ([a-z]+))?(?=\s)(.*)", line)):
                self.written(n, *m.groups())

    def written(self, line, program, word, rest):
        if program == "make":
            with open(os.path.join(self.root, "Makefile")) as f:
                known = word is None or re.search(rf"^{word}:", f.read(), re.M)
            return self.record(line, f"make {word or ''}".rstrip(), "" if known else f"the Makefile has no `{word}`")
        status, out = self.shell(f"zwang {word} --help")
        lost = [o for o in re.findall(r"--[a-z][a-z-]*", rest) if not re.search(rf"(?<![\w-]){o}(?![\w-])", out)]
        self.record(line, f"zwang {word} {' '.join(rest.split())}", f"`zwang {word} --help` does not have {' '.join(lost)}" if lost or status else "")

    def run(self):
        all_blocks = blocks_of(self.path)
        for b in all_blocks:
            if b.kind in ("sh", "bash", "shell", "zsh", "shell-session"):
                self.record(b.line, f"a block of {b.kind}", "commands that are run here stand in blocks of `console`")
        blocks = [b for b in all_blocks if b.kind in ("zw", "console", "output")]
        with tempfile.TemporaryDirectory() as self.folder:
            for i, block in enumerate(blocks):
                after = blocks[i + 1] if i + 1 < len(blocks) else None
                if block.kind == "zw":
                    self.model(block, after is None or after.kind != "console")
                elif block.kind == "console":
                    self.console(block, after if after and after.kind == "output" else None)
            self.synopsis()
        return self.results


def main():
    slow = "--slow" in sys.argv
    program, root, *part = [a for a in sys.argv[1:] if a != "--slow"]
    paths = [os.path.join(root, "README.md")] + sorted(glob.glob(os.path.join(glob.escape(root), "docs", "**", "*.md"), recursive=True))
    results = []
    with tempfile.TemporaryDirectory() as place:
        program = calls.held(program, place)
        for path in paths:
            if os.path.exists(path) and (not part or part[0] in path):
                results += Page(path, program, root, SECONDS * (10 if slow else 1)).run()
    if not results:
        print("1..0 # SKIP no examples")
        return 0
    print(f"1..{len(results)}")
    for i, (name, fault, skip) in enumerate(results, 1):
        print("".join(f"#   {line}\n" for line in fault.splitlines()), end="")
        name = name.replace("#", "%")
        print(f"{'not ok' if fault else 'ok'} {i} - {name}" + (f" # SKIP {skip}" if skip else ""))
    return any(fault for _, fault, _ in results)


if __name__ == "__main__":
    sys.exit(main())
