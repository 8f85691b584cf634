"""Makes tables with sqlite-utils from the lists that Debian packages hold: public_lists.py FILE."""
import csv
import json
import sys

import sqlite_utils

database = sqlite_utils.Database(sys.argv[1])
lists = "/usr/share/iso-codes/json/iso_%s.json"


def read(number):
    with open(lists % number, encoding="utf-8") as stream:
        return json.load(stream)[number]


database["countries"].insert_all(read("3166-1"), pk="alpha_2", columns={"numeric": str})
database["subdivisions"].insert_all(
    ({**row, "country": row["code"][:2]} for row in read("3166-2")), pk="code", alter=True,
    foreign_keys=[("country", "countries", "alpha_2")],
)
# A key of this database's own beside lookup tables with keys that sqlite-utils hands out.
database["languages"].insert_all(({"id": index, **row} for index, row in enumerate(read("639-3"), 1)), pk="id", alter=True)
for column in ("scope", "type"):
    if column in database["languages"].columns_dict:
        database["languages"].extract(column, table=column + "s", rename={column: "name"})
database["currencies"].insert_all(read("4217"), strict=True)
database["scripts"].insert_all(read("15924"), pk=("alpha_4", "numeric"))
zones = []
with open("/usr/share/zoneinfo/tzdata.zi", encoding="utf-8") as stream:
    for line in stream:
        fields = line.split()
        if fields and fields[0] == "L":
            zones.append({"zone": fields[2], "target": fields[1]})
database["links"].insert_all(zones, pk="zone", hash_id_columns=None)
with open("/usr/share/zoneinfo/zone1970.tab", encoding="utf-8") as stream:
    rows = [row for row in csv.reader(stream, delimiter="\t") if row and not row[0].startswith("#")]
database["zones"].insert_all(({"zone": row[2], "coordinates": row[1]} for row in rows), hash_id="hash")
for row in rows:
    for code in row[0].split(","):
        if any(database["countries"].rows_where("alpha_2 = ?", [code])):
            database["zones"].update(
                database["zones"].pks and next(database["zones"].pks_and_rows_where("zone = ?", [row[2]]))[0], {}
            ).m2m("countries", {"alpha_2": code}, pk="alpha_2")
database["languages"].enable_fts(["name"], create_triggers=True, tokenize="porter")
database["subdivisions"].enable_fts(["name", "type"], fts_version="FTS4", create_triggers=True)
database["countries"].enable_counts()
database["countries"].create_index(["name"], unique=True)
database.create_view("German", "SELECT * FROM subdivisions WHERE country = 'DE'")
database["languages"].insert({"id": 100000, "name": "made up"}, alter=True)
database["languages"].analyze()
