/**
 * Accuracy and speed of nucleus detection by the trained network on every available labeled set; recall of small, pale,
 * slender, and crowded nuclei (nucleus-kinds.ts); and what became of those not found (nucleus-errors.ts).
 *   node lab/bench/segmentation.ts [--images held-out|learned|odd|even|all] [--sets PATTERN] [--weights FILE] [--work DIR]
 *     [--um-per-px 0.35] [--finer-than 0.375] [--scanned-at 0.73] [option=value …]
 * Options are those of network-options.ts. "held-out" are images never seen in training the network; images are read at
 * the scale at which step 2 would read them, or at --um-per-px; --finer-than excludes images with larger pixels, µm;
 * --scanned-at shrinks brightfield images to pixels of that size first.
 */
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { networkOptions } from "@stipple/pipeline/internal/steps/2-morphological-analysis/network-options";
import {
  findNuclei,
  type NucleusFinder,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/find-nuclei";
import { brightnessRange } from "@stipple/pipeline/internal/nuclei/network-input";
import { NETWORK_WEIGHTS } from "@stipple/pipeline/internal/nuclei/nucleus-network";
import { detection, matchByCenter } from "../../packages/tissue/src/metrics/detection.ts";
import { labeledSets, type LabeledImage } from "./nuclei-datasets.ts";
import { addErrors, errorTable, noErrors, type NucleusErrors } from "./nucleus-errors.ts";
import { NUCLEUS_KINDS, nucleusKinds, type NucleusKind } from "./nucleus-kinds.ts";

const { values, positionals } = parseArgs({
  options: {
    images: { type: "string", default: "held-out" },
    sets: { type: "string", default: "." },
    weights: { type: "string", default: NETWORK_WEIGHTS },
    work: { type: "string", default: join(tmpdir(), "stipple-bench") },
    "um-per-px": { type: "string" },
    "finer-than": { type: "string", default: "Infinity" },
    "scanned-at": { type: "string", default: "0" },
  },
  allowPositionals: true,
});
const options = networkOptions.parse(
  Object.fromEntries(
    positionals.map((pair) => {
      const [option, value] = pair.split("=");
      return [option, JSON.parse(value) as unknown];
    }),
  ),
);
/** A found nucleus and a true center match within this distance. */
const CENTER_UM = 3;

const HELD_OUT = resolve(
  import.meta.dirname,
  "../../packages/pipeline/models/held-out-images.json",
);
const groupOf = new Map<string, string>();
if (existsSync(HELD_OUT)) {
  const groups = JSON.parse(readFileSync(HELD_OUT, "utf8")) as Record<string, string[]>;
  for (const [group, names] of Object.entries(groups)) {
    for (const name of names) groupOf.set(name, group);
  }
}

/** Whether an image was requested. */
function wanted(name: string, index: number, unseen: boolean | "by name"): boolean {
  const heldOut = unseen === "by name" ? groupOf.has(name) : unseen;
  if (values.images === "odd") return index % 2 === 1;
  if (values.images === "even") return index % 2 === 0;
  if (values.images === "held-out") return heldOut;
  if (values.images === "learned") return !heldOut;
  return true;
}

const EMPTY = { hits: 0, found: 0, nuclei: 0, centerHits: 0, centerFound: 0, centers: 0 };
type Sums = typeof EMPTY & {
  images: number;
  pixels: number;
  seconds: number;
  ious: number;
  growth: number;
};
/** Number of true nuclei of a kind, and how many of them were found. */
type Recall = { nuclei: number; hits: number };
const recalls = new Map<string, Map<NucleusKind, Recall>>();
const results = new Map<string, Sums>();
const errors = new Map<string, NucleusErrors>();

const resolution = {
  umPerPx: values["um-per-px"] === undefined ? undefined : Number(values["um-per-px"]),
  finerThan: Number(values["finer-than"]),
  scannedAt: Number(values["scanned-at"]),
};
for (const set of labeledSets(values.work, resolution)) {
  if (!new RegExp(values.sets).test(set.name)) continue;
  let index = 0;
  for await (const image of set.images()) {
    if (!wanted(image.name, index++, set.unseen)) continue;
    const group = groupOf.get(image.name) ?? set.name;
    const sums = results.get(group) ?? {
      ...EMPTY,
      images: 0,
      pixels: 0,
      seconds: 0,
      ious: 0,
      growth: 0,
    };
    results.set(group, sums);
    const kinds = nucleusKinds(image);
    const { width, height, umPerPx } = image;
    const before = process.cpuUsage();
    const found = await findNuclei(finderFor(image), image.stains, { width, height }, umPerPx);
    const spent = process.cpuUsage(before);
    sums.seconds += (spent.user + spent.system) / 1e6;
    sums.pixels += width * height;
    sums.images++;
    const { hit, ...score } = compare(image, found.labels, found.count);
    const ownErrors = errors.get(group) ?? noErrors();
    errors.set(group, ownErrors);
    addErrors(ownErrors, image, found.labels, found.count);
    const ofKinds = recalls.get(group) ?? new Map<NucleusKind, Recall>();
    recalls.set(group, ofKinds);
    for (let nucleus = 1; nucleus <= image.count; nucleus++) {
      for (const kind of kinds[nucleus]) {
        const recall = ofKinds.get(kind) ?? { nuclei: 0, hits: 0 };
        ofKinds.set(kind, recall);
        recall.nuclei++;
        recall.hits += hit[nucleus];
      }
    }
    for (const key of Object.keys(score) as (keyof typeof score)[]) sums[key] += score[key];
  }
}

console.log(
  "| set | images | nuclei | found | F1@0.5 | precision | recall | IoU of hits | area of hits | F1 of centers | Mpx/s |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
for (const [group, sums] of results) {
  const overlap = detection(sums.hits, sums.found, sums.nuclei);
  const center = detection(sums.centerHits, sums.centerFound, sums.centers);
  const f = (value: number): string => value.toFixed(3);
  const speed = (sums.pixels / sums.seconds / 1e6).toFixed(2);
  console.log(
    `| ${group} | ${sums.images} | ${sums.nuclei} | ${sums.found} | ${f(overlap.f1)} | ${f(overlap.precision)} | ${f(overlap.recall)} | ${f(sums.ious / Math.max(1, sums.hits))} | ${f(Math.exp(sums.growth / Math.max(1, sums.hits)))} | ${f(center.f1)} | ${speed} |`,
  );
}

console.log(`\nRecall at 0.5 (nuclei) of each kind\n\n| set | ${NUCLEUS_KINDS.join(" | ")} |`);
console.log(`|---|${"---|".repeat(NUCLEUS_KINDS.length)}`);
for (const [name, ofKinds] of recalls) {
  const cells = NUCLEUS_KINDS.map((kind) => {
    const recall = ofKinds.get(kind);
    return recall ? `${(recall.hits / recall.nuclei).toFixed(3)} (${recall.nuclei})` : "–";
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

console.log(
  `\nAggregated Jaccard index, and shares of true nuclei not found\n\n${errorTable(errors)}`,
);

/** A finder for one image; brightness, normally taken from the whole slide, comes from the image itself. */
function finderFor(image: LabeledImage): NucleusFinder {
  const brightness = image.stains.rgb
    ? { low: 0, high: 1 }
    : brightnessRange(image.stains.planes[0]);
  return { method: "network", weights: values.weights, brightness, options };
}

/** Counts nuclei whose intersection over union with a true one exceeds 0.5, and those whose centers match. */
function compare(
  image: LabeledImage,
  found: Int32Array,
  count: number,
): typeof EMPTY & { ious: number; growth: number; hit: Uint8Array } {
  const areas = new Float64Array(count + 1);
  const trueAreas = new Float64Array(image.count + 1);
  const ignored = new Float64Array(count + 1);
  const shared = new Map<number, number>();
  const sumX = new Float64Array(count + 1);
  const sumY = new Float64Array(count + 1);
  const trueX = new Float64Array(image.count + 1);
  const trueY = new Float64Array(image.count + 1);
  for (let p = 0; p < found.length; p++) {
    const k = found[p];
    const t = image.labels[p];
    const x = p % image.width;
    const y = Math.floor(p / image.width);
    areas[k]++;
    sumX[k] += x;
    sumY[k] += y;
    trueAreas[t]++;
    trueX[t] += x;
    trueY[t] += y;
    if (image.ignore?.[p]) ignored[k]++;
    if (k && t) {
      const pair = k * (image.count + 1) + t;
      shared.set(pair, (shared.get(pair) ?? 0) + 1);
    }
  }
  let hits = 0;
  let ious = 0;
  /** Sum of log(area / true area). */
  let growth = 0;
  const hit = new Uint8Array(image.count + 1);
  for (const [pair, n] of shared) {
    const k = Math.floor(pair / (image.count + 1));
    const iou = n / (areas[k] + trueAreas[pair % (image.count + 1)] - n);
    if (iou > 0.5) {
      hits++;
      hit[pair % (image.count + 1)] = 1;
      ious += iou;
      growth += Math.log(areas[k] / trueAreas[pair % (image.count + 1)]);
    }
  }
  const kept = Array.from({ length: count }, (_, i) => i + 1).filter(
    (k) => ignored[k] < areas[k] / 2,
  );
  const centers =
    image.centers ??
    Array.from({ length: image.count }, (_, i) => i + 1).flatMap((t) => [
      trueX[t] / trueAreas[t],
      trueY[t] / trueAreas[t],
    ]);
  // For hand-placed centers, every found nucleus counts: an ignored contour still has a center.
  const candidates = image.centers ? Array.from({ length: count }, (_, i) => i + 1) : kept;
  const matched = matchByCenter(
    centers,
    candidates.flatMap((k) => [sumX[k] / areas[k], sumY[k] / areas[k]]),
    CENTER_UM / image.umPerPx,
  );
  return {
    hit,
    hits,
    ious,
    growth,
    found: kept.length,
    nuclei: image.count,
    centerHits: matched.filter((k) => k >= 0).length,
    centerFound: candidates.length,
    centers: centers.length / 2,
  };
}
