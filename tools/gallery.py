#!/usr/bin/env python3
"""A page from all models of a folder, with a picture each that opens the model's own page.

gallery.py ZWANG MODELS OUT [part of a name]     writes OUT/index.html and OUT/NAME.html for each model
Pictures are drawn by zwang itself: the scene where Chromium is installed, else the model's plots through gnuplot.
"""
import base64, concurrent.futures, hashlib, html, os, re, subprocess, sys, tempfile

STYLE = """
:root{font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}
body{margin:0 auto;max-width:80rem;padding:1.5rem}
ul{list-style:none;padding:0;display:grid;gap:1.2rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}
a{color:inherit;text-decoration:none;display:block}
a:hover h2,a:focus h2{text-decoration:underline}
img{width:100%;aspect-ratio:16/9;object-fit:contain;border-radius:10px;background:#eef1f4;display:block}
h2{font-size:1rem;font-weight:600;margin:.5rem 0 0}
p{margin:0;color:gray;font-size:.85rem}
"""


def page_of(zwang, model, page, picture):
    """writes the page and, where there is a way to have one, the picture; gives what was said last"""
    def run(*command):
        return subprocess.run([zwang, *command, "--quiet"], capture_output=True, text=True).stderr

    if os.path.exists(page):
        os.remove(page)
    said = run("view", model, "--out", page, "--film", picture, "--size", "480x270")
    if not os.path.exists(page):
        said = run("view", model, "--out", page)
    if not os.path.exists(picture):
        run("run", model, "--plot", picture)
    return said


def entry_of(zwang, model, out, folder):
    name = os.path.splitext(os.path.basename(model))[0]
    page, path = os.path.join(out, name + ".html"), os.path.join(folder, name + ".png")
    said = page_of(zwang, model, page, path)
    if not os.path.exists(page):
        return name, None, said
    text = open(model, encoding="utf8").read()
    title = re.search(r'^\s*model\s+"([^"]*)"', text, re.M)
    picture = base64.b64encode(open(path, "rb").read()).decode() if os.path.exists(path) else ""
    words = html.escape(title.group(1) if title else name)
    image = f'<img alt="" loading="lazy" src="data:image/png;base64,{picture}">' if picture else ""
    return name, f'<li><a href="{name}.html">{image}<h2>{words}</h2><p>{name}</p></a></li>', ""


def main(zwang, models, out, part=""):
    os.makedirs(out, exist_ok=True)
    files = [os.path.join(models, f) for f in sorted(os.listdir(models)) if f.endswith(".zw") and part in f]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        entries = list(pool.map(lambda m: entry_of(zwang, m, out, folder), files))
    for name, entry, fault in entries:
        if not entry:
            print(f"gallery: {name} has no page: {fault.strip()}", file=sys.stderr)
    policy = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    with open(os.path.join(out, "index.html"), "w", encoding="utf8") as f:
        f.write('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
                f"content=\"default-src 'none'; img-src data:; style-src 'sha256-{policy}'\">"
                '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Models of zwang</title>'
                f"<style>{STYLE}</style></head><body><h1>Models of zwang</h1><ul>\n")
        f.write("\n".join(entry for _, entry, _ in entries if entry))
        f.write("\n</ul></body></html>\n")
    print(f"{sum(1 for e in entries if e[1])} models in {os.path.join(out, 'index.html')}")
    return any(entry is None for _, entry, _ in entries)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
