/** Places simulated samples in one space and leaves components and clusters as .npy: `node ours.ts FOLDER SAMPLE...`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "@stipple/formats/npy";
import { embedSamples, spaceSummary, writeSpace } from "@stipple/pipeline/study";
import { peakGb } from "./peak-gb.ts";

const [folder, ...names] = process.argv.slice(2);
const started = performance.now();
let [stage, since] = ["", started];
const space = await embedSamples(
  names.map((name) => ({ name, results: join(folder, name), condition: "", batch: "" })),
  {
    kind: { of: "cells", on: "counts" },
    ...{ seed: 0, threads: 2, signal: new AbortController().signal },
    progress(_, what) {
      if (what === stage) return;
      if (stage) console.error(`  ${stage}: ${((performance.now() - since) / 1000).toFixed(1)} s`);
      [stage, since] = [what, performance.now()];
    },
  },
);
await writeSpace(join(folder, "space"), space, new AbortController().signal);
const wall = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage();
for (const sentence of spaceSummary(space)) console.error(`  ${sentence}`);
const out = join(folder, "ours");
mkdirSync(out, { recursive: true });
for (const [name, { data, nRows, nCols }] of Object.entries(space.components)) {
  await writeNpy(join(out, `${name}.npy`), data, [nRows, nCols]);
}
await writeNpy(join(out, "cluster.npy"), space.cluster, [space.cluster.length]);
let point = 0;
const kept = new Int32Array(space.cluster.length);
let start = 0;
for (const { rows, nRows } of space.samples) {
  for (const row of rows) kept[point++] = start + row;
  start += nRows;
}
await writeNpy(join(out, "kept.npy"), kept, [kept.length]);
console.log(JSON.stringify({ wall, cpu: (user + system) / 1e6, peak: peakGb() }));
