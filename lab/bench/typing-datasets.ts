import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as hdf5 from "h5wasm/node";

export interface LabeledCells {
  name: string;
  symbols: readonly string[];
  /** Rates or counts of a gene in all cells, by its place among the symbols. */
  table: readonly Float32Array[];
  labels: string[];
  /** Names accepted for each label. Labels without an entry cannot be matched. */
  accepted: Map<string, string[]>;
}

/** 700 blood cells with the source's labels and clusters; log-normalized values are converted back to rates. */
export async function pbmc(file: string): Promise<LabeledCells> {
  await hdf5.ready;
  const h5 = new hdf5.File(file, "r");
  const array = <T>(path: string): T => (h5.get(path) as hdf5.Dataset).value as T;
  const symbols = array<string[]>("raw/var/index");
  const codes = array<Int8Array>("obs/bulk_labels/codes");
  const categories = array<string[]>("obs/bulk_labels/categories");
  const [values, columns, starts] = [
    array<Float32Array>("raw/X/data"),
    array<Int32Array>("raw/X/indices"),
    array<Int32Array>("raw/X/indptr"),
  ];
  const table = symbols.map(() => new Float32Array(codes.length));
  for (let cell = 0; cell < codes.length; cell++) {
    for (let i = starts[cell]; i < starts[cell + 1]; i++) {
      table[columns[i]][cell] = Math.expm1(values[i]);
    }
  }
  h5.close();
  const labels = Array.from(codes, (code) => categories[code]);
  const t = ["T cell", "CD4 T cell", "CD8 T cell", "Regulatory T cell"];
  return {
    name: "PBMC 68k, 700 cells",
    labels,
    symbols,
    table,
    accepted: new Map([
      ["CD14+ Monocyte", ["Monocyte"]],
      ["CD19+ B", ["B cell"]],
      ["CD34+", ["Hematopoietic progenitor"]],
      ["CD4+/CD25 T Reg", t],
      ["CD4+/CD45RA+/CD25- Naive T", t],
      ["CD4+/CD45RO+ Memory", t],
      ["CD8+ Cytotoxic T", t],
      ["CD8+/CD45RA+ Naive Cytotoxic", t],
      ["CD56+ NK", ["NK cell"]],
      ["Dendritic", ["Dendritic cell", "Plasmacytoid dendritic cell"]],
    ]),
  };
}

/** 930 cells of mouse visual cortex, 996 genes counted by STARmap. */
export async function starmap(folder: string): Promise<LabeledCells> {
  const lines = gunzipSync(readFileSync(join(folder, "counts_genes_x_cells.csv.gz")))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  const symbols = lines
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(",")).replaceAll('"', ""));
  const table = lines.slice(1).map((line) => Float32Array.from(line.split(",").slice(1), Number));
  const labels = readFileSync(join(folder, "cells.csv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[3].replaceAll('"', "").trim());
  const totals = new Float64Array(labels.length);
  for (const row of table) row.forEach((count, cell) => (totals[cell] += count));
  const mean = totals.reduce((a, b) => a + b, 0) / totals.length;
  for (const row of table) {
    for (let cell = 0; cell < row.length; cell++) row[cell] *= mean / Math.max(1, totals[cell]);
  }
  const layers = ["Upper-layer", "Layer 4", "Layer 5", "Layer 6", "Hippocampal"];
  const excitatory = ["Excitatory neuron", ...layers.map((layer) => `${layer} excitatory neuron`)];
  const inhibitory = [
    "Inhibitory neuron",
    ...["PVALB", "SST", "VIP", "LAMP5"].map((k) => `${k} interneuron`),
  ];
  return {
    name: "STARmap mouse cortex",
    labels,
    symbols,
    table,
    accepted: new Map([
      ...["eL2_3", "eL4", "eL5", "eL6", "HPC"].map(
        (label) => [label, excitatory] as [string, string[]],
      ),
      ...["PVALB", "SST", "VIP", "Reln"].map((label) => [label, inhibitory] as [string, string[]]),
      ["Astro", ["Astrocyte"]],
      ["Oligo", ["Oligodendrocyte", "OPC"]],
      ["Micro", ["Microglia", "Macrophage"]],
      ["Endo", ["Endothelial"]],
      ["Smc", ["Smooth muscle", "Pericyte"]],
    ]),
  };
}
