"""Measures one job of another program: python peers.py JOB ARGUMENTS. Prints one line of JSON per stage.

CPU seconds cover the process and its threads, excluding imports; code compiled at first use is compiled beforehand.
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

    # scanpy 1.11 uses the older name.
    if not hasattr(csr_array, "getnnz"):
        csr_array.getnnz = csr_array._getnnz
    sc.pp.neighbors(cells, n_neighbors=15, **where)
    sc.tl.leiden(cells, resolution=1, flavor="igraph", n_iterations=2, directed=False)


def relabel(components, labels):
    """Clusters components computed by another program."""
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


def relayout(path, out):
    """Rewrites counts in Space Ranger's layout: chunks of 80,000, gzip, shuffle, 64-bit indices."""
    import h5py

    def put(group, name, data, chunks):
        group.create_dataset(
            name, data=data, chunks=chunks, maxshape=(None,), compression="gzip", shuffle=True
        )

    with h5py.File(path) as source, h5py.File(out, "w") as target:
        matrix = target.create_group("matrix")
        for name, kind in [("data", "i4"), ("indices", "i8"), ("indptr", "i8"), ("shape", "i4")]:
            put(matrix, name, source["matrix"][name][()].astype(kind), (80_000,))
        put(matrix, "barcodes", source["matrix/barcodes"][()], True)
        features = matrix.create_group("features")
        for name, dataset in source["matrix/features"].items():
            put(features, name, dataset[()], True)


def pyramid(path, out):
    import pyvips

    with stage("write"):
        image = pyvips.Image.new_from_file(path, access="sequential")
        image.dzsave(out, suffix=".jpeg[Q=85]", tile_size=512, overlap=0)


def zip_files(*paths):
    import zipfile

    class Sink:
        """A write-only, non-seekable sink, like a connection."""

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


def network(path):
    """A network of StarDist's size: a U-Net of depth 3 at half resolution, 32 to 256 filters, 1.4 million weights."""
    import numpy as np
    import onnxruntime

    starlike(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    side, squares = 1024, 16
    image = (np.arange(3 * side**2, dtype=np.float32) % 251 / 251).reshape(1, 3, side, side)
    session.run(None, {"image": image})
    with stage("run"):
        for _ in range(squares):
            session.run(None, {"image": image})


def starlike(path):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, weights = [], []
    random = np.random.default_rng(0)

    def add(kind, inputs, **attributes):
        name = f"{kind}{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(values):
        weights.append(numpy_helper.from_array(values, f"weights{len(weights)}"))
        return weights[-1].name

    def convolve(x, n_in, n_out, side=3, activation="Relu"):
        shape = (n_out, n_in, side, side)
        kernel = random.normal(0, (2 / (n_in * side**2)) ** 0.5, shape).astype(np.float32)
        bias = np.zeros(n_out, np.float32)
        y = add("Conv", [x, constant(kernel), constant(bias)], pads=[side // 2] * 4)
        return add(activation, [y]) if activation else y

    def halve(x):
        return add("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2])

    def double(x):
        scales = constant(np.array([1, 1, 2, 2], np.float32))
        return add("Resize", [x, "", scales], mode="nearest")

    x = halve(convolve(convolve("image", 3, 32), 32, 32))
    skipped, n = [], 32
    for filters in (32, 64, 128):
        x = convolve(convolve(x, n, filters), filters, filters)
        skipped.append((x, filters))
        x, n = halve(x), filters
    x = convolve(convolve(x, 128, 256), 256, 128)
    n = 128
    for skip, filters in reversed(skipped):
        x = add("Concat", [double(x), skip], axis=1)
        x = convolve(convolve(x, n + filters, filters), filters, max(32, filters // 2))
        n = max(32, filters // 2)
    x = convolve(x, n, 128)
    outputs = [convolve(x, 128, 1, 1, "Sigmoid"), convolve(x, 128, 32, 1, None)]

    def tensor(name, channels):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, None, None])

    graph = helper.make_graph(
        nodes, "starlike", [tensor("image", 3)], [tensor(outputs[0], 1), tensor(outputs[1], 32)], weights
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), path)


def bins(path, labels):
    """Bins to cells like bin2cell: destriping, expanding nucleus labels to nearby bins, summing bins."""
    import numpy as np
    import scanpy as sc
    from scipy.sparse import csr_matrix, diags
    from scipy.spatial import KDTree

    with open(labels) as file:
        grid = json.load(file)
    of_grid = np.fromfile(labels.replace(".json", ".i4"), "<i4").reshape(grid["rows"], grid["cols"])
    with stage("assign"):
        sample = sc.read_10x_h5(path)
        places = np.array([name[8:].split("-")[0].split("_") for name in sample.obs_names], int)
        counts = sample.X.tocsr()
        for axis in range(2):
            line, totals = places[:, axis], np.asarray(counts.sum(axis=1)).ravel()
            order = np.lexsort((totals, line))
            first = np.searchsorted(line[order], np.unique(line))
            n = np.diff(np.append(first, len(line)))
            top = totals[order][first + (0.99 * (n - 1)).astype(int)]
            of_line = dict(zip(np.unique(line), np.where(top > 0, top, 1)))
            factor = 1 / np.array([of_line[each] for each in line])
            counts = diags(factor * np.mean(1 / factor)) @ counts
        label = of_grid[places[:, 0] - grid["firstRow"], places[:, 1] - grid["firstCol"]]
        known = label >= 0
        distance, nearest = KDTree(places[known]).query(places[~known], distance_upper_bound=2)
        found = np.isfinite(distance)
        rest = np.flatnonzero(~known)[found]
        label[rest] = label[known][nearest[found]]
        held = np.flatnonzero(label >= 0)
        ones = np.ones(len(held), np.float32)
        shape = (int(label.max()) + 1, len(label))
        csr_matrix((ones, (label[held], held)), shape=shape) @ counts


def versions():
    names = ["scanpy", "scipy", "umap-learn", "igraph", "pyvips-binary", "onnxruntime"]
    python = ".".join(map(str, sys.version_info[:3]))
    print(json.dumps({"python": python, **{name: version(name) for name in names}}))


JOBS = {
    "bins": bins,
    "core": core,
    "core-200k": core,
    "network": network,
    "relabel": relabel,
    "text": text,
    "h5": h5,
    "relayout": relayout,
    "pyramid": pyramid,
    "zip": zip_files,
    "versions": versions,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
