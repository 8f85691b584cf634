#!/usr/bin/env python3
"""How fast does decant import recipes?   recipes.py DECANT LIBRARY.paprikarecipes [PAGES] [--runs 3]

Imports a library of Paprika (make_paprika.py) and a folder of saved pages, in turn with importers in Python, and prints for each
the shortest time, the processor time and the peak memory. The Python for Paprika uses orjson (read_paprika.py); pages are read
by recipe-scrapers, and once by a regular expression and orjson, which read less than decant does (read_pages.py).
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)} ended with {child.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(title, commands, runs):
    best = {name: [float("inf")] * 2 + [0] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                figures = measure([part.replace("OUT", os.path.join(folder, "out.sqlite")) for part in command])
            best[name] = [min(best[name][0], figures[0]), min(best[name][1], figures[1]), max(best[name][2], figures[2])]
    own = best["decant"]
    print(title)
    for name, (wall, cpu, memory) in best.items():
        rate = "" if name == "decant" else f", decant is {wall / own[0]:.2f} times as fast, {cpu / own[1]:.2f} by processor time"
        print(f"  {name:18} {wall:7.2f} s, {cpu:7.2f} s processor, {memory:6.0f} MiB{rate}")


def main():
    arguments = [part for part in sys.argv[1:] if not part.startswith("--") and not part.isdigit()]
    runs = int(sys.argv[sys.argv.index("--runs") + 1]) if "--runs" in sys.argv else 3
    decant, library = arguments[:2]
    python = [sys.executable, "-B"]
    compare("Paprika: " + os.path.basename(library), {
        "decant": [decant, "import", library, "OUT", "--quiet"],
        "python, orjson": [*python, f"{here}/read_paprika.py", library, "OUT", "--orjson"],
    }, runs)
    if len(arguments) > 2:
        pages = arguments[2]
        compare("Pages: " + os.path.basename(os.path.abspath(pages)), {
            "decant": [decant, "import", pages, "OUT", "--quiet"],
            "recipe-scrapers": [*python, f"{here}/read_pages.py", pages, "OUT"],
            "orjson, data only": [*python, f"{here}/read_pages.py", pages, "OUT", "--data-only"],
        }, runs)


main()
