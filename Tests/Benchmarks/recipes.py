#!/usr/bin/env python3
"""How fast does decant import recipes?   recipes.py DECANT LIBRARY.paprikarecipes [PAGES] [--runs 3]

Imports a library of Paprika (make_paprika.py) and a folder of saved pages, in turn with importers in Python, and prints for each
the shortest time, the processor time and the peak memory. The Python for Paprika uses orjson (read_paprika.py); pages are read
by recipe-scrapers, and once by a regular expression and orjson, which read less than decant does (read_pages.py).
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
from measure import measure

here = os.path.dirname(os.path.abspath(__file__))


def compare(title, commands, runs):
    best = {name: [float("inf")] * 2 + [0] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                taken = measure([part.replace("OUT", os.path.join(folder, "out.sqlite")) for part in command], fine=(0, 3))
            clock, processor, memory = best[name]
            best[name] = [min(clock, taken.clock), min(processor, taken.processor), max(memory, taken.memory)]
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
