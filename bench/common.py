"""What the scripts of the bench share: where results go, the machine in words, and how a number varied."""
import os, statistics


def say(line):
    """print, and append to the file that ZWANG_RESULTS names"""
    print(line, flush=True)
    if os.environ.get("ZWANG_RESULTS"):
        with open(os.environ["ZWANG_RESULTS"], "a", encoding="utf8") as kept:
            kept.write(line + "\n")


def processor():
    with open("/proc/cpuinfo", encoding="utf8") as f:
        return next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "unknown processor")


def quantile(values, share):
    return sorted(values)[round(share * (len(values) - 1))]


def spread(values, digits=2, unit=""):
    """`1.23 ms (least 1.20, middle half 1.21 .. 1.25)`"""
    least, low, high = (quantile(values, share) for share in (0, 0.25, 0.75))
    return (f"{statistics.median(values):.{digits}f}{unit} (least {least:.{digits}f}, "
            f"middle half {low:.{digits}f} .. {high:.{digits}f})")


def ratio(theirs, ours, digits=1):
    """how many times ours theirs is, round by round: the spread of that, and the ratio of the least times"""
    each = [a / b for a, b in zip(theirs, ours)]
    return (f"{statistics.median(each):.{digits}f} times zwang's (middle half {quantile(each, 0.25):.{digits}f} .. "
            f"{quantile(each, 0.75):.{digits}f}, of the least times {min(theirs) / min(ours):.{digits}f})")
