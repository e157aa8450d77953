import h5wasm, { File as H5File, type Group } from "h5wasm/node";
import { readTruth } from "@stipple/tissue";

/** Writes the true cells of a simulated tissue as a labeled reference in anndata's format (X in CSR, obs/cell_type). */
export async function writeReference(path: string, tissue: string): Promise<void> {
  await h5wasm.ready;
  const { counts, genes, type } = await readTruth(tissue);
  const h5 = new H5File(path, "w");
  const x = h5.create_group("X");
  x.create_attribute("encoding-type", "csr_matrix");
  x.create_attribute("shape", Int32Array.of(counts.nRows, counts.nCols));
  x.create_dataset({ name: "data", data: Float32Array.from(counts.data) });
  x.create_dataset({ name: "indices", data: Int32Array.from(counts.indices) });
  x.create_dataset({ name: "indptr", data: Int32Array.from(counts.indptr) });
  const table = (name: string, index: string[]): Group => {
    const group = h5.create_group(name);
    group.create_attribute("_index", "index");
    group.create_dataset({ name: "index", data: index });
    return group;
  };
  const obs = table(
    "obs",
    type.map((_, cell) => `cell${cell}`),
  );
  obs.create_dataset({ name: "cell_type", data: type });
  table(
    "var",
    genes.map(({ symbol }) => symbol),
  );
  h5.close();
}
