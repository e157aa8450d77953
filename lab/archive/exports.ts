/**
 * Measures time, peak memory, and output sizes of steps 6 and 7 on a synthetic results folder.
 * node lab/archive/exports.ts [cells 50000] [genes 2000] [side of the image in px 8000]
 */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openViewer } from "../../packages/pipeline/src/viewer-data.ts";
import { step as projectionAnalysis } from "../../packages/pipeline/src/steps/6-projection-analysis/step.ts";
import { step as finalization } from "../../packages/pipeline/src/steps/7-finalization/step.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { writeField } from "../../packages/pipeline/src/store/field-store.ts";
import { readResult } from "../../packages/pipeline/src/store/results-folder.ts";
import { runStepOn } from "../../packages/pipeline/src/store/testing/run-step-on.ts";
import { writeSimulatedResults } from "../../packages/pipeline/src/store/testing/simulated-results.ts";

const [cells = 50_000, genes = 2000, sidePx = 8000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "stipple-bench-"));

async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${what}: ${((performance.now() - start) / 1000).toFixed(2)} s, ${((user + system) / 1e6).toFixed(1)} s CPU, peak so far ${peakMb} MB`,
  );
  return result;
}

/** Adjacent cells on a distorted lattice, 20 vertices each on half pixels, like step 2's outlines. */
function touchingCells(cells: number, side: number): Polygons {
  const columns = Math.ceil(Math.sqrt(cells));
  const step = side / columns;
  const random = new Random(3);
  const bends = Float32Array.from(
    { length: 2 * (5 * columns + 1) ** 2 },
    () => random.uniform() - 0.5,
  );
  // Points of a lattice five times as fine; only those on cell boundaries are used.
  const point = (x: number, y: number): number[] =>
    [x, y].map((value, axis) => {
      const bend = bends[2 * (y * (5 * columns + 1) + x) + axis];
      return Math.round(2 * step * (value / 5 + 0.15 * bend)) / 2;
    });
  const xy: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const [left, top] = [5 * (cell % columns), 5 * Math.floor(cell / columns)];
    for (let k = 0; k < 5; k++) xy.push(...point(left + k, top));
    for (let k = 0; k < 5; k++) xy.push(...point(left + 5, top + k));
    for (let k = 5; k > 0; k--) xy.push(...point(left + k, top + 5));
    for (let k = 5; k > 0; k--) xy.push(...point(left, top + k));
  }
  return {
    offsets: Uint32Array.from({ length: cells + 1 }, (_, cell) => 20 * cell),
    xy: Float32Array.from(xy),
  };
}

/** Size of a file, or of all files in a folder. */
async function sizeOf(path: string): Promise<{ bytes: number; files: number }> {
  const info = await stat(path);
  if (info.isFile()) return { bytes: info.size, files: 1 };
  let [bytes, files] = [0, 0];
  for (const name of await readdir(path)) {
    const inside = await sizeOf(join(path, name));
    bytes += inside.bytes;
    files += inside.files;
  }
  return { bytes, files };
}

try {
  const { results, files } = await measure("making the data", () =>
    writeSimulatedResults(folder, {
      cells,
      genes,
      spots: Math.max(20, Math.round(cells / 20)),
      prototypes: 32,
      sidePx,
    }),
  );
  const { data: xy } = await readResult(results, "cells/xy");
  const polygons = touchingCells(xy.length / 2, sidePx);
  await writeField(join(results, "step2_output"), "cells/polygon", polygons);
  await measure("step 6", () => runStepOn(projectionAnalysis, results, files));
  // Skip the self-test: the synthetic sample has no features to draw a twin from.
  await measure("step 7", () =>
    runStepOn(finalization, results, files, { params: { selfTest: false } }),
  );
  const viewer = await openViewer(results);
  for (const layer of ["rate", "counts"] as const) {
    await measure(`one gene, ${layer}, first`, () => viewer.gene("Gene3", layer));
    await measure(`one gene, ${layer}, again`, () => viewer.gene("Gene9", layer));
  }
  const output = join(results, "analysis_results/output");
  for (const name of (await readdir(output)).sort()) {
    const { bytes, files: count } = await sizeOf(join(output, name));
    console.log(
      `${name}: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / cells).toFixed(0)} bytes a cell${count > 1 ? `, in ${count} files` : ""}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
