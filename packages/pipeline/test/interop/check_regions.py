"""Prints what shapely says about points and regions: python3 check_regions.py REGIONS.geojson POINTS.csv UM_PER_PX"""

import json
import sys
import time

import numpy as np
import shapely

path, points, um_per_px = sys.argv[1:]
xy = np.loadtxt(points, delimiter=",")
started = time.process_time()
distances = []
with open(path) as file:
    for feature in json.load(file)["features"]:
        shape = shapely.from_geojson(json.dumps(feature["geometry"]))
        inside = shapely.contains_xy(shape, xy[:, 0], xy[:, 1])
        away = shapely.distance(shapely.boundary(shape), shapely.points(xy)) * float(um_per_px)
        distances.append(np.where(inside, -away, away).tolist())
print(json.dumps({"distances": distances, "seconds": time.process_time() - started}))
