"""Opens an exported spatialdata.zarr with spatialdata and holds it to its promises.

Usage: python3 check_spatialdata.py folder-of-exports
The table must be that of the h5ad beside it. Prints one JSON object; exits with 1 and a message where something does
not hold.
"""

import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import anndata  # noqa: E402
import numpy as np  # noqa: E402
import spatialdata  # noqa: E402

folder = Path(sys.argv[1])
path = folder / "spatialdata.zarr"


def require(condition, message):
    if not condition:
        sys.exit(f"{path}: {message}")


sdata = spatialdata.read_zarr(str(path))
table = sdata["table"]
region = table.uns["spatialdata_attrs"]["region"]
shapes = sdata[region]
require(list(shapes.index) == list(table.obs["cell_id"]), "shapes and table are in another order")
require(shapes.geometry.is_valid.mean() > 0.99, "outlines are not valid polygons")
centroids = np.column_stack([shapes.geometry.centroid.x, shapes.geometry.centroid.y])
distance = np.linalg.norm(centroids - table.obsm["spatial"], axis=1)
require(np.median(distance) < np.sqrt(shapes.geometry.area.median()), "outlines lie off the cells")
_, joined = spatialdata.join_spatialelement_table(
    sdata=sdata, spatial_element_names=region, table_name="table", how="inner"
)
require(joined.n_obs == table.n_obs, "shapes and table do not match")

report = {
    "spatialdata": spatialdata.__version__,
    "shape": list(table.shape),
    "shapes": {name: len(element) for name, element in sdata.shapes.items()},
}
if "tissue" in sdata.images:
    scales = sdata["tissue"]
    largest = scales["scale0"]["image"]
    report["image"] = list(largest.shape)
    extent = spatialdata.get_extent(sdata["tissue"])
    inside = all(
        (table.obsm["spatial"][:, i] <= extent[axis][1] + 1).all() for i, axis in enumerate("xy")
    )
    require(inside, "cells lie off the image")
    require(largest.values.max() > largest.values.min() or largest.values.max() > 0, "no pixels")

h5ad = anndata.read_h5ad(folder / "cell_expression_processed.h5ad")
require(list(h5ad.obs_names) == list(table.obs_names), "cells differ from the h5ad's")
require(list(h5ad.var_names) == list(table.var_names), "genes differ from the h5ad's")
require((h5ad.layers["counts"] != table.layers["counts"]).nnz == 0, "counts differ from the h5ad's")
if h5ad.uns["stipple"]["rate_dropped_below"] == table.uns["stipple"]["rate_dropped_below"]:
    require((h5ad.layers["rate"] != table.layers["rate"]).nnz == 0, "rates differ from the h5ad's")
    require((h5ad.X != table.X).nnz == 0, "X differs from the h5ad's")
for column in h5ad.obs.columns:
    same = (h5ad.obs[column] == table.obs[column]) | (h5ad.obs[column].isna() & table.obs[column].isna())
    require(same.all(), f"obs {column} differs from the h5ad's")
require(set(h5ad.obsp) == set(table.obsp), "obsp differs from the h5ad's")
print(json.dumps(report))
