#!/usr/bin/env python3
"""The site, a folder that any web server or disk serves: a front page, the playground, the gallery, the docs, the papers.
usage: site.py ZWANG ROOT OUT LIVE     LIVE: the folder that `make live` has made"""
import concurrent.futures, hashlib, html, json, os, re, shutil, subprocess, sys

STYLE = """
:root { --paper: #fbfaf7; --ink: #1d232b; --faint: #626972; --rule: #dcdfe3; --accent: #0067a3; --card: #ffffff; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #171a20; --ink: #e8eaee; --faint: #a2a9b3; --rule: #333a44; --accent: #6ab7e8; --card: #1d2128; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0.8rem 1rem; }
header nav { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: baseline; }
header .name { font-weight: 700; font-size: 1.2rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { margin-top: 2rem; }
iframe { width: 100%; height: min(78vh, 44rem); border: 1px solid var(--rule); border-radius: 10px; }
pre { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.8rem; overflow: auto; }
code { font: 0.88em ui-monospace, monospace; overflow-wrap: anywhere; } pre code { overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow: auto; } td, th { border: 1px solid var(--rule); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.9rem; padding: 0; list-style: none; }
.cards a { display: block; height: 100%; background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 0.8rem; color: inherit; text-decoration: none; }
.cards a:hover, .cards a:focus-visible { border-color: var(--accent); }
.cards small { color: var(--faint); display: block; } .cards img { display: block; width: 100%; aspect-ratio: 16/10; object-fit: contain; background: #ffffff; padding: 0.4rem; border-radius: 6px; margin-bottom: 0.5rem; }
#find { font: inherit; padding: 0.4rem 0.6rem; width: 100%; max-width: 26rem; border: 1px solid var(--rule); border-radius: 8px; background: var(--card); color: inherit; }
.lead { font-size: 1.15rem; max-width: 46rem; }
"""


def page(title, body, up=""):
    links = [("index.html", "zwang"), ("play.html", "Playground"), ("gallery.html", "Gallery"), ("docs/index.html", "Docs"),
             ("papers.html", "Papers"), ("why.html", "Why zwang")]
    nav = "".join(f'<a{" class=name" if i == 0 else ""} href="{up}{where}">{name}</a>' for i, (where, name) in enumerate(links))
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
            f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header><nav aria-label=\"Site\">{nav}</nav></header>\n"
            f"<main>\n{body}\n</main>\n{OFFLINE.replace('UP', up)}\n</body>\n</html>\n")


# pages that were seen once are there without network: a worker of the browser keeps them; from disk there is none, nor a need
OFFLINE = """<script>
if (location.protocol.startsWith('http') && 'serviceWorker' in navigator) navigator.serviceWorker.register('UPoffline.js').catch(() => undefined);
</script>"""
KEEPER = """// Keeps what was asked for, and what the site begins with; where there is no network it is taken from there.
const name = 'zwang-VERSION';
const first = FIRST;
self.addEventListener('install', (e) => e.waitUntil(caches.open(name).then((c) => c.addAll(first)).then(() => self.skipWaiting())));
self.addEventListener('activate', (e) =>
  e.waitUntil(caches.keys().then((all) => Promise.all(all.filter((k) => k.startsWith('zwang-') && k !== name).map((k) => caches.delete(k)))).then(() => self.clients.claim())));
self.addEventListener('fetch', (e) => {
  if (e.request.method !== 'GET' || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(fetch(e.request).then((answer) => {
    if (answer.ok) { const copy = answer.clone(); e.waitUntil(caches.open(name).then((c) => c.put(e.request, copy))); }
    return answer;
  }).catch(() => caches.match(e.request, { ignoreSearch: true }).then((kept) => kept ?? Response.error())));
});
"""


# ---- Markdown as the docs use it --------------------------------------------------------------------


def address(where, up):
    """of a link in the docs: pages are HTML here, models open in the playground; null: what the site does not hold"""
    if re.match(r"[a-z]+:|#", where):
        return where
    model = re.search(r"(?:^|/)models/(\w+)\.zw$", where)
    if model:
        return f"{up}play.html#model={model[1]}"
    deep = up.count("../")  # of the page below the site; the docs are one deep there as in the source
    if where.count("../") >= deep or re.search(r"\.(?!md\b|svg\b|png\b)\w+(#|$)", where) or not re.search(r"\.\w+(#|$)", where):
        return None
    return re.sub(r"\.md(?=#|$)", ".html", where)


def inline(text, up=""):
    kept = []

    def keep(words):
        kept.append(words)
        return f"\0{len(kept) - 1}\0"

    def link(m):
        where = address(m[2], up)
        return f'<a href="{html.escape(where)}">{m[1]}</a>' if where else m[1]

    text = re.sub(r"`+([^`]+)`+", lambda m: keep(f"<code>{html.escape(m[1])}</code>"), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"!\[([^\]]*)\]\(([^)]+)\)", lambda m: keep(f'<img alt="{html.escape(m[1])}" src="{m[2]}">'), text)
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"<em>\1</em>", text)
    return re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)


def is_model(code):
    return any(re.match(r"(coord|model)\b", line) for line in code.splitlines())


def code_block(code, up):
    text = f"<pre tabindex=0><code>{html.escape(code)}</code></pre>\n"
    if is_model(code):  # it can be tried where it stands
        text += f'<p><button class="try" data-up="{up}">Open in the playground</button></p>\n'
    return text


def slug(text):
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", text)).strip().lower().replace(" ", "-")


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


LISTED = r"\s*([-*]|\d+\.) "


def listed(lines, up):
    """a list; what stands further in than its first item belongs to the item before, lists among it"""
    deep = len(lines[0]) - len(lines[0].lstrip())
    items = []  # each its words and the lines of the list inside of it
    for line in lines:
        item = re.match(r"(\s*)(?:[-*]|\d+\.) (.*)", line)
        if item and len(item[1]) <= deep:
            items.append([item[2], []])
        elif item or items[-1][1]:
            items[-1][1].append(line)
        else:
            items[-1][0] += " " + line.strip()
    kind = "ol" if re.match(r"\s*\d", lines[0]) else "ul"
    return f"<{kind}>" + "".join(f"<li>{inline(words, up)}{listed(inner, up) if inner else ''}</li>" for words, inner in items) + f"</{kind}>"


def markdown(source, up):
    out, lines, i = [], source.splitlines(), 0
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
        elif line.startswith("```") or line.startswith("    "):
            block = []
            if line.startswith("```"):
                i += 1
                while i < len(lines) and not lines[i].startswith("```"):
                    block.append(lines[i])
                    i += 1
                i += 1
            else:
                while i < len(lines) and (lines[i].startswith("    ") or (not lines[i].strip() and i + 1 < len(lines) and lines[i + 1].startswith("    "))):
                    block.append(lines[i][4:])
                    i += 1
            out.append(code_block("\n".join(block), up))
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            words = line[level:].strip()
            out.append(f'<h{level} id="{slug(words)}">{inline(words, up)}</h{level}>')
            i += 1
        elif line.startswith("|"):
            rows = []
            while i < len(lines) and lines[i].startswith("|"):
                rows.append(cells(lines[i]))
                i += 1
            body = [r for k, r in enumerate(rows) if k != 1]
            out.append("<table>" + "".join("<tr>" + "".join(f"<{'th' if k == 0 else 'td'}>{inline(c, up)}</{'th' if k == 0 else 'td'}>" for c in r) + "</tr>"
                                           for k, r in enumerate(body)) + "</table>")
        elif re.match(LISTED, line):
            block = []
            while i < len(lines) and lines[i].strip() and (re.match(LISTED, lines[i]) or lines[i].startswith("  ")):
                block.append(lines[i])
                i += 1
            out.append(listed(block, up))
        else:
            words = []
            while i < len(lines) and lines[i].strip() and not re.match(r"#|\||```", lines[i]):
                words.append(lines[i])
                i += 1
            out.append(f"<p>{inline(' '.join(words), up)}</p>")
    return "\n".join(out)


# the text beside the button goes into the address, packed as web/live/address.ts reads it
TRY = """<script>
for (const b of document.querySelectorAll('.try'))
  b.addEventListener('click', async () => {
    const text = b.parentElement.previousElementSibling.textContent;
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const raw = String.fromCharCode(...new Uint8Array(await new Response(packed).arrayBuffer()));
    location.href = b.dataset.up + 'play.html#text=' + btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  });
</script>"""


# ---- the pages ----------------------------------------------------------------------------------------


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf8") as f:
        f.write(text)


def docs(root, out):
    folder = os.path.join(root, "docs")
    titles = {}
    for at, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(at, name)
            below = os.path.relpath(path, folder)
            if not name.endswith(".md"):
                os.makedirs(os.path.dirname(os.path.join(out, "docs", below)), exist_ok=True)
                shutil.copy(path, os.path.join(out, "docs", below))
                continue
            source = open(path, encoding="utf8").read()
            title = re.search(r"(?m)^# (.*)", source)
            titles[below] = title[1] if title else below
            up = "../" * (below.count("/") + 1)
            write(os.path.join(out, "docs", below[:-3] + ".html"), page(titles[below], markdown(source, up) + TRY, up))
    listed = "".join(f'<li><a href="{html.escape(below[:-3])}.html">{inline(title)}</a></li>' for below, title in sorted(titles.items(), key=lambda x: x[1]))
    write(os.path.join(out, "docs", "index.html"), page("Docs of zwang", f"<h1>Docs</h1><ul>{listed}</ul>", "../"))


def models(root):
    found = []
    for name in sorted(os.listdir(os.path.join(root, "models"))):
        if name.endswith(".zw"):
            text = open(os.path.join(root, "models", name), encoding="utf8").read()
            title = re.search(r'(?m)^model "(.*)"', text)
            found.append((name[:-3], title[1] if title else name[:-3]))
    return found


def draw(zwang, root, out, name):
    """the model as a drawing of the mechanism; one that is newer than the model and the program stays"""
    model, picture = os.path.join(root, "models", name + ".zw"), os.path.join(out, "pictures", name + ".svg")
    if os.path.exists(picture) and os.path.getmtime(picture) > max(os.path.getmtime(model), os.path.getmtime(zwang)):
        return True
    try:
        subprocess.run([zwang, "view", model, "--film", picture, "--size", "480x300", "--quiet"], capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        pass
    return os.path.exists(picture)


def gallery(zwang, root, out):
    os.makedirs(os.path.join(out, "pictures"), exist_ok=True)
    found = models(root)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = list(pool.map(lambda m: draw(zwang, root, out, m[0]), found))
    for (name, _), has in zip(found, drawn):
        if not has:
            print(f"site: {name} has no picture", file=sys.stderr)
    cards = []
    for (name, title), has in zip(found, drawn):
        image = f'<img loading="lazy" alt="" src="pictures/{name}.svg">' if has else ""
        cards.append(f'<li><a href="play.html#model={name}">{image}{html.escape(title)}<small>{name}.zw</small></a></li>')
    find = """<script>
document.getElementById('find').addEventListener('input', (e) => {
  const word = e.target.value.toLowerCase();
  for (const card of document.querySelectorAll('.cards li')) card.hidden = !card.textContent.toLowerCase().includes(word);
});
</script>"""
    body = (f'<h1>Gallery</h1><p>{len(cards)} models; each opens in the playground, where its numbers and its text can be changed.</p>'
            f'<p><label for="find">Find</label> <input id="find" type="search"></p><ul class="cards">{"".join(cards)}</ul>{find}')
    write(os.path.join(out, "gallery.html"), page("Gallery of zwang", body))


def front(root, out):
    readme = open(os.path.join(root, "README.md"), encoding="utf8").read()
    lead = re.search(r"(?m)^# .*\n+([^#\n][^\n]*(?:\n[^#\n][^\n]*)*)", readme)
    body = ("<h1>Write a mechanical system as a textbook does, get its equations and its motion</h1>"
            f'<p class="lead">{inline(" ".join(lead[1].splitlines())) if lead else ""}</p>'
            '<iframe src="play.html" title="A skater, computed in this page; move a slider" loading="eager"></iframe>'
            '<p><a href="play.html">Playground</a>: change its numbers or its text, or take one of the <a href="gallery.html">gallery</a>. '
            'All of it is computed in your browser; nothing is sent anywhere.</p>')
    write(os.path.join(out, "index.html"), page("zwang", body))


def why(root, out):
    """what README says of other programs"""
    readme = open(os.path.join(root, "README.md"), encoding="utf8").read()
    part = re.search(r"(?ms)^## Compared with other programs\n(.*?)(?=^## )", readme)
    if not part:
        raise SystemExit("README.md has no section `Compared with other programs`")
    write(os.path.join(out, "why.html"), page("Why zwang", f"<h1>Why zwang</h1>{markdown(part[1], '')}"))


def papers(root, out):
    items = []
    for name in sorted(os.listdir(os.path.join(root, "docs", "papers"))):
        source = open(os.path.join(root, "docs", "papers", name), encoding="utf8").read()
        title, rest = source.split("\n", 1)
        about = next((p for p in rest.split("\n\n") if p.strip()), "")
        items.append(f'<li><a href="docs/papers/{name[:-3]}.html">{inline(title.lstrip("# "))}</a><br>{inline(" ".join(about.split()))}</li>')
    write(os.path.join(out, "papers.html"), page("Papers", f"<h1>Papers</h1><p>What zwang makes of them: their systems, equations and numbers, computed anew.</p><ul>{''.join(items)}</ul>"))


def offline(out):
    first = ["index.html", "play.html", "formulas.js", "gallery.html", "papers.html", "why.html", "docs/index.html"]
    print_of = hashlib.sha256(b"".join(open(os.path.join(out, f), "rb").read() for f in first)).hexdigest()[:12]
    write(os.path.join(out, "offline.js"), KEEPER.replace("VERSION", print_of).replace("FIRST", json.dumps(["./", *first])))


def main(zwang, root, out, live):
    os.makedirs(out, exist_ok=True)
    parts = os.path.join(live, "parts")
    play = subprocess.run([zwang, "view", os.path.join(root, "models", "skater_stages.zw"), "--live", "--quiet", "--out", os.path.join(out, "play.html")],
                          env={**os.environ, "ZWANG_LIVE": parts})
    if play.returncode:
        sys.exit(play.returncode)
    shutil.copy(os.path.join(parts, "formulas.js"), out)
    front(root, out)
    gallery(zwang, root, out)
    docs(root, out)
    papers(root, out)
    why(root, out)
    offline(out)
    size = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(out) for name in names)
    print(f"site: {out}/index.html, {size / 1e6:.1f} MB in all")


if __name__ == "__main__":
    main(*sys.argv[1:])
