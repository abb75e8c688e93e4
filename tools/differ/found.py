"""Systems that were found once, kept as they were drawn: found/FAMILY-SEED-CHART.zw, the first chart being the reference.

Generators change, and a seed then draws another system; these stay. Of each there is a chart that was wrong, and one that was not.
"""
import collections, os, re

from draw import System

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "found")
# the chart that was right comes first
RIGHT = ("straight", "relative", "absolute", "cardan")
SPAN = re.compile(r"^run 0 \.\. (\S+)$", re.M)
OUTPUT = re.compile(r"^output (\w+)", re.M)


def texts():
    """family, seed -> chart -> text"""
    found = collections.defaultdict(dict)
    names = [name for name in sorted(os.listdir(FOLDER)) if name.endswith(".zw")]
    for name in sorted(names, key=lambda name: not name[:-3].endswith(RIGHT)):
        family, seed, chart = name[:-3].split("-")
        with open(os.path.join(FOLDER, name), encoding="utf8") as file:
            found[family, int(seed)][chart] = file.read()
    return found


def systems(runner):
    """all of them; RUNNER says which columns an output has"""
    for (family, seed), charts in sorted(texts().items()):
        first = next(iter(charts.values()))
        span = float(SPAN.search(first)[1])
        shared = set.intersection(*(set(OUTPUT.findall(text)) for text in charts.values()))
        columns = runner.run(first, [span]).data["columns"]
        yield System(family, seed, charts, [name for name in columns if name.split(".")[0] in shared], False, span)
