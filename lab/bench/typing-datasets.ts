import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as hdf5 from "h5wasm/node";
import type { Matrix } from "@stipple/pipeline/fields";
import { graphClusters } from "@stipple/pipeline/numerics/graph-clusters";
import { principalAxes, projectOn } from "@stipple/pipeline/numerics/principal-axes";
import { readNpy } from "@stipple/pipeline/store/npy";
import { designMatrix, standardize } from "@stipple/pipeline/model/cell-features";
import type { TypingInput } from "@stipple/pipeline/steps/5-cluster-analysis/typing-input";

export interface LabeledCells {
  name: string;
  input: TypingInput;
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
  const louvain = array<Int8Array>("obs/louvain/codes");
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
    input: inputOf(symbols, table, Int32Array.from(louvain)),
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
    // The tissue is guessed only from spots.
    input: { ...inputOf(symbols, table, await clustersOf(table)), tissue: "brain" },
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

/** A simulated sample's cells with their noise-free rates. */
export async function simulated(folder: string): Promise<LabeledCells> {
  const truth = join(folder, "truth");
  const { data, shape } = await readNpy(join(truth, "rates.npy"));
  const [nCells, nGenes] = shape;
  const genes = readFileSync(join(truth, "genes.csv"), "utf8").trimEnd().split("\n").slice(1);
  const symbols = genes.map((line) => line.split(",")[1]);
  const labels = readFileSync(join(truth, "cells.csv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[3]);
  const table = symbols.map((_, gene) =>
    Float32Array.from({ length: nCells }, (_, cell) => Number(data[cell * nGenes + gene])),
  );
  const tissue = labels.includes("Astrocyte") ? "brain" : "breast";
  const narrow = new Map([["T cell", ["T cell", "CD4 T cell", "CD8 T cell", "Regulatory T cell"]]]);
  return {
    name: `simulated, true rates`,
    labels,
    input: { ...inputOf(symbols, table, await clustersOf(table)), tissue },
    accepted: new Map([...new Set(labels)].map((label) => [label, narrow.get(label) ?? [label]])),
  };
}

/**
 * The cells as if each were a separate spot, described by components of its expression: applies the fit to spots to
 * single cells.
 */
export function asSpots(input: TypingInput): TypingInput {
  const { nCells, symbols } = input;
  const table = symbols.map((_, gene) => input.rates.column(gene));
  const { data, nCols } = componentsOf(table);
  const phi = designMatrix(nCells, [standardize(data, nCells, nCols)]);
  const penalty = new Float64Array(phi.nCols).fill(1);
  penalty[0] = 0;
  const indptr = new Uint32Array(symbols.length + 1);
  const [indices, counts] = [[] as number[], [] as number[]];
  table.forEach((row, gene) => {
    row.forEach((value, cell) => {
      if (value === 0) return;
      indices.push(cell);
      counts.push(value);
    });
    indptr[gene + 1] = indices.length;
  });
  const own = Uint32Array.from({ length: nCells + 1 }, (_, i) => i);
  const ones = new Float32Array(nCells).fill(1);
  return {
    ...input,
    spots: {
      overlap: {
        nRows: nCells,
        nCols: nCells,
        indptr: own,
        indices: own.subarray(0, nCells),
        data: ones,
      },
      efficiency: ones,
      byGene: {
        nRows: symbols.length,
        nCols: nCells,
        indptr,
        indices: Uint32Array.from(indices),
        data: Float32Array.from(counts),
      },
      phi,
      nLooks: nCols,
      penalty,
      seed: 0,
    },
  };
}

export function inputOf(
  symbols: string[],
  table: Float32Array[],
  clusters: Int32Array,
): TypingInput {
  return {
    nCells: clusters.length,
    symbols,
    ids: symbols,
    reliable: new Uint8Array(symbols.length).fill(1),
    rates: { column: (gene) => table[gene] },
    clusters,
    nClusters: clusters.reduce((a, b) => Math.max(a, b), -1) + 1,
  };
}

const COMPONENTS = 20;

/** Shared-neighbor clusters on 20 components of the log rates. */
async function clustersOf(table: Float32Array[]): Promise<Int32Array> {
  const nCells = table[0].length;
  const points = componentsOf(table);
  const { cluster } = await graphClusters(
    points,
    Uint32Array.from({ length: nCells }, (_, i) => i),
    new Uint32Array(),
    { threads: 1, neighbors: 15, resolution: 1 },
  );
  return cluster;
}

/** Principal components of the log rates. */
function componentsOf(table: Float32Array[]): Matrix<Float32Array> {
  const nCells = table[0].length;
  const logs = new Float32Array(nCells * table.length);
  table.forEach((row, gene) => {
    for (let cell = 0; cell < nCells; cell++) {
      logs[cell * table.length + gene] = Math.log1p(row[cell]);
    }
  });
  const axes = principalAxes(logs, table.length, COMPONENTS);
  return { nRows: nCells, nCols: axes.nAxes, data: projectOn(axes, logs, nCells) };
}
