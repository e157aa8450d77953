import h5wasm, { type Group } from "h5wasm/node";
import type { MeasuredSection } from "./section.ts";

/** Writes the labeled cells of half of a section as an h5ad file (X: counts, obs cell_type). */
export async function writeReference(
  path: string,
  section: MeasuredSection,
  half: "left" | "right",
): Promise<void> {
  const { xy, type, counts } = section.cells;
  const cells = [...type.keys()].filter(
    (cell) => type[cell] !== null && xy[2 * cell] > section.widthUm / 2 === (half === "right"),
  );
  await h5wasm.ready;
  const file = new h5wasm.File(path, "w");
  try {
    const texts = (group: Group, name: string, data: readonly string[]): void => {
      const length = Math.max(...data.map((text) => Buffer.byteLength(text)));
      const dataset = group.create_dataset({
        name,
        data: [...data],
        dtype: `S${length}`,
        shape: [data.length],
      });
      dataset.create_attribute("encoding-type", "string-array");
      dataset.create_attribute("encoding-version", "0.2.0");
    };
    const frame = (name: string, index: readonly string[]): Group => {
      const group = file.create_group(name);
      group.create_attribute("_index", "_index");
      group.create_attribute("encoding-type", "dataframe");
      group.create_attribute("encoding-version", "0.2.0");
      texts(group, "_index", index);
      return group;
    };
    const obs = frame(
      "obs",
      cells.map((cell) => `cell_${cell}`),
    );
    texts(
      obs,
      "cell_type",
      cells.map((cell) => type[cell]!),
    );
    frame("var", section.genes);
    const x = file.create_group("X");
    x.create_attribute("encoding-type", "csr_matrix");
    x.create_attribute("encoding-version", "0.1.0");
    x.create_attribute("shape", new BigInt64Array([BigInt(cells.length), BigInt(counts.nCols)]));
    const indptr = new Int32Array(cells.length + 1);
    cells.forEach(
      (cell, i) => (indptr[i + 1] = indptr[i] + counts.indptr[cell + 1] - counts.indptr[cell]),
    );
    const indices = new Int32Array(indptr[cells.length]);
    const data = new Float32Array(indptr[cells.length]);
    cells.forEach((cell, i) => {
      indices.set(counts.indices.subarray(counts.indptr[cell], counts.indptr[cell + 1]), indptr[i]);
      data.set(counts.data.subarray(counts.indptr[cell], counts.indptr[cell + 1]), indptr[i]);
    });
    x.create_dataset({ name: "indptr", data: indptr, shape: [indptr.length] });
    x.create_dataset({ name: "indices", data: indices, shape: [indices.length] });
    x.create_dataset({ name: "data", data, shape: [data.length] });
  } finally {
    file.close();
  }
}
