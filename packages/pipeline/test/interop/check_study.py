"""Opens a combined study with anndata and spatialdata, and compares it with what anndata.concat makes of its samples.

Usage: python3 check_study.py FOLDER KEY=EXPORTS … [--spatialdata]
Prints one JSON object; exits with 1 and a message if a check fails.
"""

import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import anndata  # noqa: E402
import numpy as np  # noqa: E402

folder = Path(sys.argv[1])
samples = dict(arg.split("=", 1) for arg in sys.argv[2:] if "=" in arg)


def require(condition, message):
    if not condition:
        sys.exit(f"{folder}: {message}")


study = anndata.read_h5ad(folder / "study.h5ad")
singles = {
    key: anndata.read_h5ad(Path(exports) / "cell_expression_processed.h5ad")
    for key, exports in samples.items()
}
for key, single in singles.items():
    single.obs_names = [f"{key}_{name}" for name in single.obs_names]
    for column in ("cluster", "domain"):
        if column in single.obs:
            single.obs[column] = single.obs[column].cat.rename_categories(lambda name: f"{key}_{name}")
    single.var_names = single.var["gene_ids"]
study_of = study.copy()
study_of.var_names = study.var["gene_ids"]
expected = anndata.concat(singles, join="inner", pairwise=True)
require(list(expected.obs_names) == list(study.obs_names), "cells differ from anndata.concat's")
require(set(expected.var_names) == set(study_of.var_names), "genes differ from anndata.concat's")
expected = expected[:, study_of.var_names]
require((expected.X != study.X).nnz == 0, "X differs")
for name in ("counts", "rate"):
    require((expected.layers[name] != study.layers[name]).nnz == 0, f"layer {name} differs")
    require(study.layers[name].has_sorted_indices, f"layer {name} is not sorted")
require(np.array_equal(expected.obsm["spatial"], study.obsm["spatial"]), "positions differ")
for name in ("spatial_connectivities", "spatial_distances"):
    require((expected.obsp[name] != study.obsp[name]).nnz == 0, f"{name} differs")
for column in expected.obs:
    a, b = expected.obs[column], study.obs[column]
    require(((a.astype(object) == b.astype(object)) | (a.isna() & b.isna())).all(), f"obs {column} differs")
types = study.obs["cell_type"].cat.categories
require(len(study.uns["cell_type_colors"]) == len(types), "colors and types differ in number")
names = {name.replace("/", "_") for name in study.obs["sample"].cat.categories}
require(set(study.uns["spatial"]) == names, "pictures lack a sample")
reliable = np.all([s.var.loc[study_of.var_names, "reliable"] for s in singles.values()], axis=0)
require((study.var["reliable"].to_numpy() == reliable).all(), "reliable genes differ")
total = np.sum([s.var.loc[study_of.var_names, "total_counts"] for s in singles.values()], axis=0)
require((study.var["total_counts"].to_numpy() == total).all(), "totals differ")
report = {
    "shape": list(study.shape),
    "columns": list(study.obs.columns[:5]),
    "design": study.obs.groupby("sample", observed=True).first().iloc[:, :2].astype(object).fillna("").to_dict("list"),
    "notes": [str(note) for note in study.uns["stipple"]["notes"]],
}

if "X_umap" in study.obsm:
    import scanpy

    placed = ~np.isnan(study.obsm["X_umap"]).any(axis=1)
    require((study.obs["joint_cluster"].isna() == ~placed).all(), "clusters and positions differ")
    before, after = study.obsm["X_umap_uncorrected"], study.obsm["X_umap"]
    require(np.allclose(before[placed] * [-1, 1], after[placed]), "the spaces are mixed up")
    scanpy.pl.umap(study, color="joint_cluster", show=False)
    report["joint"] = {
        "placed": int(placed.sum()),
        "clusters": study.obs["joint_cluster"].value_counts().to_dict(),
        "last_before": before[-3].tolist(),
        "colors": len(study.uns["joint_cluster_colors"]),
    }

if "--spatialdata" in sys.argv:
    import spatialdata
    import zarr
    from spatialdata.transformations import get_transformation

    sdata = spatialdata.read_zarr(str(folder / "study.zarr"))
    listed = zarr.open_group(folder / "study.zarr", mode="r")["labels"].attrs["ome"]["labels"]
    require(sorted(listed) == sorted(sdata.labels), "readers of OME-Zarr find other labels")
    require(set(sdata.coordinate_systems) == {"global", *samples}, "coordinate systems differ")
    boxes = []
    for key, exports in samples.items():
        single = spatialdata.read_zarr(str(Path(exports) / "spatialdata.zarr"))
        table, own = sdata[f"{key}_table"], single["table"]
        require((table.X != own.X).nnz == 0, "X of a table differs")
        if "X_umap" in study.obsm:
            rows = study.obs_names.str.startswith(f"{key}_cell_")
            for name in ("X_umap", "X_umap_uncorrected"):
                joint = table.obsm[name.replace("umap", "umap_joint")]
                require(np.array_equal(joint, study.obsm[name][rows], equal_nan=True), f"{name} differs")
            a, b = table.obs["joint_cluster"], study.obs["joint_cluster"][rows]
            require((a.astype(str).to_numpy() == b.astype(str).to_numpy()).all(), "clusters differ")
        region = table.uns["spatialdata_attrs"]["region"]
        _, joined = spatialdata.join_spatialelement_table(
            sdata=sdata, spatial_element_names=region, table_name=f"{key}_table", how="inner"
        )
        require(joined.n_obs == own.n_obs, "shapes and table do not match")
        _, joined = spatialdata.join_spatialelement_table(
            sdata=sdata, spatial_element_names=f"{key}_spots", table_name=f"{key}_spot_counts", how="inner"
        )
        require(joined.n_obs == single["spot_counts"].n_obs, "spots and their table do not match")
        before = spatialdata.get_extent(single["tissue"], coordinate_system="microns")
        for element in ("tissue", "cell_labels"):
            alone = spatialdata.get_extent(sdata[f"{key}_{element}"], coordinate_system=key)
            moved = spatialdata.get_extent(sdata[f"{key}_{element}"], coordinate_system="global")
            for axis in "xy":
                require(np.allclose(alone[axis], before[axis]), "a sample's own coordinates differ")
                require(np.isclose(np.ptp(moved[axis]), np.ptp(before[axis])), "µm are scaled")
        cells = spatialdata.get_extent(sdata[region], coordinate_system="global")
        require(
            all(moved[a][0] - 1 <= cells[a][0] and cells[a][1] <= moved[a][1] + 1 for a in "xy"),
            "cells lie off their image",
        )
        boxes.append(moved)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = any(a[x][1] <= b[x][0] or b[x][1] <= a[x][0] for x in "xy")
            require(apart, "samples cover each other")
    report["elements"] = sorted(name for _, name, _ in sdata.gen_elements())
    report["sdata_columns"] = list(table.obs.columns[:3])
print(json.dumps(report))
