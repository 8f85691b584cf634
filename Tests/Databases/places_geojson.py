"""Prints places as GeoJSON, for GDAL to read."""
import json
import random

random.seed(1)
features = [
    {
        "type": "Feature",
        "properties": {"name": f"Pläce {number}", "kind": random.choice(["inn", "mill", None]), "rank": number,
                       "weight": random.random(), "since": f"20{number % 25:02}-01-02"},
        "geometry": {"type": "Point", "coordinates": [random.uniform(-180, 180), random.uniform(-90, 90)]},
    }
    for number in range(200)
]
print(json.dumps({"type": "FeatureCollection", "features": features}))
