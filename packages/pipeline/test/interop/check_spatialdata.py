"""Opens an exported spatialdata.zarr with spatialdata and checks its contents.

Usage: python3 check_spatialdata.py folder-of-exports [--plots FOLDER]
The table must match that of the h5ad next to it. --plots draws it with spatialdata-plot. Prints one JSON object; exits
with 1 and a message if a check fails.
"""

import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import anndata  # noqa: E402
import numpy as np  # noqa: E402
import scanpy  # noqa: E402
import spatialdata  # noqa: E402
import zarr  # noqa: E402
from spatialdata.transformations import get_transformation  # noqa: E402

folder = Path(sys.argv[1])
path = folder / "spatialdata.zarr"


def require(condition, message):
    if not condition:
        sys.exit(f"{path}: {message}")


sdata = spatialdata.read_zarr(str(path))
listed = zarr.open_group(path, mode="r")["labels"].attrs.get("ome", {}).get("labels", [])
require(listed == list(sdata.labels), "readers of OME-Zarr find no labels")
table = sdata["table"]
region = table.uns["spatialdata_attrs"]["region"]
shapes = sdata[region]
require(list(shapes.index) == list(table.obs["cell_id"]), "shapes and table are in another order")
require(shapes.geometry.is_valid.mean() > 0.99, "outlines are not valid polygons")
centroids = np.column_stack([shapes.geometry.centroid.x, shapes.geometry.centroid.y])
distance = np.linalg.norm(centroids - table.obsm["spatial"], axis=1)
require(np.median(distance) < np.sqrt(shapes.geometry.area.median()), "outlines lie off the cells")


def joins(element, name):
    _, joined = spatialdata.join_spatialelement_table(
        sdata=sdata, spatial_element_names=element, table_name=name, how="inner"
    )
    return joined.n_obs == sdata[name].n_obs


require(joins(region, "table"), "shapes and table do not match")
require(joins("spots", "spot_counts"), "spots and their table do not match")
require(set(sdata.coordinate_systems) == {"global", "microns"}, "coordinate systems are missing")
microns = table.uns["stipple"]["microns_per_pixel"]
extents = {
    system: spatialdata.get_extent(sdata[region], coordinate_system=system)
    for system in ("global", "microns")
}
for axis in "xy":
    require(
        np.allclose(np.array(extents["microns"][axis]), microns * np.array(extents["global"][axis])),
        "microns are not pixels by their size",
    )

report = {
    "spatialdata": spatialdata.__version__,
    "shape": list(table.shape),
    "shapes": {name: len(element) for name, element in sdata.shapes.items()},
    "tables": {name: list(element.shape) for name, element in sdata.tables.items()},
}
if "regions" in sdata.shapes:
    regions = sdata["regions"]
    report["regions"] = {
        name: [row["color"], row["class"], row.geometry.area, row.geometry.is_valid]
        for name, row in regions.iterrows()
    }
    for name, row in regions.iterrows():
        inside = shapes.geometry.centroid.within(row.geometry).to_numpy()
        named = (table.obs["tissue_region"] == name).to_numpy()
        require((inside == named).mean() > 0.97, f"other cells lie in {name} than obs says")
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
    channels = json.loads((path / "images/tissue/zarr.json").read_text())["attributes"]["ome"][
        "omero"
    ]["channels"]
    report["channels"] = [[c["label"], c["color"], c["window"]["end"]] for c in channels]
if "cell_labels" in sdata.labels:
    # A small raster has only one level, and then it is not a tree of scales.
    labels = sdata["cell_labels"]
    labels = labels["scale0"]["image"] if hasattr(labels, "children") else labels
    report["labels"] = list(labels.shape)
    step = get_transformation(sdata["cell_labels"], "global").to_affine_matrix("xy", "xy")[0, 0]
    points = shapes.geometry.representative_point()
    ids = labels.values[
        (points.y.to_numpy() / step).astype(int), (points.x.to_numpy() / step).astype(int)
    ]
    require((ids == shapes.index.to_numpy()).mean() > 0.99, "labels and outlines differ")
    areas = np.bincount(labels.values.ravel(), minlength=len(shapes) + 1)[1:] * step**2
    require(np.allclose(areas, shapes.geometry.area, rtol=0.2, atol=10), "labels have other areas")
    require(set(np.unique(labels.values)) <= {0, *shapes.index}, "labels name cells that are not there")

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
measured = np.asarray(sdata["spot_counts"].X.sum(axis=0)).ravel()
require((measured == table.var["total_counts"].to_numpy()).all(), "the measured counts differ")
for key in [key for key in h5ad.uns if key.startswith("rank_genes_groups")]:
    there, here = (scanpy.get.rank_genes_groups_df(a, group=None, key=key) for a in (h5ad, table))
    require(there.equals(here), f"{key} differs from the h5ad's")

if "--plots" in sys.argv:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import spatialdata_plot

    plots = Path(sys.argv[sys.argv.index("--plots") + 1])

    def rendered(name, drawing, system):
        """Draws and saves the picture and checks that it is not empty."""
        drawing.pl.show(coordinate_systems=system, save=str(plots / f"{name}.png"))
        pixels = plt.imread(plots / f"{name}.png")[..., :3].reshape(-1, 3)
        plt.close("all")
        require(len(np.unique(pixels, axis=0)) > 20, f"the plot {name} is empty")

    def tissue():
        return sdata.pl.render_images("tissue") if "tissue" in sdata.images else sdata

    cells = tissue().pl.render_shapes(region, color="cell_type", table_name="table")
    rendered("sdata_cells", cells, "microns")
    spots = tissue().pl.render_shapes("spots", color="total_counts", table_name="spot_counts")
    rendered("sdata_spots", spots, "global")
    if "cell_labels" in sdata.labels:
        rendered("sdata_labels", sdata.pl.render_labels("cell_labels"), "microns")
    report["spatialdata_plot"] = spatialdata_plot.__version__
print(json.dumps(report))
