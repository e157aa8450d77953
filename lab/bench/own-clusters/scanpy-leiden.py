"""Agreement of given clusters with those of scanpy on the same graph: FOLDER RESOLUTION..."""

import sys
import time
import warnings

warnings.filterwarnings("ignore")

import anndata
import numpy as np
import scanpy as sc
from scipy.sparse import csr_matrix
from sklearn.metrics import adjusted_rand_score

folder, *resolutions = sys.argv[1:]


def read(name, dtype):
    return np.fromfile(f"{folder}/{name}", dtype)


starts = read("starts.u32", np.uint32).astype(np.int64)
targets = read("targets.u32", np.uint32).astype(np.int64)
n = len(starts) - 1
graph = csr_matrix((read("weights.f32", np.float32), targets, starts), shape=(n, n))
data = anndata.AnnData(csr_matrix((n, 1)))


def theirs(resolution, seed):
    began = time.process_time()
    sc.tl.leiden(
        data,
        float(resolution),
        adjacency=graph,
        flavor="igraph",
        directed=False,
        n_iterations=2,
        random_state=seed,
    )
    return data.obs["leiden"].to_numpy(), time.process_time() - began


for resolution in resolutions:
    ours = read(f"ours-{resolution}.i32", np.int32)
    (first, seconds), (second, _) = theirs(resolution, 0), theirs(resolution, 1)
    print(
        f"  {n} cells, resolution {resolution}: adjusted Rand {adjusted_rand_score(ours, first):.3f}"
        f" with scanpy {sc.__version__} ({len(set(ours))} and {len(set(first))} clusters);"
        f" scanpy with another seed {adjusted_rand_score(first, second):.3f}; its Leiden {seconds:.2f} s"
    )
