"""The same samples through scanpy and harmonypy: python peers.py FOLDER SAMPLE..."""

import json
import os
import resource
import sys
import time

import harmonypy
import numpy as np
import scanpy as sc
from anndata import AnnData
from scipy.sparse import csr_matrix, vstack

folder, *names = sys.argv[1:]
started = time.time()


def read(name):
    base = os.path.join(folder, name, "step4_output", "cells.counts")
    shape = json.load(open(base + ".shape.json"))
    parts = [np.load(f"{base}.{part}.npy") for part in ("data", "indices", "indptr")]
    return csr_matrix((parts[0], parts[1].astype(np.int32), parts[2].astype(np.int64)), shape=shape)


matrices = [read(name) for name in names]
data = AnnData(vstack(matrices, format="csr"))
data.obs["sample"] = np.repeat(names, [len(m.indptr) - 1 for m in matrices])
data.obs["sample"] = data.obs["sample"].astype("category")
del matrices
enough = np.diff(data.X.indptr) >= 10
kept = np.flatnonzero(enough).astype(np.int32)
data = data[enough].copy()
sc.pp.normalize_total(data)
sc.pp.log1p(data)
sc.pp.highly_variable_genes(data, n_top_genes=min(2000, data.n_vars), batch_key="sample")
data = data[:, data.var["highly_variable"]].copy()
sc.pp.pca(data, n_comps=30)
sc.pp.neighbors(data, n_neighbors=15)
sc.tl.umap(data)
corrected = harmonypy.run_harmony(data.obsm["X_pca"], data.obs, "sample").Z_corr
if corrected.shape[0] != data.n_obs:
    corrected = corrected.T
data.obsm["X_harmony"] = np.asarray(corrected)
sc.pp.neighbors(data, n_neighbors=15, use_rep="X_harmony")
sc.tl.umap(data)
sc.tl.leiden(data, resolution=1, flavor="igraph", n_iterations=2, directed=False)
wall = time.time() - started
usage = resource.getrusage(resource.RUSAGE_SELF)

out = os.path.join(folder, "theirs")
os.makedirs(out, exist_ok=True)
np.save(os.path.join(out, "before.npy"), data.obsm["X_pca"].astype(np.float32))
np.save(os.path.join(out, "after.npy"), data.obsm["X_harmony"].astype(np.float32))
np.save(os.path.join(out, "cluster.npy"), data.obs["leiden"].astype(int).to_numpy(np.int32))
np.save(os.path.join(out, "kept.npy"), kept)
print(json.dumps({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1e6}))
