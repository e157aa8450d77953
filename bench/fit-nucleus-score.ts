/**
 * Fits the weights of nucleus-score.ts to the even-numbered half of every labeled set and writes
 * nucleus-score-weights.ts.
 *   node bench/fit-nucleus-score.ts [--work DIR]
 */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gaussianBlur } from "@stipple/pipeline/numerics/gaussian-blur";
import {
  findCandidates,
  type Hills,
} from "@stipple/pipeline/steps/2-morphological-analysis/find-hills";
import { HILL_FEATURES } from "@stipple/pipeline/steps/2-morphological-analysis/hill-shapes";
import { nucleusOptions } from "@stipple/pipeline/steps/2-morphological-analysis/nucleus-options";
import { signalRange } from "@stipple/pipeline/steps/2-morphological-analysis/signal-range";
import { labeledSets, type LabeledImage } from "./nuclei-datasets.ts";
import { fitQuadratic, goalOf, writeScore } from "./quadratic-fit.ts";

const { values } = parseArgs({
  options: { work: { type: "string", default: join(tmpdir(), "stipple-bench") } },
});
const TARGET = resolve(
  import.meta.dirname,
  "../packages/pipeline/src/steps/2-morphological-analysis/nucleus-score-weights.ts",
);
const options = nucleusOptions.parse({});
const rows: { set: string; features: Float32Array; goal: number }[] = [];
for (const set of labeledSets(values.work)) {
  // Unseen sets are held out entirely.
  if (set.unseen === true) continue;
  let index = 0;
  for await (const image of set.images()) {
    if (index++ % 2 === 1) continue;
    const { width, height, stains } = image;
    const smooth = gaussianBlur(stains.signal, width, height, options.smoothingPx);
    const range = signalRange(smooth);
    const { forests } = findCandidates(stains.signal, width, height, range, options, 0.5);
    for (const hills of forests) collect(image, hills, set.name);
  }
}
console.log(`${rows.length} candidates`);

/** Adds an image's candidates with their target: 0 for an overlap of at most 0.25, 1 from 0.75 up. */
function collect(image: LabeledImage, hills: Hills, name: string): void {
  const { tree, shapes } = hills;
  const n = HILL_FEATURES.length;
  const shared = Array.from({ length: tree.count }, () => new Map<number, number>());
  const skipped = new Float64Array(tree.count);
  const atBorder = new Uint8Array(tree.count);
  const areas = new Float64Array(image.count + 1);
  for (let p = 0; p < tree.labels.length; p++) {
    const t = image.labels[p];
    areas[t]++;
    const k = tree.labels[p];
    if (k < 0) continue;
    if (t) shared[k].set(t, (shared[k].get(t) ?? 0) + 1);
    if (image.ignore?.[p]) skipped[k]++;
    const x = p % image.width;
    if (
      x === 0 ||
      x === image.width - 1 ||
      p < image.width ||
      p >= tree.labels.length - image.width
    ) {
      atBorder[k] = 1;
    }
  }
  for (let k = 0; k < tree.count; k++) {
    const up = tree.parent[k];
    if (up >= 0) {
      for (const [t, pixels] of shared[k]) shared[up].set(t, (shared[up].get(t) ?? 0) + pixels);
      skipped[up] += skipped[k];
      atBorder[up] |= atBorder[k];
    }
    if (atBorder[k] || skipped[k] > 0.3 * shapes.area[k]) continue;
    let best = 0;
    for (const [t, pixels] of shared[k]) {
      best = Math.max(best, pixels / (shapes.area[k] + areas[t] - pixels));
    }
    rows.push({
      set: name,
      features: shapes.features.slice(k * n, (k + 1) * n),
      goal: goalOf(best),
    });
  }
}

const sizes = new Map<string, number>();
for (const { set } of rows) sizes.set(set, (sizes.get(set) ?? 0) + 1);
// Each set's weight is the square root of its size, doubled for hand-placed real H&E.
const examples = rows.map(({ set, ...row }) => ({
  ...row,
  weight: (set === "he-breast" ? 2 : 1) / Math.sqrt(sizes.get(set)!),
}));
await writeScore(TARGET, "fit-nucleus-score.ts", fitQuadratic(examples));
