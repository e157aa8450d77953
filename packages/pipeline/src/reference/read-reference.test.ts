import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import h5wasm, { File as H5File } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { damageChunk, forgeFilter, storedChunks } from "@stipple/formats/hdf5/testing/forge-hdf5";
import { readReference } from "./read-reference.ts";
import { checkReference, checkReferenceOutline } from "./reference-outline.ts";
import {
  GENES,
  nCells,
  symbols,
  TYPES,
  typeOf,
  writeLabeled,
  type Shape,
} from "./testing/labeled-cells.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-reference-"));
const h5ad = (name: string, shape: Shape): string => writeLabeled(folder, name, shape);

const read = (file: string, labelColumn?: string, named: readonly string[] = symbols) =>
  readReference({
    file,
    labelColumn,
    symbols: named,
    ids: named.map(() => ""),
    species: "human",
    counted: new Uint8Array(GENES).fill(1),
    signal: new AbortController().signal,
  });

describe("reading a reference", () => {
  beforeAll(() => h5wasm.ready);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["sparse by cell, categorical labels", { encoding: "csr", labels: "categorical" }],
    ["sparse by gene, plain labels", { encoding: "csc", labels: "plain", column: "label" }],
    ["texts with a mask", { encoding: "csr", labels: "nullable", symbolColumn: true }],
    ["dense, symbols in a column", { encoding: "dense", labels: "plain", symbolColumn: true }],
  ] as const)("finds the labels' profiles in an h5ad: %s", async (name, shape) => {
    const { labels, genes, profiles } = await read(h5ad(name, shape));
    expect([labels, genes.length]).toEqual([TYPES, GENES]);
    // A label's own third of the genes has 6 UMIs per cell, the rest 1: 30 · 6 of 30 · 6 + 60 · 1.
    const own = profiles.subarray(0, 30).reduce((sum, share) => sum + share, 0);
    expect(own).toBeCloseTo(0.75, 1);
    const whole = profiles.subarray(0, GENES).reduce((sum, share) => sum + share, 0);
    expect(whole).toBeCloseTo(1, 5);
  });

  it("finds genes called by Ensembl IDs alone in a sample that has symbols alone", async () => {
    const path = new URL("../species/gene-symbols.tsv.gz", import.meta.url);
    const known = gunzipSync(readFileSync(path)).toString().split("\n").slice(0, GENES);
    const genes = known.map((line) => line.split("\t"));
    const file = h5ad("ids", {
      encoding: "csr",
      labels: "plain",
      names: genes.map(([id], g) => `${id}.${g}`),
    });
    const named = genes.map(([, symbol]) => symbol!);
    const { labels, genes: shared } = await read(file, undefined, named);
    expect(labels).toEqual(TYPES);
    expect(shared.length).toBe(new Set(named).size);
  });

  it.each(["A24", "A"])(
    "reads texts declared as ASCII (%s) as the UTF-8 that they are",
    async (texts) => {
      const given = typeOf.map((type) => ["Großhirn β", "Müller glia", "γδ T"][type]);
      for (const labels of ["categorical", "plain"] as const) {
        const file = h5ad(`ascii ${texts} ${labels}`, { encoding: "csr", labels, given, texts });
        expect((await read(file)).labels).toEqual(["Großhirn β", "Müller glia", "γδ T"]);
      }
    },
  );

  it("gives no label to cells that have none, in any spelling", async () => {
    const given = typeOf.map((type, cell) =>
      cell < 30 ? ["<NA>", "#N/A", "NaN"][type] : TYPES[type],
    );
    const file = h5ad("none", { encoding: "csr", labels: "plain", given });
    expect((await read(file)).labels).toEqual(TYPES);
  });

  it("refuses values that are no numbers, also before they are read", async () => {
    const file = h5ad("texts", { encoding: "csr", labels: "plain" });
    const h5 = new H5File(file, "a");
    const data = Array<string>(nCells * GENES).fill("1");
    h5.create_group("layers").create_dataset({ name: "counts", data, shape: [nCells, GENES] });
    h5.close();
    const sentence =
      "The reference texts.h5ad has values in layers/counts that cannot be read: save it again with whole numbers or 32-bit floats.";
    await expect(read(file)).rejects.toThrow(sentence);
    await expect(checkReferenceOutline(file, undefined)).rejects.toThrow(sentence);
  });

  it("uses the requested column", async () => {
    const file = h5ad("asked", { encoding: "csr", labels: "plain", column: "mine" });
    expect((await read(file, "mine")).labels).toEqual(TYPES);
    await expect(read(file, "yours")).rejects.toThrow("has no column yours in obs: choose one of");
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
    await expect(read(file)).rejects.toThrow(message);
  });

  it.each([
    ["an index outside", { indices: [2, GENES] }],
    ["a code without a category", { codes: [5] }],
    ["starts that go back", { indptr: [3, 1] }],
  ] as const)("rejects a reference with %s", async (name, changed) => {
    const file = h5ad(`odd ${name}`, { encoding: "csr", labels: "categorical", changed });
    await expect(read(file)).rejects.toThrow(/is damaged: copy or upload it again\.$/);
  });

  it("refuses two values of one gene in a cell, as logarithms cannot be added", async () => {
    const file = h5ad("twice", { encoding: "csr", labels: "plain", changed: { indices: [7, 7] } });
    await expect(read(file)).rejects.toThrow("has two values of one gene in a cell in X");
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
    await expect(read(file)).rejects.toThrow("text.h5ad cannot be read");
  });
});
