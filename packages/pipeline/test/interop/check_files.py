"""Opens the exported Parquet and GeoJSON files with geopandas, pandas, and shapely and checks their contents.

Usage: python3 check_files.py folder-of-exports [FOLDER for plots]
Prints one JSON object; exits with 1 and a message if a check fails.
"""

import gzip
import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import geopandas  # noqa: E402
import matplotlib  # noqa: E402
import numpy as np  # noqa: E402
import pandas  # noqa: E402
import shapely  # noqa: E402

matplotlib.use("Agg")
folder = Path(sys.argv[1])
plots = Path(sys.argv[2])


def require(condition, message):
    if not condition:
        sys.exit(f"{folder}: {message}")


def largest_overlap(polygons):
    """Largest overlap between any two polygons."""
    tree = shapely.STRtree(polygons)
    a, b = tree.query(polygons, predicate="intersects")
    pairs = a < b
    shared = shapely.area(shapely.intersection(polygons[a[pairs]], polygons[b[pairs]]))
    return float(shared.max(initial=0)), int(pairs.sum())


metadata = pandas.read_csv(folder / "cell_metadata.csv", index_col="index")
cells = geopandas.read_parquet(folder / "cell_polygons.parquet")
require(list(cells.index) == list(metadata.index), "polygons and metadata are in another order")
require(cells.crs.axis_info[0].unit_name == "micrometre", "polygons are not in micrometers")
require(cells.geometry.is_valid.all(), "polygons are not valid")
require((cells["cell_type"] == metadata["cell_type"].fillna("")).all(), "polygons have other types")
report = {"geopandas": geopandas.__version__, "cells": len(cells)}
report["overlap_um2"], report["neighbors"] = largest_overlap(cells.geometry.to_numpy())
cells.plot(column="cell_type").figure.savefig(plots / "geopandas.png")
require(plots.joinpath("geopandas.png").stat().st_size > 5000, "the plot is empty")
if (folder / "nucleus_polygons.parquet").exists():
    nuclei = geopandas.read_parquet(folder / "nucleus_polygons.parquet")
    require(set(nuclei.index) <= set(cells.index), "nuclei have no cells")
    report["nuclei"] = len(nuclei)

pairs = pandas.read_parquet(folder / "barcode_to_cell.parquet")
require((pairs["captured"] > 0).all(), "a barcode captures nothing of its cell")
main = pairs[pairs["main"]].set_index("cell")["barcode"]
require((metadata.loc[main.index, "spot_id"] == main).all(), "main barcodes differ from spot_id")
require(set(pairs["cell"]) <= set(metadata.index), "barcodes name cells that are not there")
report["pairs"] = len(pairs)


def polygons_of(collection):
    return np.array([shapely.geometry.shape(f["geometry"]) for f in collection["features"]])


light = json.loads((folder / "cells.geojson").read_text())
full = json.loads(gzip.open(folder / "cells_detailed.geojson.gz").read())
for name, collection in (("light", light), ("full", full)):
    polygons = polygons_of(collection)
    require(shapely.is_valid(polygons).all(), f"{name} outlines are not valid")
    report[f"{name}_overlap_px2"] = largest_overlap(polygons)[0]
report["light_bytes"] = (folder / "cells.geojson").stat().st_size / len(cells)
report["full_bytes"] = (folder / "cells_detailed.geojson.gz").stat().st_size / len(cells)
away = shapely.hausdorff_distance(polygons_of(light), polygons_of(full))
report["light_away_px"] = float(away.max())
colored = [f["properties"]["classification"] for f in light["features"] if "color" in f["properties"].get("classification", {})]
require(len(colored) == len({c["name"] for c in colored}), "a class is defined more than once")
classes = {f["properties"]["name"]: f["properties"]["classification"]["name"] for f in light["features"]}
if "cell_type_annotated" in metadata:
    require((metadata["cell_type_annotated"] == pandas.Series(classes)).all(), "QuPath shows other types")
    require(metadata["group_Rim_left"].dtype == bool, "a group is not boolean")
    report["assigned"] = int((metadata["cell_type_annotated"] == "Tanycyte").sum())
print(json.dumps(report))
