import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  stepFolder,
  type ClusterFeatures,
  type ViewerColumn,
  type ViewerManifest,
} from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { pearson } from "@stipple/numerics/pearson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIELDS } from "../fields.ts";
import { writeField } from "../store/field-store.ts";
import { readResult } from "../store/results-folder.ts";
import { writeSimulatedResults } from "../store/testing/simulated-results.ts";
import {
  openGeneMajorCounts,
  writeGeneMajorCounts,
} from "../steps/6-projection-analysis/viewer/gene-major-counts.ts";
import { testedCells } from "../steps/6-projection-analysis/spatial-statistics/tested-cells.ts";
import { findClusters, NO_CLUSTER } from "./find-clusters.ts";
import type { ExploredSample } from "./explored-sample.ts";
import { ownMarkers } from "./own-markers.ts";
import { similarGenes } from "./similar-genes.ts";

const [N_CELLS, N_GENES] = [400, 60];
let folder: string;
let sample: ExploredSample;
let typeOf: Int32Array;
let totals: Float32Array;
let observed: Uint8Array;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-exploring-"));
  const { results } = await writeSimulatedResults(folder, {
    cells: N_CELLS,
    spots: 40,
    genes: N_GENES,
  });
  typeOf = await readResult(results, "cells/cell_type");
  await writeLooks(results);
  const counts = await readResult(results, "cells/counts");
  await mkdir(join(folder, "counts"));
  await writeGeneMajorCounts(join(folder, "counts"), counts);
  totals = new Float32Array(N_CELLS);
  for (let cell = 0; cell < N_CELLS; cell++) {
    for (let k = counts.indptr[cell]; k < counts.indptr[cell + 1]; k++)
      totals[cell] += counts.data[k];
  }
  observed = await readResult(results, "cells/observed");
  const columns: Partial<Record<ViewerColumn, Uint8Array | Float32Array>> = {
    "cells.total_counts": totals,
    "cells.observed": observed,
    "genes.reliable": new Uint8Array(N_GENES).fill(1),
  };
  const genes = await readResult(results, "genes/name");
  sample = {
    results,
    manifest: { nCells: N_CELLS, genes } as ViewerManifest,
    counts: openGeneMajorCounts(join(folder, "counts")),
    rates: () => readResult(results, "cells/rate"),
    spots: async () => ({
      overlap: await readResult(results, "spots/cells"),
      byGene: await readResult(results, "genes/spots"),
      xy: await readResult(results, "spots/xy"),
      scale: await readResult(results, "sample/scale"),
    }),
    column: (name) => {
      const { buffer } = columns[name]!;
      return Promise.resolve(new Uint8Array(buffer as ArrayBuffer));
    },
    totals: () => Promise.resolve(totals),
    tested: () => Promise.resolve(testedCells(totals, observed)),
    genes: (names) => names.map((name) => genes.indexOf(name)),
  };
});
/** Three measured features that differ between types. */
async function writeLooks(results: string): Promise<void> {
  const random = new Random(5);
  const target = join(results, stepFolder(FIELDS["cells/features"].step));
  const data = Float32Array.from(
    { length: 3 * N_CELLS },
    (_, at) => ((typeOf[Math.floor(at / 3)] >> (at % 3)) & 1) * 6 + random.normal(),
  );
  await writeField(target, "cells/features", { nRows: N_CELLS, nCols: 3, data });
  await writeField(target, "features/name", ["area", "roundness", "stain"]);
}
afterAll(() => rm(folder, { recursive: true }));

function bits(inside: (cell: number) => boolean): Uint8Array {
  const set = new Uint8Array(Math.ceil(N_CELLS / 8));
  for (let cell = 0; cell < N_CELLS; cell++) if (inside(cell)) set[cell >> 3] |= 1 << (cell & 7);
  return set;
}
const order = (features: ClusterFeatures, within: Uint8Array | null = null) => ({
  features,
  within,
  resolution: 1,
  genes: null,
});

const entriesOf = (gene: string) => sample.counts.entries(sample.manifest.genes.indexOf(gene));
const countedCells = () => testedCells(totals, observed).cells;

/** Log-normalized counts of a gene in the cells with enough counts. */
function normalized(gene: string): number[] {
  const { cells, rowOf, factor } = testedCells(totals, observed);
  const values = new Array<number>(cells.length).fill(0);
  const entries = entriesOf(gene);
  entries.cells.forEach((cell, k) => {
    const row = rowOf[cell];
    if (row >= 0) values[row] = Math.log1p(entries.values[k] * factor[row]);
  });
  return values;
}

describe("own clusters", () => {
  it.each(["rates", "counts", "looks"] as const)(
    "label the chosen cells, largest cluster first: %s",
    async (features) => {
      const within = bits((cell) => cell < 300);
      const told: number[] = [];
      const { labels, nClusters } = await findClusters(sample, order(features, within), (done) =>
        told.push(done),
      );
      expect(nClusters).toBeGreaterThan(1);
      const counted = testedCells(totals, observed);
      labels.forEach((label, cell) => {
        const isChosen = cell < 300 && (features !== "counts" || counted.rowOf[cell] >= 0);
        expect(label === NO_CLUSTER).toBe(!isChosen);
      });
      const sizes = Array.from(
        { length: nClusters },
        (_, cluster) => labels.filter((label) => label === cluster).length,
      );
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      expect(sizes.at(-1)).toBeGreaterThan(0);
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      expect(await findClusters(sample, order(features, within))).toEqual({ labels, nClusters });
    },
  );

  it("follow what the cells are made of: within a cluster by rates, few cells are of other types", async () => {
    const within = bits((cell) => typeOf[cell] < 3);
    const { labels, nClusters } = await findClusters(sample, order("rates", within));
    let alike = 0;
    for (let cluster = 0; cluster < nClusters; cluster++) {
      const ofType = [0, 0, 0, 0];
      labels.forEach((label, cell) => (ofType[typeOf[cell]] += label === cluster ? 1 : 0));
      alike += Math.max(...ofType);
    }
    const clustered = labels.filter((label) => label !== NO_CLUSTER).length;
    expect(alike / clustered).toBeGreaterThan(0.8);
  });

  it("can be by given genes only, and are more at a higher resolution", async () => {
    const genes = sample.manifest.genes.slice(0, 20);
    const by = (resolution: number) =>
      findClusters(sample, { ...order("rates"), genes, resolution });
    expect((await by(3)).nClusters).toBeGreaterThan((await by(0.2)).nClusters);
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    ["nothing", () => bits(() => false), /is empty: choose at least 30 cells/],
    ["few cells", () => bits((cell) => cell < 29), /has 29 cells; clusters need at least 30/],
    ["another length", () => new Uint8Array(3), /has 3 bytes; .* it must have 50/],
  ])("say what is wrong with %s", async (_, within, sentence) => {
    await expect(findClusters(sample, order("rates", within()))).rejects.toThrow(sentence);
  });

  it("say when too few cells were measured, and that looks have no genes", async () => {
    const unmeasured = bits((cell) => observed[cell] === 0);
    await expect(findClusters(sample, order("counts", unmeasured))).rejects.toThrow(
      /Only 0 of the 200 cells have enough counts/,
    );
    await expect(findClusters(sample, { ...order("looks"), genes: ["Gene1"] })).rejects.toThrow(
      /Morphology has no genes/,
    );
  });

  it("are refused at a resolution that gives more than can be told apart", async () => {
    await expect(findClusters(sample, { ...order("rates"), resolution: 2000 })).rejects.toThrow(
      /A resolution of 2000 gives \d+ clusters, more than 200: choose a lower one/,
    );
  });
});

describe("markers of own groups", () => {
  it("compare each group with all other cells in a group", async () => {
    const labels = Uint16Array.from(typeOf, (type) => (type < 2 ? type : NO_CLUSTER));
    const table = await ownMarkers(sample, { labels, names: ["First", "Second"] });
    const { rowOf } = testedCells(totals, observed);
    const tested = [0, 1].map(
      (group) => labels.filter((label, cell) => label === group && rowOf[cell] >= 0).length,
    );
    expect(table.groups.map(({ group, cells }) => [group, cells])).toEqual([
      ["First", tested[0]],
      ["Second", tested[1]],
    ]);
    expect(table.testedCells).toBe(tested[0] + tested[1]);
    const [{ genes, auc }] = table.groups;
    const values = normalized(genes[0]);
    const counted = countedCells();
    const of = (group: number): number[] =>
      values.filter((_, row) => labels[counted[row]] === group);
    let above = 0;
    for (const a of of(0)) for (const b of of(1)) above += a > b ? 1 : a === b ? 0.5 : 0;
    expect(auc[0]).toBeCloseTo(above / (tested[0] * tested[1]), 6);
    expect(auc[0]).toBeGreaterThan(0.5);
  });

  it("need two measured groups of these cells", async () => {
    const one = new Uint16Array(N_CELLS);
    await expect(ownMarkers(sample, { labels: one, names: ["All", "None"] })).rejects.toThrow(
      /only one of these has 5 cells/,
    );
    await expect(
      ownMarkers(sample, { labels: new Uint16Array(3), names: ["A", "B"] }),
    ).rejects.toThrow(/groups are of 3 cells; this sample has 400/);
  });
});

describe("genes like one gene", () => {
  it("by counts, are those with the highest correlation over measured cells", async () => {
    const counted = sample.manifest.genes.toSorted(
      (a, b) => entriesOf(b).cells.length - entriesOf(a).cells.length,
    );
    const { genes, cells } = await similarGenes(sample, counted[0], "counts");
    expect(cells).toBe(countedCells().length);
    const own = normalized(counted[0]);
    for (const { gene, correlation } of genes) {
      expect(correlation).toBeCloseTo(pearson(own, normalized(gene)), 3);
    }
    const best = Math.max(...counted.slice(1, 6).map((gene) => pearson(own, normalized(gene))));
    expect(genes[0].correlation).toBeGreaterThanOrEqual(best - 1e-3);
    expect(genes.map(({ gene }) => gene)).not.toContain(counted[0]);
  });

  it("cannot be told for a gene that is hardly counted", async () => {
    const rare = sample.manifest.genes.toSorted(
      (a, b) => entriesOf(a).cells.length - entriesOf(b).cells.length,
    )[0];
    expect(entriesOf(rare).cells.length).toBeLessThan(10);
    await expect(similarGenes(sample, rare, "counts")).rejects.toThrow(/has too few counts/);
  });

  it("by rates, are in order and within −1 to 1", async () => {
    const { genes, cells } = await similarGenes(sample, "Gene7", "rate");
    expect(cells).toBe(N_CELLS);
    const found = genes.map(({ correlation }) => correlation);
    expect(found).toEqual(found.toSorted((a, b) => b - a));
    expect(found[0]).toBeLessThanOrEqual(1);
    expect(found[0]).toBeGreaterThan(0);
  });
});
