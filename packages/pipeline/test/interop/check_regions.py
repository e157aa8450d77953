"""Prints what shapely and geopandas say about points and regions: python3 check_regions.py REGIONS.geojson POINTS.csv UM_PER_PX"""

import json
import sys
import time

import geopandas
import numpy as np
import shapely

path, points, um_per_px = sys.argv[1:]
xy = np.loadtxt(points, delimiter=",")
started = time.process_time()
regions = geopandas.read_file(path).set_crs(None, allow_override=True)
points = geopandas.GeoDataFrame(geometry=shapely.points(xy))
joined = points.sjoin(regions, predicate="within")
# A point in several regions belongs to the smallest one.
joined["area"] = regions.area[joined["index_right"]].to_numpy()
smallest = joined.sort_values("area").groupby(level=0)["index_right"].first()
region_of = smallest.reindex(points.index, fill_value=-1).tolist()
distances = []
with open(path) as file:
    for feature in json.load(file)["features"]:
        shape = shapely.from_geojson(json.dumps(feature["geometry"]))
        inside = shapely.contains_xy(shape, xy[:, 0], xy[:, 1])
        away = shapely.distance(shapely.boundary(shape), shapely.points(xy)) * float(um_per_px)
        distances.append(np.where(inside, -away, away).tolist())
print(json.dumps({"region_of": region_of, "distances": distances, "seconds": time.process_time() - started}))
