import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects, asyncBufferFromFile } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSimulatedResults } from "../../store/testing/simulated-results.ts";
import { writeSimulatedSample, type SimulatedSample } from "../testing/simulated-sample.ts";
import { embedSamples, type StudySpace } from "./embed-samples.ts";
import { correctionWarnings, spaceSummary } from "./space-notes.ts";
import type { SpaceSource } from "./space-sample.ts";
import { writeSpace } from "./write-space.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-space-"));
const SAMPLE: SimulatedSample = {
  ...{ cells: 250, genes: 400, shares: [0.5, 0.3, 0.2], umis: 300, batch: 0, bleed: 0, seed: 0 },
};
const SIGNAL = new AbortController().signal;

async function sources(
  samples: readonly Partial<SimulatedSample>[],
  design: readonly { condition?: string; batch?: string }[] = [],
): Promise<SpaceSource[]> {
  const found: SpaceSource[] = [];
  for (const [i, given] of samples.entries()) {
    const results = mkdtempSync(join(folder, "results-"));
    await writeSimulatedSample(results, { ...SAMPLE, seed: i + 1, ...given });
    found.push({ results, name: `S${i}`, condition: "", batch: "", ...design[i] });
  }
  return found;
}

function embed(of: SpaceSource[], threads = 1): Promise<StudySpace> {
  return embedSamples(of, {
    ...{ kind: { of: "cells", on: "counts" }, seed: 0, threads, signal: SIGNAL },
    progress: () => undefined,
  });
}

let plain: StudySpace;
beforeAll(async () => {
  plain = await embed(await sources([{}, {}, {}]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("says that samples without batch effects need no correction, and leaves them mixed", () => {
  const { before, after, full } = plain.mixing.samples;
  expect(full).toBeLessThan(3);
  expect(before).toBeGreaterThan(0.95 * full);
  expect(after).toBeGreaterThan(0.95 * full);
  expect(plain.mixing.types!.before).toBeLessThan(1.1);
  expect(plain.nClusters).toBe(3);
  expect(spaceSummary(plain).at(-1)).toMatch(/mixed without correction/);
  expect(correctionWarnings(plain)).toEqual([]);
});

it("gives the same space again, with any number of threads", async () => {
  const { cluster, umap } = await embed(await sources([{}, {}, {}]), 3);
  expect({ cluster, umap }).toEqual({ cluster: plain.cluster, umap: plain.umap });
});

it("mixes samples with batch effects and keeps types apart", async () => {
  const space = await embed(await sources([{ batch: 0.5 }, { batch: 0.5, umis: 150 }, {}]));
  const { samples, types } = space.mixing;
  expect(samples.before).toBeLessThan(1.6);
  expect(samples.after).toBeGreaterThan(2.1);
  expect(types!.after).toBeLessThan(1.15);
  expect(space.over).toBe("sample");
  // Joint clusters are the types.
  const pairs = new Set(
    Array.from(space.cluster, (cluster, i) => `${cluster} ${space.types!.of[i]}`),
  );
  expect(space.nClusters).toBeLessThan(6);
  expect(pairs.size).toBeLessThan(10);
});

it("warns where correction would remove what the design asks about", async () => {
  const normal = { condition: "normal" };
  const tumor = { condition: "tumor" };
  const raised = { condition: 1.5 };
  const samples = [{}, {}, raised, raised];
  const apart = await embed(await sources(samples, [normal, normal, tumor, tumor]));
  expect(apart.mixing.ownCondition!.before).toBeGreaterThan(1.5);
  expect(correctionWarnings(apart)).toEqual([
    expect.stringMatching(/^Before correction, neighbors/),
  ]);

  const design = ["normal", "normal", "tumor", "tumor"].map((condition) => ({
    ...{ condition, batch: condition === "tumor" ? "second" : "first" },
  }));
  const confounded = await embed(await sources(samples, design));
  expect(confounded.over).toBe("batch");
  expect(correctionWarnings(confounded)[0]).toMatch(
    /^Batches and conditions cannot be told apart \(normal, tumor\)/,
  );

  const balanced = design.map((row, i) => ({ ...row, batch: i % 2 === 0 ? "first" : "second" }));
  const kept = await embed(await sources(samples, balanced));
  expect(kept.mixing.ownCondition!.after).toBeGreaterThan(1.5);
  expect(correctionWarnings(kept)).toEqual([]);
});

it("writes a row for each cell and the clusters of each sample", async () => {
  const out = join(folder, "out");
  await writeSpace(out, plain, SIGNAL);
  const rows = await parquetReadObjects({
    file: await asyncBufferFromFile(join(out, "cells.parquet")),
  });
  expect(rows).toHaveLength(750);
  expect(rows[251]).toEqual({
    ...{ sample: "S1", cell: "cell_2", cluster: plain.cluster[251] },
    ...{ umap_1: plain.umap.before[502], umap_2: plain.umap.before[503] },
    ...{ corrected_umap_1: plain.umap.after[502], corrected_umap_2: plain.umap.after[503] },
    cell_type: `Type ${plain.types!.of[251]}`,
  });
  const [head, first] = readFileSync(join(out, "clusters.csv"), "utf8").split("\n");
  expect(head).toBe("sample,cluster_0,cluster_1,cluster_2");
  expect(
    first
      .split(",")
      .slice(1)
      .reduce((sum, count) => sum + Number(count), 0),
  ).toBe(250);
});

it("places spots by their counts, and cells by their rates", async () => {
  const samples: SpaceSource[] = [];
  for (const name of ["A", "B"]) {
    const size = { cells: 120, spots: 60, genes: 400 };
    const { results } = await writeSimulatedResults(join(folder, name), size);
    samples.push({ name, results, condition: "", batch: "" });
  }
  const options = { seed: 0, threads: 1, signal: SIGNAL, progress: () => undefined };
  const spots = await embedSamples(samples, { ...options, kind: { of: "spots", on: "counts" } });
  expect(spots.types).toBeNull();
  const placed = spots.samples.map(({ rows }) => rows.length);
  expect(Math.min(...placed)).toBeGreaterThan(20);
  expect(spots.umap.after).toHaveLength(2 * (placed[0] + placed[1]));
  expect(spots.samples[1].nameOf(spots.samples[1].rows[2])).toBe(
    `SPOT${spots.samples[1].rows[2]}-1`,
  );
  const cells = await embedSamples(samples, { ...options, kind: { of: "cells", on: "rate" } });
  expect(cells.umap.before).toHaveLength(2 * cells.samples[0].rows.length * 2);
  expect(spaceSummary(cells)[0]).toMatch(
    /^2\d\d cells of 2 samples in one space, from inferred rates/,
  );
});

it("says in a sentence what has no joint space", async () => {
  const [first, second] = await sources([{}, { cells: 10 }]);
  await expect(embed([first])).rejects.toThrow("A study compares at least two samples");
  await expect(embed([first, second])).rejects.toThrow(
    "S1 has 10 cells with enough counts, but a joint space needs 20 of each sample",
  );
  const options = { seed: 0, threads: 1, signal: SIGNAL, progress: () => undefined };
  await expect(
    embedSamples([first, second], { ...options, kind: { of: "spots", on: "rate" } }),
  ).rejects.toThrow("Rates are those of cells");
});
