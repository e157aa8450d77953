/**
 * Fits the weights of choose-candidates.ts to the network's training images and to two rendered tissues, never to
 * held-out images, and writes candidate-score-weights.ts.
 *   node lab/bench/fit-candidate-score.ts [--work DIR]
 */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readFileSync } from "node:fs";
import { N_FEATURES } from "@stipple/pipeline/internal/steps/2-morphological-analysis/candidate-shapes";
import { candidatesOf } from "@stipple/pipeline/internal/steps/2-morphological-analysis/decode-maps";
import { brightnessRange, networkInput } from "@stipple/pipeline/internal/nuclei/network-input";
import { networkOptions } from "@stipple/pipeline/internal/steps/2-morphological-analysis/network-options";
import { atFullSize } from "@stipple/pipeline/internal/steps/2-morphological-analysis/nuclei-from-maps";
import { openNucleusNetwork } from "@stipple/pipeline/internal/nuclei/nucleus-network";
import { LEVELS } from "@stipple/pipeline/internal/steps/2-morphological-analysis/voted-parts";
import { labeledSets, type LabeledImage } from "./nuclei-datasets.ts";
import { fitQuadratic, goalOf, writeScore } from "./quadratic-fit.ts";

const { values } = parseArgs({
  options: { work: { type: "string", default: join(tmpdir(), "stipple-bench") } },
});
const MODELS = resolve(import.meta.dirname, "../../packages/pipeline/models");
const TARGET = resolve(
  import.meta.dirname,
  "../../packages/pipeline/src/steps/2-morphological-analysis/candidate-score-weights.ts",
);
/** Levels and pairs are redundant, so their terms are regularized strongly. */
const RIDGE = 1e-3;
/** Contours with hand-placed centers are from the most important tissue; rendered tissue is easy. */
const weightOf = (set: string): number =>
  set.startsWith("he-breast") ? 2 : set.startsWith("rendered") ? 0.5 : 1;

/** The resolutions step 2 uses: sufficiently fine images also at a finer one. */
const SCALES = [{ umPerPx: 0.5 }, { umPerPx: 0.35, finerThan: 0.375 }];

const heldOut = new Set(
  Object.values(
    JSON.parse(readFileSync(join(MODELS, "held-out-images.json"), "utf8")) as Record<
      string,
      string[]
    >,
  ).flat(),
);
const options = networkOptions.parse({});
const network = await openNucleusNetwork();
const rows: { set: string; features: Float32Array; goal: number }[] = [];
for (const scale of SCALES) {
  for (const set of labeledSets(values.work, scale)) {
    if (set.unseen === true) continue;
    for await (const image of set.images()) {
      if (!heldOut.has(image.name)) await collect(`${set.name} ${scale.umPerPx}`, image);
    }
  }
}
await network.close();
console.log(`${rows.length} candidates`);
const sizes = new Map<string, number>();
for (const { set } of rows) sizes.set(set, (sizes.get(set) ?? 0) + 1);
const examples = rows.map(({ set, ...row }) => ({
  ...row,
  weight: weightOf(set) / Math.sqrt(sizes.get(set)!),
}));
await writeScore(TARGET, "fit-candidate-score.ts", fitQuadratic(examples, RIDGE));

/** Adds an image's candidates, except those at its border and those without known truth. */
async function collect(set: string, image: LabeledImage): Promise<void> {
  const { width, height, stains } = image;
  const brightness = stains.rgb ? { low: 0, high: 1 } : brightnessRange(stains.planes[0]);
  const input = networkInput(stains, width, height, brightness);
  const maps = await network.run(input.data, input.width, input.height);
  const { labels: half, count, candidates } = candidatesOf(maps, options);
  const trueAreas = new Float64Array(image.count + 1);
  for (const nucleus of image.labels) trueAreas[nucleus]++;
  LEVELS.forEach((least, level) => {
    const minProbability = new Float64Array(count + 1).fill(least);
    const labels = atFullSize({ labels: half, count, minProbability }, maps, width, height);
    const parts = overlaps(image, labels, count);
    candidates.nLevels.forEach((nLevels, node) => {
      if (node === 0 || level >= nLevels) return;
      const union = node > count ? candidates.unions[node - count - 1] : null;
      const best = bestOverlap(
        (union ? [union.a, union.b] : [node]).map((part) => parts[part]),
        trueAreas,
      );
      if (best === null) return;
      const row = (node * LEVELS.length + level) * N_FEATURES;
      const features = candidates.features.slice(row, row + N_FEATURES);
      rows.push({ set, features, goal: goalOf(best) });
    });
  });
}

interface Part {
  pixels: number;
  ignored: number;
  atBorder: boolean;
  /** Pixels shared with each true nucleus. */
  shared: Map<number, number>;
}

function overlaps(image: LabeledImage, labels: Int32Array, count: number): Part[] {
  const parts = Array.from({ length: count + 1 }, () => ({
    pixels: 0,
    ignored: 0,
    atBorder: false,
    shared: new Map<number, number>(),
  }));
  for (let p = 0; p < labels.length; p++) {
    if (labels[p] === 0) continue;
    const part = parts[labels[p]];
    part.pixels++;
    if (image.ignore?.[p]) part.ignored++;
    const x = p % image.width;
    const y = Math.floor(p / image.width);
    if (x === 0 || y === 0 || x === image.width - 1 || y === image.height - 1) part.atBorder = true;
    const nucleus = image.labels[p];
    if (nucleus > 0) part.shared.set(nucleus, (part.shared.get(nucleus) ?? 0) + 1);
  }
  return parts;
}

/** The highest intersection over union of the combined parts with a true nucleus; null if unknown. */
function bestOverlap(parts: readonly Part[], trueAreas: Float64Array): number | null {
  const pixels = parts.reduce((sum, part) => sum + part.pixels, 0);
  const ignored = parts.reduce((sum, part) => sum + part.ignored, 0);
  if (pixels === 0 || ignored > 0.3 * pixels || parts.some((part) => part.atBorder)) return null;
  const shared = new Map<number, number>();
  for (const part of parts) {
    for (const [nucleus, n] of part.shared) shared.set(nucleus, (shared.get(nucleus) ?? 0) + n);
  }
  let best = 0;
  for (const [nucleus, n] of shared) {
    best = Math.max(best, n / (pixels + trueAreas[nucleus] - n));
  }
  return best;
}
