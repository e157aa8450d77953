import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import h5wasm, { File as H5File, type Group } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../numerics/random.ts";
import type { Rates } from "../../../model/rates.ts";
import { damageChunk, forgeFilter, storedChunks } from "../../../readers/testing/forge-hdf5.ts";
import { checkReference } from "./reference-outline.ts";
import { typeByReference } from "./type-by-reference.ts";

const TYPES = ["Acinar", "Beta", "Delta"];
const GENES = 90;
const EACH = 20;
const symbols = Array.from({ length: GENES }, (_, g) => `GENE${g}A`);
const folder = mkdtempSync(join(tmpdir(), "stipple-reference-"));
const nCells = TYPES.length * EACH;
const typeOf = Array.from({ length: nCells }, (_, cell) => cell % TYPES.length);

/** Counts of cells; genes 30t … 30t + 29 are raised in type t. */
function counts(seed: number): Int32Array {
  const random = new Random(seed);
  return Int32Array.from({ length: nCells * GENES }, (_, i) => {
    const own = Math.floor((i % GENES) / 30) === typeOf[Math.floor(i / GENES)];
    return random.poisson(own ? 6 : 1);
  });
}

interface Shape {
  encoding: "csr" | "csc" | "dense";
  labels: "categorical" | "plain";
  column?: string;
  names?: string[];
  values?: Float32Array;
  given?: string[];
  symbolColumn?: boolean;
  /** Numbers put at the start of datasets. */
  changed?: { indices?: readonly number[]; codes?: readonly number[]; indptr?: readonly number[] };
  /** In gzip chunks, in the earliest format. */
  compressed?: boolean;
}

/** A small h5ad file as written by anndata 0.8 and later. */
function h5ad(name: string, shape: Shape): string {
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
  const table = (path: string, index: string[]): Group => {
    const group = h5.create_group(path);
    group.create_attribute("_index", "index");
    group.create_dataset({ name: "index", data: index });
    return group;
  };
  const obs = table(
    "obs",
    typeOf.map((_, cell) => `cell${cell}`),
  );
  const given = shape.given ?? typeOf.map((type) => TYPES[type]);
  const column = shape.column ?? "cell_type";
  if (shape.labels === "plain") obs.create_dataset({ name: column, data: given });
  else {
    const categories = [...new Set(given)];
    const group = obs.create_group(column);
    group.create_attribute("encoding-type", "categorical");
    group.create_dataset({ name: "categories", data: categories });
    group.create_dataset({
      name: "codes",
      data: Int8Array.from(
        given,
        (label, i) => shape.changed?.codes?.[i] ?? categories.indexOf(label),
      ),
    });
  }
  const names = shape.names ?? symbols;
  const variables = table("var", shape.symbolColumn ? names.map((_, g) => `probe${g}`) : names);
  if (shape.symbolColumn) variables.create_dataset({ name: "feature_name", data: names });
  h5.close();
  return file;
}

const rates: Rates = (() => {
  const dense = Float32Array.from(counts(2));
  return {
    nCells,
    nGenes: GENES,
    column: (gene) => Float32Array.from(typeOf, (_, cell) => dense[cell * GENES + gene]),
    row: (cell) => dense.slice(cell * GENES, (cell + 1) * GENES),
    rows: (cells, genes) =>
      Promise.resolve(
        Float32Array.from({ length: cells.length * genes!.length }, (_, i) => {
          const cell = cells[Math.floor(i / genes!.length)];
          return dense[cell * GENES + genes![i % genes!.length]];
        }),
      ),
  };
})();

async function typed(file: string, labels?: string) {
  return typeByReference(
    { file, labels },
    {
      rates,
      symbols,
      ids: symbols.map(() => ""),
      reliable: new Uint8Array(GENES).fill(1),
      usable: new Uint8Array(GENES).fill(1),
      species: "human",
    },
    { threads: 1, signal: new AbortController().signal, progress: () => undefined },
  );
}

describe("typing with a reference", () => {
  beforeAll(() => h5wasm.ready);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["sparse by cell, categorical labels", { encoding: "csr", labels: "categorical" }],
    ["sparse by gene, plain labels", { encoding: "csc", labels: "plain", column: "label" }],
    ["dense, symbols in a column", { encoding: "dense", labels: "plain", symbolColumn: true }],
  ] as const)("names cells from an h5ad: %s", async (name, shape) => {
    const { types, profiles } = await typed(h5ad(name, shape));
    const { names, cellType, confidence, report } = types;
    const right = cellType.filter((type, cell) => names[type] === TYPES[typeOf[cell]]);
    expect(right.length / nCells).toBeGreaterThan(0.95);
    expect(confidence.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(report).toMatchObject({ method: "reference", reference: { labels: 3, genes: GENES } });
    // A label's own third of the genes has 6 UMIs per cell, the rest 1: 30 · 6 of 30 · 6 + 60 · 1.
    const own = profiles.profiles.subarray(0, 30).reduce((sum, share) => sum + share, 0);
    expect(own).toBeCloseTo(0.75, 1);
    const whole = profiles.profiles.subarray(0, GENES).reduce((sum, share) => sum + share, 0);
    expect(whole).toBeCloseTo(1, 5);
  });

  it("uses the requested column", async () => {
    const file = h5ad("asked", { encoding: "csr", labels: "plain", column: "mine" });
    expect((await typed(file, "mine")).types.report.method).toBe("reference");
    await expect(typed(file, "yours")).rejects.toThrow("has no column yours in obs: choose one of");
  });

  it.each([
    ["no labels", { column: "batch" }, "no recognized column of cell types"],
    ["one label", { given: typeOf.map(() => "Beta") }, "fewer than two labels"],
    ["other genes", { names: symbols.map((_, g) => `OTHER${g}B`) }, "shares only 0"],
    [
      "the other species",
      { names: symbols.map((_, g) => `Gene${g}a`) },
      "contains mouse cells, but the sample is human",
    ],
    ["scaled values", { values: new Float32Array(nCells * GENES).fill(-1) }, "scaled values"],
  ] as const)("refuses a reference with %s", async (name, shape, message) => {
    const file = h5ad(name, { encoding: "csr", labels: "plain", ...shape } as Shape);
    await expect(typed(file)).rejects.toThrow(message);
  });

  it.each([
    ["an index outside", { indices: [2, GENES] }],
    ["a code without a category", { codes: [5] }],
    ["starts that go back", { indptr: [3, 1] }],
  ] as const)("rejects a reference with %s", async (name, changed) => {
    const file = h5ad(`odd ${name}`, { encoding: "csr", labels: "categorical", changed });
    await expect(typed(file)).rejects.toThrow(/is damaged: copy or upload it again\.$/);
  });

  it("checks a reference without the sample, every value of it", async () => {
    const signal = new AbortController().signal;
    const shape = { encoding: "csr", labels: "categorical", compressed: true } as const;
    const file = h5ad("whole", shape);
    await checkReference(file, { signal });
    await expect(checkReference(file, { labelColumn: "mine", signal })).rejects.toThrow(
      "has no column mine in obs: choose one of cell_type",
    );
    const chunks = storedChunks(readFileSync(file));
    expect(chunks.length).toBeGreaterThan(10);
    // Opening takes a while; the first is of the values, the last of the indices.
    for (const chunk of [chunks[0], chunks.at(-1)!]) {
      const path = join(folder, "torn.h5ad");
      copyFileSync(file, path);
      await damageChunk(path, chunk);
      await expect(checkReference(path, { signal })).rejects.toThrow(
        "The reference torn.h5ad is damaged: copy or upload it again.",
      );
    }
    await forgeFilter(file, ["X/data", "X/indices"], 32_000);
    await expect(checkReference(file, { signal })).rejects.toThrow(
      'The reference whole.h5ad is compressed with LZF, which cannot be read here: write it again with compression="gzip".',
    );
  });

  it("rejects a file that is not h5ad", async () => {
    const file = join(folder, "text.h5ad");
    writeFileSync(file, "hello");
    await expect(typed(file)).rejects.toThrow("text.h5ad cannot be read");
  });
});
