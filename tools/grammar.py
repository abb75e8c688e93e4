#!/usr/bin/env python3
"""Highlighting for editors, made from one list of words. Prints TAP.

grammar.py PROGRAM ROOT [--renew]

Statements and functions are asked of the language server, so that they are those of the program; the words inside
statements stand below. From them come share/editors/: a TextMate grammar with an extension of Visual Studio Code around
it, the files of Vim, Emacs and Kate, and a grammar and highlights of tree-sitter. The test wants the files to be up to date, every word of every model to be known,
and, where Neovim, Emacs, tree-sitter or Kate's highlighter is there, its colours to be those of the grammar. --renew writes the files.
"""
import glob, json, os, re, shutil, subprocess, sys, tempfile, textwrap

import versions
from xml.sax.saxutils import escape

CLAUSES = """mass inertia at in from to corners radius normal size length axis density mesh rotated on as with friction rolling
pivoting viscous restitution newton poisson moreau sequential energetic release hold inside stiffness damping preload angle
turning along rising falling stop report until set over carry impose limit velocity momentum every linear cubic steps outside
extend refuse column paradox impact slip among and or not while by std spin only for else hertz uniform rational
rubber elliptic of rest steady through moment yaw pitch roll""".split()
# these look like functions, but belong to `initial` and to repetitions
MORE_FUNCTIONS = ["rotation", "sum"]
KINDS = """weld hinge slider screw cylindrical spherical universal ball planar free sphere plane ellipsoid torus circle paraboloid capsule
hull segment polygon point line box cylinder cone""".split()
CONSTANTS = ["t", "pi", "world", "base", "true", "false"]
COMMENT, TEXT, UNIT = r"#.*$", r'"[^"]*"', r"\[[^\]\n]*\]"
NUMBER = r"\b\d+\.?\d*([eE][-+]?\d+)?\b"


# ---- what the program knows -------------------------------------------------------------------------------------------


class Server:
    """the language server, asked one thing after the other"""

    def __init__(self, program):
        self.pipe = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask("initialize", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.pipe.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.pipe.stdin.flush()

    def read(self):
        length = 0
        while line := self.pipe.stdout.readline().strip():
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        return json.loads(self.pipe.stdout.read(length))

    def ask(self, method, params):
        self.send({"id": 1, "method": method, "params": params})
        while "id" not in (answer := self.read()):
            pass
        return answer["result"]

    def open(self, path, text):
        self.uri = "file://" + os.path.abspath(path)
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": self.uri, "version": 1, "text": text}}})

    def of(self, method, **params):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": self.uri}, **params})

    def close(self):
        self.ask("shutdown", {})
        self.send({"method": "exit"})
        self.pipe.stdin.close()
        self.pipe.wait()


def words_of(program):
    server = Server(program)
    server.open("words.zw", "coord x\n\nlet y = \n")
    offer = lambda line, column: server.of("completion", position={"line": line, "character": column})
    statements = [o["label"] for o in offer(1, 0)]
    functions = [o["label"] for o in offer(2, 8) if o["kind"] == 3] + MORE_FUNCTIONS
    server.close()
    clauses = [w for w in CLAUSES + KINDS if w not in functions]
    return {"statements": statements, "clauses": sorted(set(clauses)), "functions": functions, "constants": CONSTANTS}


# ---- the files ---------------------------------------------------------------------------------------------------------


def one_of(words):
    return r"\b(" + "|".join(sorted(words, key=lambda w: (-len(w), w))) + r")\b"


def textmate(w):
    rule = lambda name, match: {"name": f"{name}.zwang", "match": match}
    begins = r"(?:^|(?<=[{;]))\s*" + one_of(w["statements"])
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "zwang", "scopeName": "source.zwang", "fileTypes": ["zw"],
        "patterns": [
            rule("comment.line.number-sign", COMMENT), rule("string.quoted.double", TEXT),
            {"match": begins, "captures": {"1": {"name": "keyword.control.zwang"}}},
            rule("support.function", one_of(w["functions"]) + r"(?=\s*\()"),
            rule("constant.numeric", NUMBER), rule("constant.language", one_of(w["constants"])),
            rule("keyword.other", r"(?<!\.)" + one_of(w["clauses"])),
            rule("storage.type.unit", r"(?<=[\s\d)])" + UNIT),
        ],
    }


def vscode(root):
    return {
        "name": "zwang", "displayName": "zwang", "description": "Constrained mechanics: highlighting and the language server of zwang",
        "version": versions.of(root), "publisher": "zwang", "engines": {"vscode": "^1.75.0"}, "categories": ["Programming Languages"],
        "main": "./extension.js", "dependencies": {"vscode-languageclient": "^9.0.0"},
        "contributes": {
            "languages": [{"id": "zwang", "extensions": [".zw"], "configuration": "./language-configuration.json"}],
            "grammars": [{"language": "zwang", "scopeName": "source.zwang", "path": "./zwang.tmLanguage.json"}],
            "configuration": {"title": "zwang", "properties": {
                "zwang.program": {"type": "string", "default": "zwang", "description": "The program whose language server is started"}}},
        },
    }


CONFIGURATION = {"comments": {"lineComment": "#"}, "brackets": [["{", "}"], ["[", "]"], ["(", ")"]],
                 "autoClosingPairs": [["{", "}"], ["[", "]"], ["(", ")"], ['"', '"']]}
EXTENSION = """// Starts `zwang lsp` for the models that are open.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("zwang").get("program");
  client = new LanguageClient("zwang", { command, args: ["lsp"] }, { documentSelector: [{ language: "zwang" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
"""


def vim(w):
    words = lambda group, list: f"syntax keyword {group} " + " ".join(list)
    begins = "|".join(sorted(w["statements"], key=lambda s: (-len(s), s)))
    only_clauses = [c for c in w["clauses"] if c not in w["statements"]]
    return "\n".join([
        '" Models of zwang', "if exists('b:current_syntax') | finish | endif", "syntax case match",
        words("zwangClause", only_clauses),
        f"syntax match zwangStatement /\\v(^|[{{;])\\s*\\zs<({begins})>/",
        "syntax match zwangFunction /\\v<(" + "|".join(w["functions"]) + ")>\\ze\\s*\\(/",
        words("zwangConstant", w["constants"]), "syntax match zwangNumber /\\v<\\d+\\.?\\d*([eE][-+]?\\d+)?>/",
        "syntax match zwangUnit /\\v([[:space:][:digit:])])@<=\\[[^\\]]*\\]/", 'syntax region zwangText start=/"/ end=/"/ oneline',
        "syntax match zwangComment /#.*$/",
        *(f"highlight default link zwang{ours} {theirs}" for ours, theirs in [
            ("Statement", "Statement"), ("Clause", "Keyword"), ("Function", "Function"), ("Constant", "Constant"),
            ("Number", "Number"), ("Unit", "Type"), ("Text", "String"), ("Comment", "Comment")]),
        "let b:current_syntax = 'zwang'", ""])


def emacs(w):
    lisp = lambda list: "'(" + " ".join(f'"{x}"' for x in list) + ")"
    return f""";;; zwang-mode.el --- models of zwang -*- lexical-binding: t -*-

(defvar zwang-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\\n ">" table)
    (modify-syntax-entry ?\\" "\\"" table)
    ;; signs are no part of names: in `g*cos(a)` the function begins behind the star
    (dolist (sign '(?' ?+ ?- ?* ?/ ?^ ?= ?< ?> ?~ ?. ?& ?|))
      (modify-syntax-entry sign "." table))
    (modify-syntax-entry ?_ "_" table)
    table))

(defvar zwang-font-lock-keywords
  `((,(concat "\\\\(?:^\\\\|[{{;]\\\\)\\\\s-*" (regexp-opt {lisp(w["statements"])} 'symbols)) 1 font-lock-keyword-face)
    (,(concat (regexp-opt {lisp(w["functions"])} 'symbols) "\\\\s-*(") 1 font-lock-function-name-face)
    (,(regexp-opt {lisp(w["constants"])} 'symbols) . font-lock-constant-face)
    (,(regexp-opt {lisp(w["clauses"])} 'symbols) . font-lock-builtin-face)
    ("[ \\t0-9)]\\\\(\\\\[[^]\\n]*\\\\]\\\\)" 1 font-lock-type-face)))

;;;###autoload
(define-derived-mode zwang-mode prog-mode "zwang"
  "Models of zwang."
  (setq-local comment-start "# ")
  (setq-local font-lock-defaults '(zwang-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\\\.zw\\\\'" . zwang-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(zwang-mode . ("zwang" "lsp"))))

(provide 'zwang-mode)
;;; zwang-mode.el ends here
"""


def kate(w):
    items = lambda list: "".join(f"<item>{escape(x)}</item>" for x in list)
    begins = escape(r"(?:^|[{;])\s*" + one_of(w["statements"]))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE language>
<language name="zwang" version="1" kateversion="5.0" section="Scientific" extensions="*.zw">
  <highlighting>
    <list name="functions">{items(w["functions"])}</list>
    <list name="clauses">{items(w["clauses"])}</list>
    <list name="constants">{items(w["constants"])}</list>
    <contexts>
      <context name="model" attribute="Normal" lineEndContext="#stay">
        <RegExpr String="#.*$" attribute="Comment" context="#stay"/>
        <RegExpr String="&quot;[^&quot;]*&quot;" attribute="Text" context="#stay"/>
        <RegExpr String="{begins}" attribute="Statement" context="#stay"/>
        <RegExpr String="\\[[^\\]]*\\]" attribute="Unit" context="#stay"/>
        <keyword String="functions" attribute="Function" context="#stay"/>
        <keyword String="clauses" attribute="Clause" context="#stay"/>
        <keyword String="constants" attribute="Constant" context="#stay"/>
        <Float attribute="Number" context="#stay"/>
        <Int attribute="Number" context="#stay"/>
      </context>
    </contexts>
    <itemDatas>
      <itemData name="Normal" defStyleNum="dsNormal"/><itemData name="Statement" defStyleNum="dsKeyword"/>
      <itemData name="Clause" defStyleNum="dsBuiltIn"/><itemData name="Function" defStyleNum="dsFunction"/>
      <itemData name="Constant" defStyleNum="dsConstant"/><itemData name="Number" defStyleNum="dsFloat"/>
      <itemData name="Unit" defStyleNum="dsDataType"/><itemData name="Text" defStyleNum="dsString"/>
      <itemData name="Comment" defStyleNum="dsComment"/>
    </itemDatas>
  </highlighting>
  <general><comments><comment name="singleLine" start="#"/></comments><keywords casesensitive="1"/></general>
</language>
"""


def tree_sitter(w):
    """a grammar of lines: what begins one is a statement, everything else is told apart word by word"""
    words = lambda kind: textwrap.fill(", ".join(json.dumps(x) for x in w[kind]), 100, subsequent_indent="      ")
    return f"""// Made by tools/grammar.py; `tree-sitter generate --abi 14` makes src/parser.c of it.
module.exports = grammar({{
  name: "zwang",
  extras: $ => [/[ \\t\\r]/, $.comment],
  word: $ => $.name,
  rules: {{
    model: $ => repeat(choice($.statement, $.end)),
    // the word that begins a statement may be missing where a line goes on
    statement: $ => prec.right(choice(seq($.keyword, repeat($._part)), repeat1($._part))),
    end: $ => /[\\n;{{}}]/,
    keyword: $ => prec(3, choice({words("statements")})),
    _part: $ => choice($.function, $.clause, $.constant, $.indexed, $.name, $.number, $.text, $.unit, $.sign),
    function: $ => prec(2, choice({words("functions")})),
    clause: $ => prec(1, choice({words("clauses")})),
    constant: $ => choice({words("constants")}),
    indexed: $ => seq($.name, $.index),
    index: $ => token.immediate(/\\[[^\\]\\n]*\\]/),
    name: $ => /[\\p{{L}}_][\\p{{L}}\\p{{N}}_]*/,
    number: $ => /\\d+(\\.\\d+)?([eE][-+]?\\d+)?|\\.\\d+/,
    text: $ => /"[^"\\n]*"/,
    unit: $ => /\\[[^\\]\\n]*\\]/,
    sign: $ => /\\.\\.|[<>]=|[-+*\\/^=<>~:,.()'·×−≤≥²³]/,
    comment: $ => token(/#[^\\n]*/),
  }},
}});
"""


HIGHLIGHTS = """(comment) @comment
(text) @string
(keyword) @keyword
(function) @function
(clause) @type
(constant) @constant
(number) @number
(unit) @attribute
(name) @variable
(sign) @operator
"""
NODE = {"name": "tree-sitter-zwang", "main": "grammar.js", "license": "MIT",
        "tree-sitter": [{"scope": "source.zwang", "file-types": ["zw"], "highlights": ["queries/highlights.scm"]}]}


def files_of(w, root):
    data = lambda x: json.dumps(x, indent=2) + "\n"
    return {
        "vscode/zwang.tmLanguage.json": data(textmate(w)), "vscode/package.json": data(vscode(root)),
        "vscode/language-configuration.json": data(CONFIGURATION), "vscode/extension.js": EXTENSION,
        "vim/syntax/zwang.vim": vim(w), "vim/ftdetect/zwang.vim": "autocmd BufRead,BufNewFile *.zw setfiletype zwang\n",
        "vim/ftplugin/zwang.vim": "setlocal commentstring=#\\ %s shiftwidth=2 expandtab\n",
        "emacs/zwang-mode.el": emacs(w), "kate/zwang.xml": kate(w),
        "tree-sitter/grammar.js": tree_sitter(w), "tree-sitter/queries/highlights.scm": HIGHLIGHTS,
        "tree-sitter/package.json": data(NODE),
    }


# ---- tests -------------------------------------------------------------------------------------------------------------


def models(root):
    return sorted(glob.glob(os.path.join(root, "models", "*.zw")) + glob.glob(os.path.join(root, "share", "parts", "*.zw")))


def unknown_words(path, server, w):
    """words that are neither of the grammar nor names of the model"""
    text = open(path, encoding="utf8").read()
    server.open(path, text)
    names = {s["name"] for s in server.of("documentSymbol")}
    plain = "\n".join(re.sub(r"(?<=[\s\d)])" + UNIT, " ", re.sub(TEXT, " ", re.sub(COMMENT, "", line))) for line in text.split("\n"))
    first = r"(?:%s|for|as|at|std)\s+(\w+(?:\s*\[[^\]]*\])?(?:\s*,\s*\w+(?:\s*\[[^\]]*\])?)*)" % "|".join(w["statements"])
    for declared in re.findall(first, plain) + re.findall(r"\b(?:function|surface|curve|table|part)\s+\w+\s*\(([^)]*)\)", plain):
        names |= set(re.findall(r"[^\W\d]\w*", declared))
    names |= set(re.findall(r",\s*(\w+)(?:\[[^\]]*\])?'*\s*=[^=]", plain))
    names |= {re.split(r"[.\[]", n)[0] for n in names}
    known = set(w["statements"]) | set(w["clauses"]) | set(w["functions"]) | set(w["constants"]) | names
    return sorted({x for x in re.findall(r"(?<![\w.])[^\W\d]\w*", plain) if x not in known and x not in "xyz"})


def every_word_is_known(program, root, w):
    server = Server(program)
    strange = {os.path.basename(p): u for p in models(root) if (u := unknown_words(p, server, w))}
    server.close()
    return strange


def rules_take_every_statement(root, w):
    """the grammar's own expressions on every line: what begins it is a statement, or it goes on with one"""
    begins = re.compile([r["match"] for r in textmate(w)["patterns"] if "captures" in r][0])
    seen = set()
    for path in models(root):
        for line in open(path, encoding="utf8"):
            if found := begins.search(re.sub(COMMENT, "", line)):
                seen.add(found.group(1))
    return seen


LOOK = """
local function group(line, column) return vim.fn.synIDattr(vim.fn.synID(line, column, 1), "name") end
for line = 1, vim.fn.line("$") do
  for at in vim.fn.getline(line):gmatch("()%w+") do io.stdout:write(line, " ", at, " ", group(line, at), "\\n") end
end
"""


def colours_of_neovim(root, model):
    with tempfile.TemporaryDirectory() as folder:
        look = os.path.join(folder, "look.lua")
        open(look, "w").write(LOOK)
        done = subprocess.run(
            ["nvim", "--headless", "-u", "NONE", "-c", "set runtimepath+=" + os.path.join(root, "share", "editors", "vim").replace(" ", "\\ "),
             "-c", "filetype plugin on", "-c", "syntax on", "-c", "edit " + model, "-c", "luafile " + look, "-c", "qa!"],
            capture_output=True, text=True, timeout=60, env=os.environ | {"HOME": folder})
    lines = open(model, encoding="utf8").read().split("\n")
    found = {}
    for row in done.stdout.split("\n"):
        if len(part := row.split(" ")) == 3:
            word = re.match(r"\w+", lines[int(part[0]) - 1][int(part[1]) - 1:])
            found.setdefault(word.group(), set()).add(part[2])
    return found


LISP = """
(add-to-list 'load-path (getenv "ZWANG_FOLDER"))
(require 'zwang-mode)
(dolist (path command-line-args-left)
  (find-file path)
  (font-lock-ensure)
  (goto-char (point-min))
  (while (re-search-forward "[[:alnum:]_]+" nil t)
    (princ (format "%s %s %s\\n" major-mode (match-string 0) (get-text-property (match-beginning 0) 'face)))))
(setq command-line-args-left nil)
"""


def colours_of_tree_sitter(root, paths):
    """word: its kinds in all of these models; and what went wrong"""
    with tempfile.TemporaryDirectory() as folder:
        place, here = os.path.join(folder, "zwang"), os.environ | {"HOME": folder}
        shutil.copytree(os.path.join(root, "share", "editors", "tree-sitter"), place)
        made = subprocess.run(["tree-sitter", "generate", "--abi", "14"], cwd=place, capture_output=True, text=True, timeout=300, env=here)
        if made.returncode != 0:
            return {}, made.stdout + made.stderr
        found, wrong = {}, ""
        for path in map(os.path.abspath, paths):
            done = subprocess.run(["tree-sitter", "parse", path], cwd=place, capture_output=True, text=True, timeout=300, env=here)
            if done.returncode != 0 or "(ERROR" in done.stdout or "(MISSING" in done.stdout:
                wrong += f"{path} is not parsed\n"
            lines = [line.encode() for line in open(path, encoding="utf8").read().split("\n")]
            for kind, row, begin, row_end, end in re.findall(r"\((\w+) \[(\d+), (\d+)\] - \[(\d+), (\d+)\]", done.stdout):
                if row == row_end and kind not in ("statement", "indexed"):
                    found.setdefault(lines[int(row)][int(begin):int(end)].decode(), set()).add(kind)
    return found, wrong


def colours_of_emacs(root, paths):
    """word: its faces in all of these models"""
    with tempfile.TemporaryDirectory() as folder:
        look = os.path.join(folder, "look.el")
        open(look, "w").write(LISP)
        done = subprocess.run(["emacs", "-Q", "--batch", "-l", look, *map(os.path.abspath, paths)], capture_output=True, text=True, timeout=300,
                              env=os.environ | {"HOME": folder, "ZWANG_FOLDER": os.path.abspath(os.path.join(root, "share", "editors", "emacs"))})
    found = {}
    for row in done.stdout.split("\n"):
        if len(part := row.split(" ")) == 3 and part[0] == "zwang-mode":
            found.setdefault(part[1], set()).add(part[2].removeprefix("font-lock-").removesuffix("-face"))
    return found


def colours_of_kate(root, model):
    """word: how the page of Kate's highlighter shows it"""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "org.kde.syntax-highlighting", "syntax")
        os.makedirs(place)
        shutil.copy(os.path.join(root, "share", "editors", "kate", "zwang.xml"), place)
        done = subprocess.run(["kate-syntax-highlighter", "-s", "zwang", model], capture_output=True, text=True, timeout=60,
                              env=os.environ | {"HOME": folder, "XDG_DATA_HOME": folder, "QT_QPA_PLATFORM": "offscreen"})
    found = {}
    for style, text in re.findall(r'<span style="([^"]*)">([^<]*)</span>', done.stdout):
        for word in re.findall(r"\w+", text):
            found.setdefault(word, set()).add(style)
    return found, done.stderr


def apart(found, groups):
    """words of one group look alike, of two groups different; what is wrong with that"""
    styles = [{s for word in group for s in found.get(word, {"nothing"})} for group in groups]
    wrong = [f"{group}: {style}" for group, style in zip(groups, styles) if len(style) != 1]
    return wrong or ([] if len(set.union(*styles)) == len(groups) else [f"some of {groups} look alike: {styles}"])


def main():
    program, root = sys.argv[1:3]
    folder, w = os.path.join(root, "share", "editors"), words_of(program)
    count, failed = 0, 0

    def test(name, wrong):
        nonlocal count, failed
        count, failed = count + 1, failed + bool(wrong)
        for line in wrong:
            print("#  ", line)
        print("not ok" if wrong else "ok", count, "-", name)

    for name, text in files_of(w, root).items():
        path = os.path.join(folder, name)
        if "--renew" in sys.argv:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w", encoding="utf8").write(text)
        same = os.path.exists(path) and open(path, encoding="utf8").read() == text
        test(f"{name} is made of the words of the program", [] if same else ["tools/grammar.py build/zwang . --renew writes it anew"])
    test("every word of every model is known", [f"{m}: {' '.join(u)}" for m, u in every_word_is_known(program, root, w).items()])
    unseen = {"coord", "param", "constraint", "initial", "run", "stage", "for"} - rules_take_every_statement(root, w)
    test("statements are found where they begin", [f"not found: {u}" for u in sorted(unseen)])
    if shutil.which("nvim"):
        seen = colours_of_neovim(root, os.path.join(root, "models", "skater_benchmark.zw"))
        want = {"param": "zwangStatement", "constraint": "zwangStatement", "rotated": "zwangClause", "vel": "zwangFunction",
                "7": "zwangNumber", "kg": "zwangUnit", "air": "zwangText", "world": "zwangConstant"}
        test("Neovim colours a model by it", [f"{x}: {seen.get(x)}, wanted {g}" for x, g in want.items() if seen.get(x) != {g}])
    else:
        count += 1
        print("ok", count, "- Neovim colours a model by it # SKIP Neovim is absent")
    if shutil.which("emacs"):
        seen = colours_of_emacs(root, models(root))
        want = {"param": "keyword", "constraint": "keyword", "rotated": "builtin", "cos": "function-name", "kg": "type",
                "world": "constant", "eta": "nil"}
        test("Emacs colours all models by it", [f"{x}: {seen.get(x)}, wanted {g}" for x, g in want.items()
                                                if not seen.get(x) or seen[x] - {g, "string", "comment", "comment-delimiter"}])
    else:
        count += 1
        print("ok", count, "- Emacs colours all models by it # SKIP Emacs is absent")
    if shutil.which("tree-sitter"):
        seen, told = colours_of_tree_sitter(root, models(root))
        want = {"param": "keyword", "constraint": "keyword", "rotated": "clause", "cos": "function", "[kg]": "unit", "world": "constant", "eta": "name"}
        test("tree-sitter parses all models by it", told.splitlines() + [f"{x}: {seen.get(x)}, wanted {g}" for x, g in want.items() if seen.get(x) != {g}])
    else:
        count += 1
        print("ok", count, "- tree-sitter parses all models by it # SKIP it is absent")
    if shutil.which("kate-syntax-highlighter"):
        seen, told = colours_of_kate(root, os.path.join(root, "models", "skater_benchmark.zw"))
        groups = [["param", "coord", "constraint", "initial"], ["rotated"], ["vel"], ["7", "15"], ["kg", "rad"], ["air", "ice"], ["world"]]
        test("Kate colours a model by it", told.splitlines() + apart(seen, groups))
    else:
        count += 1
        print("ok", count, "- Kate colours a model by it # SKIP its highlighter is absent")
    print(f"1..{count}")
    return failed > 0


sys.exit(main())
