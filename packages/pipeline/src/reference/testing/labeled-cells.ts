import { join } from "node:path";
import { File as H5File, type Group } from "h5wasm/node";
import { Random } from "@stipple/numerics/random";

export const TYPES = ["Acinar", "Beta", "Delta"];
export const GENES = 90;
const EACH = 20;
export const symbols = Array.from({ length: GENES }, (_, g) => `GENE${g}A`);
export const nCells = TYPES.length * EACH;
export const typeOf = Array.from({ length: nCells }, (_, cell) => cell % TYPES.length);

/** Counts of cells; genes 30t … 30t + 29 are raised in type t. */
export function counts(seed: number): Int32Array {
  const random = new Random(seed);
  return Int32Array.from({ length: nCells * GENES }, (_, i) => {
    const own = Math.floor((i % GENES) / 30) === typeOf[Math.floor(i / GENES)];
    return random.poisson(own ? 6 : 1);
  });
}

export interface Shape {
  encoding: "csr" | "csc" | "dense";
  /** "nullable": all texts with a mask, as anndata writes those of pandas 3; then the first two cells have no label. */
  labels: "categorical" | "plain" | "nullable";
  column?: string;
  names?: string[];
  values?: Float32Array;
  given?: string[];
  symbolColumn?: boolean;
  /** Another plain column with the same labels. */
  alsoColumn?: string;
  /** Numbers put at the start of datasets. */
  changed?: { indices?: readonly number[]; codes?: readonly number[]; indptr?: readonly number[] };
  /** In gzip chunks, in the earliest format. */
  compressed?: boolean;
  /** How texts are stored, such as "A24": declared as ASCII, 24 bytes each. */
  texts?: string;
}

/** A small h5ad file as written by anndata 0.8 and later. */
export function writeLabeled(folder: string, name: string, shape: Shape): string {
  const file = join(folder, `${name}.h5ad`);
  const h5 = new H5File(file, "w", { libver: ["earliest", "latest"] });
  const stored = shape.compressed ? { chunks: [500], compression: 4 } : {};
  const values = shape.values ?? Float32Array.from(counts(1));
  if (shape.encoding === "dense") {
    h5.create_dataset({ name: "X", data: values, shape: [nCells, GENES] });
  } else {
    const byCell = shape.encoding === "csr";
    const [outer, inner] = byCell ? [nCells, GENES] : [GENES, nCells];
    const [data, indices, indptr] = [[] as number[], [] as number[], [0]];
    for (let a = 0; a < outer; a++) {
      for (let b = 0; b < inner; b++) {
        const value = values[byCell ? a * GENES + b : b * GENES + a];
        if (value === 0) continue;
        data.push(value);
        indices.push(b);
      }
      indptr.push(data.length);
    }
    const x = h5.create_group("X");
    x.create_attribute("encoding-type", `${shape.encoding}_matrix`);
    x.create_attribute("shape", Int32Array.of(nCells, GENES));
    (shape.changed?.indices ?? []).forEach((index, i) => (indices[i] = index));
    (shape.changed?.indptr ?? []).forEach((start, i) => (indptr[i] = start));
    x.create_dataset({ name: "data", data: Float32Array.from(data), ...stored });
    x.create_dataset({ name: "indices", data: Int32Array.from(indices), ...stored });
    x.create_dataset({ name: "indptr", data: Int32Array.from(indptr) });
  }
  const texts = (group: Group, name: string, data: string[], masked: number[] = []): void => {
    const dtype = shape.texts && { dtype: shape.texts };
    if (shape.labels !== "nullable") return void group.create_dataset({ name, data, ...dtype });
    const nullable = group.create_group(name);
    nullable.create_attribute("encoding-type", "nullable-string-array");
    nullable.create_dataset({ name: "values", data });
    nullable.create_dataset({
      name: "mask",
      data: Int8Array.from(data, (_, i) => Number(masked.includes(i))),
    });
  };
  const table = (path: string, index: string[]): Group => {
    const group = h5.create_group(path);
    group.create_attribute("_index", "index");
    texts(group, "index", index);
    return group;
  };
  const obs = table(
    "obs",
    typeOf.map((_, cell) => `cell${cell}`),
  );
  const given = shape.given ?? typeOf.map((type) => TYPES[type]);
  const column = shape.column ?? "cell_type";
  if (shape.labels !== "categorical") texts(obs, column, given, [0, 1]);
  else {
    const categories = [...new Set(given)];
    const group = obs.create_group(column);
    group.create_attribute("encoding-type", "categorical");
    texts(group, "categories", categories);
    group.create_dataset({
      name: "codes",
      data: Int8Array.from(
        given,
        (label, i) => shape.changed?.codes?.[i] ?? categories.indexOf(label),
      ),
    });
  }
  if (shape.alsoColumn) obs.create_dataset({ name: shape.alsoColumn, data: given });
  const names = shape.names ?? symbols;
  const variables = table("var", shape.symbolColumn ? names.map((_, g) => `probe${g}`) : names);
  if (shape.symbolColumn) texts(variables, "feature_name", names);
  h5.close();
  return file;
}
