#!/usr/bin/env python3
"""How well does decant read lines of ingredients?   ingredients.py LABELS.csv DECANT [--list]

LABELS.csv has the columns input, name, quantity, unit, size, preparation, comment and purpose, as the labelled phrases of
the New York Times have them (train/data of the public project ingredient-parser). A quantity is written 1#1$2 for 1 1/2 and
3-4 for a range; of several amounts the first counts. A unit counts as the same in singular and plural. A note is preparation,
comment and purpose. Where words of the name stand among decant's (“large eggs” for “eggs”, with the size), the name counts
as found with the size or preparation in front of it: "name, loosely". Shares no code with decant.
"""
import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile


def number(text):
    text = text.split(" ")[0]
    parts = re.findall(r"(\d*)(?:#(\d+)\$(\d+))?", text.split("-")[0])
    whole, top, bottom = parts[0] if parts else ("", "", "")
    if not whole and not top:
        try:
            return float(text)
        except ValueError:
            return None
    return float(whole or 0) + (int(top) / int(bottom) if top else 0)


def words(text):
    return [re.sub(r"(?<=lea)ve$", "f", re.sub(r"(?<=..)s$", "", word)) for word in re.findall(r"[^\W_]+", (text or "").lower())]


def main():
    rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
    with tempfile.TemporaryDirectory() as folder:
        recipe = {"@type": "Recipe", "name": "Labels", "recipeIngredient": [row["input"] for row in rows], "recipeInstructions": "Cook."}
        path, library = os.path.join(folder, "labels.json"), os.path.join(folder, "library.sqlite")
        json.dump(recipe, open(path, "w"))
        subprocess.run([sys.argv[2], "import", path, library, "-q"], check=True)
        with sqlite3.connect(library) as database:
            database.row_factory = sqlite3.Row
            read = list(database.execute("SELECT * FROM Ingredient ORDER BY recipe_position"))
    assert len(read) == len(rows), (len(read), len(rows))
    counts = {}
    for row, own in zip(rows, read):
        note = " ".join(row[name] for name in ("preparation", "comment", "purpose"))
        front = words(row["size"] + " " + note)
        labels = {
            "amount": number(row["quantity"]), "unit": words(row["unit"])[:1], "name": words(row["name"]), "note": words(note),
        }
        values = {"amount": own["amount"], "unit": words(own["unit"])[:1], "name": words(own["name"]), "note": words(own["note"])}
        same = {name: labels[name] == values[name] for name in labels}
        same["amount"] = labels["amount"] is not None and values["amount"] is not None and abs(labels["amount"] - values["amount"]) < 0.01
        labels["name, loosely"], values["name, loosely"] = labels["name"], values["name"]
        same["name, loosely"] = [word for word in values["name"] if word not in front] == [word for word in labels["name"] if word not in front]
        for name in labels:
            count = counts.setdefault(name, [0, 0, 0])
            count[0] += bool(values[name]) and same[name]
            count[1] += bool(values[name]) or values[name] == 0
            count[2] += bool(labels[name])
            if not same[name] and (labels[name] or values[name]) and "--list" in sys.argv:
                print(f"{name}: {row['input']}: {labels[name]}, read {values[name]}")
    for name, (right, read, labelled) in counts.items():
        print(f"{name:14} precision {right}/{read} {100 * right / max(read, 1):.1f} %, recall {right}/{labelled} {100 * right / max(labelled, 1):.1f} %")


main()
