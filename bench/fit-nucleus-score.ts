/**
 * Fits the weights of nucleus-score.ts to the even half of every labeled set and writes nucleus-score-weights.ts.
 *   node bench/fit-nucleus-score.ts [--work DIR]
 */
import { writeFile } from "node:fs/promises";
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
import {
  SCORE_TERMS,
  scoreTerms,
} from "@stipple/pipeline/steps/2-morphological-analysis/nucleus-score";
import { signalRange } from "@stipple/pipeline/steps/2-morphological-analysis/signal-range";
import { labelledSets, type LabelledImage } from "./nuclei-datasets.ts";

const { values } = parseArgs({
  options: { work: { type: "string", default: join(tmpdir(), "stipple-bench") } },
});
const TARGET = resolve(
  import.meta.dirname,
  "../packages/pipeline/src/steps/2-morphological-analysis/nucleus-score-weights.ts",
);
const RIDGE = 1e-4;
const options = nucleusOptions.parse({});
const rows: Float32Array[] = [];
const goals: number[] = [];
const setOf: string[] = [];
for (const set of labelledSets(values.work)) {
  // The other tissues are kept back entirely.
  if (/-1[3-6]$/.test(set.name)) continue;
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

/** Adds an image's candidates with their goal: 0 for an overlap of 0.25 and less, 1 from 0.75. */
function collect(image: LabelledImage, hills: Hills, name: string): void {
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
    rows.push(shapes.features.slice(k * n, (k + 1) * n));
    goals.push(Math.min(1, Math.max(0, (best - 0.25) / 0.5)));
    setOf.push(name);
  }
}

const scale = {
  low: [] as number[],
  high: [] as number[],
  centre: [] as number[],
  spread: [] as number[],
};
for (let f = 0; f < HILL_FEATURES.length; f++) {
  const column = Float64Array.from(rows, (row) => row[f]).sort();
  const low = column[Math.floor(0.002 * column.length)];
  const high = column[Math.floor(0.998 * column.length)];
  let sum = 0;
  let squares = 0;
  for (const value of column) {
    const clipped = Math.min(high, Math.max(low, value));
    sum += clipped;
    squares += clipped * clipped;
  }
  const mean = sum / column.length;
  scale.low.push(low);
  scale.high.push(high);
  scale.centre.push(mean);
  scale.spread.push(Math.sqrt(Math.max(1e-9, squares / column.length - mean * mean)));
}

const weights = ridge();
const list = (numbers: ArrayLike<number>): string =>
  Array.from(numbers, (value) => String(Number(value.toPrecision(4)))).join(", ");
const constant = (name: string, words: string, numbers: ArrayLike<number>): string =>
  `/** ${words} */\nexport const ${name}: readonly number[] = [${list(numbers)}];\n`;
await writeFile(
  TARGET,
  [
    "// Written by bench/fit-nucleus-score.ts; docs/methods/2-morphological-analysis.md names the data behind it.\n",
    constant("LOW", "0.2 percentile of each feature: smaller values count as this.", scale.low),
    constant("HIGH", "99.8 percentile of each feature: larger values count as this.", scale.high),
    constant("CENTRE", "Mean of each feature.", scale.centre),
    constant("SPREAD", "Standard deviation of each feature.", scale.spread),
    constant("WEIGHTS", "One a term, in the order of scoreTerms.", weights),
  ].join("\n"),
);

/** Weighted ridge regression by Cholesky; a set weighs as the root of its size, hand-placed real H&E twice. */
function ridge(): Float64Array {
  const sizes = new Map<string, number>();
  for (const name of setOf) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  const n = SCORE_TERMS;
  const normal = new Float64Array(n * n);
  const x = new Float64Array(n);
  const terms = new Float64Array(n);
  let total = 0;
  rows.forEach((row, i) => {
    const weight = (setOf[i] === "he-breast" ? 2 : 1) / Math.sqrt(sizes.get(setOf[i])!);
    total += weight;
    scoreTerms(row, 0, scale, terms);
    for (let a = 0; a < n; a++) {
      x[a] += weight * terms[a] * goals[i];
      for (let b = 0; b <= a; b++) normal[a * n + b] += weight * terms[a] * terms[b];
    }
  });
  for (let a = 0; a < n; a++) normal[a * n + a] += total * (a === 0 ? 1e-9 : RIDGE);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = normal[i * n + j];
      for (let k = 0; k < j; k++) sum -= normal[i * n + k] * normal[j * n + k];
      normal[i * n + j] = i === j ? Math.sqrt(sum) : sum / normal[j * n + j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= normal[i * n + k] * x[k];
    x[i] /= normal[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= normal[k * n + i] * x[k];
    x[i] /= normal[i * n + i];
  }
  return x;
}
