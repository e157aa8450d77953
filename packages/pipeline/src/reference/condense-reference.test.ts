import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import h5wasm, { File as H5File } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { condenseReference, type ReferenceOrder } from "./condense-reference.ts";
import { readReference } from "./read-reference.ts";
import { checkReference, checkReferenceOutline } from "./reference-outline.ts";
import {
  counts,
  GENES,
  nCells,
  symbols,
  TYPES,
  typeOf,
  writeLabeled,
  type Shape,
} from "./testing/labeled-cells.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-condensed-"));
const signal = new AbortController().signal;
const CSR = { encoding: "csr", labels: "categorical" } as const;

function condense(file: string, order: Partial<ReferenceOrder> = {}) {
  const out = file.replace(/\.h5ad$/, ".condensed.h5ad");
  const now = new Date("2026-01-02T03:04:05Z");
  return condenseReference(
    file,
    out,
    { name: "islets", tissue: "pancreas", ...order },
    { signal, now },
  ).then((description) => ({ description, out }));
}

const read = (file: string, labelColumn?: string) =>
  readReference({
    file,
    labelColumn,
    symbols,
    ids: symbols.map(() => ""),
    species: "human",
    counted: new Uint8Array(GENES).fill(1),
    signal,
  });

describe("condensing a reference", () => {
  beforeAll(() => h5wasm.ready);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("keeps each label's profile in the genes that tell labels apart, and where it is from", async () => {
    const file = writeLabeled(folder, "cells", CSR);
    const { description, out } = await condense(file, {
      citation: "Doe 2020",
      license: "CC BY 4.0",
    });
    expect(description).toMatchObject({
      name: "islets",
      tissue: "pancreas",
      species: "human",
      labelsColumn: "cell_type",
      labels: TYPES,
      cells: nCells,
      source: "cells.h5ad",
      citation: "Doe 2020",
      license: "CC BY 4.0",
      condensedAt: "2026-01-02T03:04:05.000Z",
    });
    expect(description.sourceSha256).toMatch(/^[0-9a-f]{64}$/);
    await checkReferenceOutline(out, undefined);
    await checkReference(out, { signal });

    const [whole, condensed] = [await read(file), await read(out, "ignored")];
    expect(condensed.description).toEqual(description);
    expect(condensed.labels).toEqual(TYPES);
    const width = condensed.genes.length;
    expect(width).toBe(description.genes);
    condensed.profiles.forEach((share, i) => {
      const gene = whole.genes.indexOf(condensed.genes[i % width]);
      const exact = whole.profiles[Math.floor(i / width) * GENES + gene];
      expect(Math.abs(share - exact)).toBeLessThanOrEqual(0.004 * exact);
    });
  });

  it("records the spread over cells", async () => {
    const { out } = await condense(writeLabeled(folder, "spread", CSR));
    const h5 = new H5File(out, "r");
    const spread = (h5.get("varm/spread") as unknown as { value: Float32Array }).value;
    const names = (h5.get("var/_index") as unknown as { value: string[] }).value;
    const values = counts(1);
    const gene = symbols.indexOf(names[0]);
    const logs: number[] = [];
    typeOf.forEach((type, cell) => {
      if (type !== 0) return;
      const row = values.subarray(cell * GENES, (cell + 1) * GENES);
      const total = row.reduce((sum, n) => sum + n, 0);
      logs.push(Math.log1p((10_000 * row[gene]) / total));
    });
    h5.close();
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
    const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length;
    expect(spread[0]).toBeCloseTo(Math.sqrt(variance), 2);
  });

  it("is small: it leaves out genes and cells", async () => {
    const file = writeLabeled(folder, "small", { ...CSR, encoding: "dense" });
    const { out } = await condense(file);
    expect(statSync(out).size).toBeLessThan(40_000);
  });

  it.each([
    [
      "normalized values",
      { values: new Float32Array(nCells * GENES).fill(0.5) },
      {},
      "has normalized values in X",
    ],
    ["scaled values", { values: new Float32Array(nCells * GENES).fill(-1) }, {}, "scaled values"],
    ["one label", { given: typeOf.map(() => "Beta") }, {}, "fewer than two labels"],
    [
      "two columns of labels",
      { alsoColumn: "cluster" },
      {},
      "has several columns of labels (cell_type, cluster): say which",
    ],
    ["no such column", {}, { labelColumn: "mine" }, "has no column mine in obs"],
    ["another species", {}, { species: "mouse" }, "contains human cells, not mouse"],
    [
      "genes of no species",
      { names: symbols.map((_, g) => `${g}`) },
      {},
      "does not show which species",
    ],
  ] as const)("refuses a file with %s in one sentence", async (name, shape, order, message) => {
    const file = writeLabeled(folder, name, { ...CSR, ...shape } as Shape);
    await expect(condense(file, order)).rejects.toThrow(message);
  });

  it("takes the named one of two columns", async () => {
    const file = writeLabeled(folder, "both", { ...CSR, alsoColumn: "cluster" });
    const { description } = await condense(file, { labelColumn: "cluster" });
    expect(description.labelsColumn).toBe("cluster");
  });

  it("does not condense twice", async () => {
    const { out } = await condense(writeLabeled(folder, "twice", CSR));
    await expect(condense(out)).rejects.toThrow("is condensed already");
  });
});
