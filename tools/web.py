#!/usr/bin/env python3
"""Tests of the viewer, for which Node.js and Chromium are needed. Prints TAP.

web.py bundle ROOT           web/page.html is what its sources give; they have the right types; no addresses in the lock file
web.py browser ROOT ZWANG    pages in a real browser
web.py touching ROOT ZWANG   what the page draws: bodies on their ground, in Node.js alone
web.py live ROOT ZWANG DIR   zwang as WebAssembly (make live), in DIR, beside the program
web.py pages ROOT ZWANG DIR  live pages in a real browser
web.py site ROOT ZWANG DIR   the site (make site) in a real browser, made anew of what there is
"""
import os, re, shutil, subprocess, sys, tempfile


def skip(reason):
    print(f"1..1\nok 1 - not checked # SKIP {reason}")
    sys.exit(0)


def find_node(web):
    node = shutil.which("node")
    if not node:
        skip("Node.js is not installed")
    if not os.path.isdir(os.path.join(web, "node_modules", "esbuild")):
        skip("the packages of web/ are not installed; make setup")
    return node


def bundle_is_fresh(web):
    node = find_node(web)
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "page.html")
        run = subprocess.run([node, "build.mjs", made], cwd=web, capture_output=True, text=True)
        if run.returncode:
            return run.stderr
        kept = open(os.path.join(web, "page.html"), "rb").read()
        return "" if open(made, "rb").read() == kept else "web/page.html is old; node web/build.mjs renews it"


def types_fit(web):
    run = subprocess.run([find_node(web), os.path.join("node_modules", "typescript", "bin", "tsc"), "--noEmit"], cwd=web,
                         capture_output=True, text=True)
    return run.stdout + run.stderr if run.returncode else ""


def lock_names_no_hosts(web):
    found = re.findall(r'"resolved"|https?://[^"]*', open(os.path.join(web, "package-lock.json"), encoding="utf8").read())
    return f"web/package-lock.json has addresses: {found[:3]}" if found else ""


def bundle(root):
    web = os.path.join(root, "web")
    find_node(web)
    tests = [lock_names_no_hosts, bundle_is_fresh, types_fit]
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        fault = test(web)
        if fault:
            failed += 1
            print("\n".join("#   " + line for line in fault.splitlines()))
        print(f"{'not ok' if fault else 'ok'} {number} - {test.__name__}")
    sys.exit(failed != 0)


def browser(root, zwang):
    web = os.path.join(root, "web")
    node = find_node(web)
    chromium = find_chromium(web)
    sys.stdout.flush()
    os.execv(node, [node, os.path.join(web, "test", "browser.mjs"), os.path.abspath(zwang), root, chromium])


def touching(root, zwang):
    web = os.path.join(root, "web")
    node = find_node(web)
    sys.stdout.flush()
    os.execv(node, [node, os.path.join(web, "test", "touching.mjs"), os.path.abspath(zwang), root])


def find_chromium(web):
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium:
        skip("Chromium is not installed")
    if not os.path.isdir(os.path.join(web, "node_modules", "playwright-core")):
        skip("playwright-core is not installed")
    return chromium


def find_live(root, folder):
    if not os.path.exists(os.path.join(folder, "zwang.wasm")):
        skip("zwang.wasm is not built; make live")
    if os.path.getmtime(os.path.join(folder, "zwang.wasm")) < newest(os.path.join(root, "src")):
        skip("zwang.wasm is older than the sources; make live")


def live(root, zwang, folder):
    web = os.path.join(root, "web")
    node = find_node(web)
    find_live(root, folder)
    sys.stdout.flush()
    os.execv(node, [node, "--experimental-wasm-relaxed-simd", os.path.join(web, "test", "live.mjs"), os.path.abspath(zwang), root, folder])


def pages(root, zwang, folder):
    web = os.path.join(root, "web")
    node, chromium = find_node(web), find_chromium(web)
    find_live(root, folder)
    sys.stdout.flush()
    os.execv(node, [node, os.path.join(web, "test", "live_page.mjs"), os.path.abspath(zwang), root, folder, chromium])


def site(root, zwang, folder):
    web = os.path.join(root, "web")
    node, chromium = find_node(web), find_chromium(web)
    find_live(root, folder)
    made = os.path.join(folder, "site")
    run = subprocess.run([sys.executable, os.path.join(root, "tools", "site.py"), os.path.abspath(zwang), root, made, folder],
                         capture_output=True, text=True)
    if run.returncode:
        print(f"1..1\n# {run.stderr}\nnot ok 1 - site.py")
        sys.exit(1)
    os.chdir(root)
    sys.stdout.flush()
    os.execv(node, [node, os.path.join(web, "test", "site.mjs"), made, chromium])


def newest(folder):
    return max(os.path.getmtime(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


if __name__ == "__main__":
    {"bundle": bundle, "browser": browser, "touching": touching, "live": live, "pages": pages, "site": site}[sys.argv[1]](*sys.argv[2:])
