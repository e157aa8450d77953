"""Opens an exported .h5ad with anndata (with --tools also scanpy and squidpy, if installed) and checks its contents.

Usage: python3 check_h5ad.py cell_expression_processed.h5ad [--tools FOLDER]
--tools also runs scanpy and squidpy on it, which takes longer, and saves their plots in FOLDER.
Prints one JSON object; exits with 1 and a message if a check fails.
"""

import importlib.util
import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import anndata  # noqa: E402
import numpy as np  # noqa: E402

path = sys.argv[1]
tools = "--tools" in sys.argv
adata = anndata.read_h5ad(path)
report = {"anndata": anndata.__version__, "shape": list(adata.shape)}


def require(condition, message):
    if not condition:
        sys.exit(f"{path}: {message}")


require(adata.obs_names[0] == "cell_1", "cells are not named cell_1, …")
require(adata.obs_names.is_unique and adata.var_names.is_unique, "names repeat")
require(str(adata.obs["cell_type"].dtype) == "category", "cell_type is not categorical")
require(str(adata.obs["cluster"].dtype) == "category", "cluster is not categorical")
require(adata.obs["observed"].dtype == bool, "observed is not boolean")
require(adata.var["reliable"].dtype == bool, "reliable is not boolean")
require(not adata.obs["cell_type"].cat.ordered, "cell_type is ordered")
require(
    len(adata.uns["cell_type_colors"]) == len(adata.obs["cell_type"].cat.categories),
    "colors and categories differ in number",
)
for name in ("counts", "rate"):
    require(adata.layers[name].shape == adata.shape, f"layer {name} has another shape")
counts = adata.layers["counts"]
require(np.issubdtype(counts.dtype, np.integer), "counts are not integers")
require((counts.data > 0).all(), "counts hold zeros or negative numbers")
require(counts.has_sorted_indices, "counts are not sorted")
observed = np.asarray(counts.sum(axis=0)).ravel() + adata.var["unassigned"].to_numpy()
report["observed_counts"] = int(observed.sum())
report["gene_sums"] = observed.astype(int).tolist()[:1000]
unseen = ~adata.obs["observed"].to_numpy()
require(counts[unseen].nnz == 0, "cells that no spot observes have counts")
require(np.isfinite(adata.X.data).all(), "X holds numbers that are not finite")
require(adata.obsm["spatial"].shape == (adata.n_obs, 2), "obsm['spatial'] has another shape")
require(
    np.allclose(adata.obsm["spatial"], adata.obs[["x", "y"]].to_numpy()),
    "obsm['spatial'] and x, y differ",
)
require(adata.obsm["X_umap"].shape == (adata.n_obs, 2), "X_umap has another shape")
if "protein" in adata.obsm:
    protein = adata.obsm["protein"]
    require(list(protein.index) == list(adata.obs_names), "proteins are of other cells")
    require((protein.to_numpy(na_value=0) >= 0).all(), "normalized proteins are negative")
    report["protein"] = {name: float(protein[name].sum()) for name in protein.columns}
for name in ("spatial_connectivities", "spatial_distances"):
    graph = adata.obsp[name]
    require(graph.shape == (adata.n_obs, adata.n_obs), f"{name} has another shape")
    require(abs(graph - graph.T).max() < 1e-4, f"{name} is not symmetric")
neighbors = adata.uns["spatial_neighbors"]
require(neighbors["connectivities_key"] == "spatial_connectivities", "neighbors are not named")
for column in ("confidence", "type_margin", "rate_cv", "total_counts", "spot_id", "area", "cell_id"):
    require(column in adata.obs, f"obs lacks {column}")
for column in ("gene_ids", "symbol", "heldout_pcc", "rate_cv", "total_counts"):
    require(column in adata.var, f"var lacks {column}")
require((adata.var["total_counts"].to_numpy() == observed).all(), "genes' totals are not conserved")
own = np.asarray(counts.sum(axis=1)).ravel()
require((adata.obs["total_counts"].to_numpy() == own).all(), "cells' totals differ from the counts")
[library] = adata.uns["spatial"].values()
require({"images", "scalefactors"} <= set(library), "uns['spatial'] is incomplete")
report["library"] = next(iter(adata.uns["spatial"]))

# The known fields of the CELLxGENE schema.
require(adata.raw.X.dtype == np.float32, "raw.X is not float32")
require((adata.raw.X != counts).nnz == 0, "raw.X differs from the observed counts")
require(list(adata.raw.var_names) == list(adata.var_names), "raw has other genes")
require("organism" not in adata.obs, "obs has a field that the schema has moved to uns")
for column in ("assay_ontology_term_id", "assay", "suspension_type", "cell_type_ontology_term_id"):
    require(str(adata.obs[column].dtype) == "category", f"{column} is not categorical")
require(not adata.obs["is_primary_data"].any(), "inferred cells are called primary data")
terms = adata.obs.groupby("cell_type", observed=True)["cell_type_ontology_term_id"].agg(set)
report["terms"] = {name: sorted(ids) for name, ids in terms.items()}
report["organism"] = adata.uns["organism_ontology_term_id"]
report["assay"] = adata.obs["assay_ontology_term_id"].iloc[0]
report["markers"] = sorted(key for key in adata.uns if key.startswith("rank_genes_groups"))

# What people said about the cells.
annotated = [name for name in adata.obs if name.endswith("_annotated") or name.startswith("clusters_")]
groups = [name for name in adata.obs if name.startswith("group_")]
for name in annotated:
    categories = adata.obs[name].cat.categories
    require(len(adata.uns[f"{name}_colors"]) == len(categories), f"colors of {name} differ in number")
for name in groups:
    require(adata.obs[name].dtype == bool, f"{name} is not boolean")
report["annotated"] = {name: adata.obs[name].value_counts().to_dict() for name in annotated}
report["groups"] = {name: int(adata.obs[name].sum()) for name in groups}
own = adata.uns["stipple"].get("annotations")
if own is not None:
    report["gene_lists"] = {name: list(genes) for name, genes in own["gene_lists"].items()}
    notes = own["notes"]
    report["notes"] = [list(note) for note in zip(notes["text"], notes["x"], notes["y"])]
adata[:5].copy()

if tools:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plots = Path(sys.argv[sys.argv.index("--tools") + 1])

    def rendered(name):
        """Saves the current figure and checks that it is not empty."""
        plt.gcf().canvas.draw()
        pixels = np.asarray(plt.gcf().canvas.buffer_rgba())[..., :3].reshape(-1, 3)
        plt.savefig(plots / f"{name}.png")
        plt.close("all")
        require(len(np.unique(pixels, axis=0)) > 20, f"the plot {name} is empty")

    gene = adata.var_names[np.argmax(np.asarray(counts.sum(axis=0)).ravel())]

if tools and importlib.util.find_spec("scanpy"):
    import scanpy

    for key in report["markers"]:
        ranked = scanpy.get.rank_genes_groups_df(adata, group=None, key=key)
        require(set(ranked["names"]) <= set(adata.var_names), "markers are not genes")
        require(len(ranked) > 0, "a table of markers is empty")
        scanpy.pl.rank_genes_groups(adata, key=key, n_genes=5, show=False)
        rendered(key)
    scanpy.tl.rank_genes_groups(adata, "cell_type", key_added="again", use_raw=False)
    scanpy.pl.umap(adata, color=["cell_type", gene], use_raw=False, show=False)
    rendered("umap")
    if groups:
        scanpy.pl.umap(adata, color=annotated + groups, show=False)
        rendered("umap_annotated")
    if "hires" in library["images"]:
        scanpy.pl.spatial(adata, color="cell_type", show=False)
        rendered("scanpy_spatial")
    report["scanpy"] = scanpy.__version__
if tools and importlib.util.find_spec("squidpy"):
    import squidpy

    squidpy.gr.nhood_enrichment(adata, cluster_key="cell_type", n_perms=10, show_progress_bar=False)
    squidpy.pl.nhood_enrichment(adata, cluster_key="cell_type")
    rendered("nhood_enrichment")
    squidpy.pl.spatial_scatter(adata, color="cell_type")
    rendered("spatial_scatter")
    if "cell_type_co_occurrence" in adata.uns:
        squidpy.pl.co_occurrence(adata, cluster_key="cell_type")
        rendered("co_occurrence")
    again = adata.copy()
    radius = tuple(neighbors["params"]["radius"])
    if hasattr(squidpy.gr, "spatial_neighbors_delaunay"):
        squidpy.gr.spatial_neighbors_delaunay(again, radius=radius)
    else:
        squidpy.gr.spatial_neighbors(again, coord_type="generic", delaunay=True, radius=radius)
    for name in ("spatial_connectivities", "spatial_distances"):
        difference = abs(again.obsp[name] - adata.obsp[name])
        require(difference.max() < 1e-3, f"the parameters of {name} give another graph")
    again.uns["spatial_neighbors"]["params"]["radius"] = list(radius)
    again.write_h5ad(plots / "again.h5ad")
    report["squidpy"] = squidpy.__version__
print(json.dumps(report))
