"""One job of another program, measured: python peers.py JOB ARGUMENTS. Prints one line of JSON a stage.

CPU seconds are of the process and its threads, without imports; what is compiled at first use is compiled before.
"""

import json
import sys
import time
from contextlib import contextmanager
from importlib.metadata import version


@contextmanager
def stage(name):
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    took = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    print(json.dumps({"stage": name, **took}), flush=True)


def core(path, labels, h5ad):
    import numpy as np
    import scanpy as sc

    def analyze(cells, measure):
        with measure("components"):
            sc.pp.normalize_total(cells)
            sc.pp.log1p(cells)
            sc.pp.highly_variable_genes(cells, n_top_genes=min(1000, cells.n_vars // 2))
            sc.pp.pca(cells, n_comps=20)
        with measure("clusters"):
            cluster(sc, cells)
        with measure("umap"):
            sc.tl.umap(cells, min_dist=0.3)

    @contextmanager
    def unmeasured(_name):
        yield

    analyze(sc.read_10x_h5(path)[:6000].copy(), unmeasured)
    with stage("read"):
        cells = sc.read_10x_h5(path)
    analyze(cells, stage)
    with stage("h5ad"):
        cells.write_h5ad(h5ad)
    np.savetxt(labels, cells.obs["leiden"].astype(int), fmt="%d")


def cluster(sc, cells, **where):
    from scipy.sparse import csr_array

    # scanpy 1.11 knows the older name.
    if not hasattr(csr_array, "getnnz"):
        csr_array.getnnz = csr_array._getnnz
    sc.pp.neighbors(cells, n_neighbors=15, **where)
    sc.tl.leiden(cells, resolution=1, flavor="igraph", n_iterations=2, directed=False)


def relabel(components, labels):
    """Clusters of components that another program has computed."""
    import anndata as ad
    import numpy as np
    import scanpy as sc

    points = np.fromfile(components, dtype="<f4").reshape(-1, 20)
    cells = ad.AnnData(obs={"n": np.arange(len(points))}, obsm={"X_pca": points})
    cluster(sc, cells, use_rep="X_pca")
    np.savetxt(labels, cells.obs["leiden"].astype(int), fmt="%d")


def text(path):
    import scipy.io

    with stage("read"):
        matrix = scipy.io.mmread(path)
    with stage("rows"):
        matrix.tocsr()


def h5(path):
    import scanpy as sc

    with stage("read"):
        sc.read_10x_h5(path)


def pyramid(path, out):
    import pyvips

    with stage("write"):
        image = pyvips.Image.new_from_file(path, access="sequential")
        image.dzsave(out, suffix=".jpeg[Q=85]", tile_size=512, overlap=0)


def zip_files(*paths):
    import zipfile

    class Sink:
        """Takes what is written, and cannot go back: as a connection."""

        def __init__(self):
            self.file = open("/dev/null", "wb", buffering=0)

        def write(self, piece):
            return self.file.write(piece)

        def flush(self):
            pass

    with stage("write"):
        with zipfile.ZipFile(Sink(), "w", zipfile.ZIP_STORED) as archive:
            for path in paths:
                archive.write(path)


def versions():
    names = ["scanpy", "scipy", "umap-learn", "igraph", "pyvips-binary"]
    python = ".".join(map(str, sys.version_info[:3]))
    print(json.dumps({"python": python, **{name: version(name) for name in names}}))


JOBS = {
    "core": core,
    "relabel": relabel,
    "text": text,
    "h5": h5,
    "pyramid": pyramid,
    "zip": zip_files,
    "versions": versions,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
