/**
 * How well nuclei are found, on every labelled set at hand, and how fast.
 *   node bench/segmentation.ts [--half odd|even|all] [--work DIR] [option=value …]
 * Options are those of nucleus-options.ts. Half of each set was learned from (even); "odd" is the other half.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gaussianBlur } from "@stipple/pipeline/numerics/gaussian-blur";
import { nucleusOptions } from "@stipple/pipeline/steps/2-morphological-analysis/nucleus-options";
import { segmentNuclei } from "@stipple/pipeline/steps/2-morphological-analysis/segment-nuclei";
import { signalRange } from "@stipple/pipeline/steps/2-morphological-analysis/signal-range";
import { detection, matchByCentre } from "../packages/tissue/src/metrics/detection.ts";
import { labelledSets, type LabelledImage } from "./nuclei-datasets.ts";

const { values, positionals } = parseArgs({
  options: {
    half: { type: "string", default: "odd" },
    work: { type: "string", default: join(tmpdir(), "stipple-bench") },
  },
  allowPositionals: true,
});
const options = nucleusOptions.parse(
  Object.fromEntries(
    positionals.map((pair) => [pair.split("=")[0], JSON.parse(pair.split("=")[1])]),
  ),
);
/** A found nucleus and a hand-placed centre are the same within 3 µm. */
const CENTRE_PX = 6;

console.log(
  "| set | images | nuclei | found | F1@0.5 | precision | recall | F1 of centres | Mpx/s |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const set of labelledSets(values.work)) {
  let images = 0;
  let index = 0;
  const sum = { hits: 0, found: 0, nuclei: 0, centreHits: 0, centreFound: 0, centres: 0 };
  let pixels = 0;
  let cpu = 0;
  for await (const image of set.images()) {
    const odd = index++ % 2 === 1;
    if (values.half !== "all" && odd !== (values.half === "odd")) continue;
    images++;
    const before = process.cpuUsage();
    const { width, height } = image;
    const smooth = gaussianBlur(image.stains.signal, width, height, options.smoothingPx);
    const found = segmentNuclei(
      image.stains.signal,
      width,
      height,
      signalRange(smooth),
      options,
      0.5,
    );
    const spent = process.cpuUsage(before);
    cpu += (spent.user + spent.system) / 1e6;
    pixels += width * height;
    const score = compare(image, found.labels, found.count);
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += score[key];
  }
  if (images === 0) continue;
  const overlap = detection(sum.hits, sum.found, sum.nuclei);
  const centre = detection(sum.centreHits, sum.centreFound, sum.centres);
  const f = (value: number): string => value.toFixed(3);
  console.log(
    `| ${set.name} | ${images} | ${sum.nuclei} | ${sum.found} | ${f(overlap.f1)} | ${f(overlap.precision)} | ${f(overlap.recall)} | ${f(centre.f1)} | ${(pixels / cpu / 1e6).toFixed(2)} |`,
  );
}

/** Nuclei whose intersection over union with a true one exceeds 0.5, and those whose centres agree. */
function compare(
  image: LabelledImage,
  found: Int32Array,
  count: number,
): Record<"hits" | "found" | "nuclei" | "centreHits" | "centreFound" | "centres", number> {
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
  for (const [pair, n] of shared) {
    const k = Math.floor(pair / (image.count + 1));
    if (n / (areas[k] + trueAreas[pair % (image.count + 1)] - n) > 0.5) hits++;
  }
  const kept = Array.from({ length: count }, (_, i) => i + 1).filter(
    (k) => ignored[k] < areas[k] / 2,
  );
  const centres =
    image.centres ??
    Array.from({ length: image.count }, (_, i) => i + 1).flatMap((t) => [
      trueX[t] / trueAreas[t],
      trueY[t] / trueAreas[t],
    ]);
  // For hand-placed centres every found nucleus counts: an ignored contour still has its centre.
  const candidates = image.centres ? Array.from({ length: count }, (_, i) => i + 1) : kept;
  const matched = matchByCentre(
    centres,
    candidates.flatMap((k) => [sumX[k] / areas[k], sumY[k] / areas[k]]),
    CENTRE_PX,
  );
  return {
    hits,
    found: kept.length,
    nuclei: image.count,
    centreHits: matched.filter((k) => k >= 0).length,
    centreFound: candidates.length,
    centres: centres.length / 2,
  };
}
