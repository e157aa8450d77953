import type { LabeledImage } from "./nuclei-datasets.ts";

/** How found nuclei differ from true ones; sums over images. */
export interface NucleusErrors {
  nuclei: number;
  /** True nuclei that no found one matches (intersection over union above MATCH), by cause. */
  missed: number;
  merged: number;
  split: number;
  outline: number;
  found: number;
  /** Found nuclei that lie mostly on background. */
  false: number;
  /** Aggregated Jaccard index = shared ÷ united px (Kumar et al., IEEE Trans. Med. Imaging 2017). */
  shared: number;
  united: number;
}

const MATCH = 0.5;
/** Share of a true nucleus that a found one must cover, for it to be counted as inside that one. */
const COVERED = 0.5;
/** Share of a found nucleus that must lie in a true one, for it to be a piece of that one. */
const PIECE = 0.6;
/** A true nucleus is missed if no found one overlaps it more than this; otherwise its outline is wrong. */
const SEEN = 0.2;
/** A found nucleus is false if less than this share of it lies in true ones. */
const ON_NUCLEI = 0.2;

export function noErrors(): NucleusErrors {
  return {
    nuclei: 0,
    missed: 0,
    merged: 0,
    split: 0,
    outline: 0,
    found: 0,
    false: 0,
    shared: 0,
    united: 0,
  };
}

/** Adds the errors of one image to `sums`. Found nuclei mostly in ignored areas do not count. O(pixels). */
export function addErrors(
  sums: NucleusErrors,
  image: Pick<LabeledImage, "labels" | "count" | "ignore">,
  found: Int32Array,
  count: number,
): void {
  const overlaps = overlapsOf(image, found, count);
  const { area, ignored, onNuclei, trueArea, pairs } = overlaps;
  const best = Array.from({ length: image.count + 1 }, () => ({ iou: 0, k: 0, shared: 0 }));
  const coveredBy = new Int32Array(image.count + 1);
  const covers = new Int32Array(count + 1);
  const pieces = new Int32Array(image.count + 1);
  for (const { k, t, shared } of pairs) {
    const iou = shared / (area[k] + trueArea[t] - shared);
    if (iou > best[t].iou) best[t] = { iou, k, shared };
    if (shared > COVERED * trueArea[t]) {
      coveredBy[t] = k;
      covers[k]++;
    }
    if (shared > PIECE * area[k]) pieces[t]++;
  }
  const matched = new Uint8Array(count + 1);
  const used = new Uint8Array(count + 1);
  for (let t = 1; t <= image.count; t++) {
    const { iou, k, shared } = best[t];
    sums.nuclei++;
    sums.shared += shared;
    sums.united += trueArea[t] + area[k] * Number(k > 0) - shared;
    used[k] = 1;
    if (iou > MATCH) matched[k] = 1;
    else if (covers[coveredBy[t]] > 1) sums.merged++;
    else if (pieces[t] > 1) sums.split++;
    else if (iou > SEEN) sums.outline++;
    else sums.missed++;
  }
  for (let k = 1; k <= count; k++) {
    if (ignored[k] >= area[k] / 2) continue;
    sums.found++;
    if (!used[k]) sums.united += area[k];
    if (!matched[k] && onNuclei[k] < ON_NUCLEI * area[k]) sums.false++;
  }
}

/** Pixels of found and true nuclei, and of every overlapping pair. Entry 0 of the arrays is the background. */
function overlapsOf(
  { labels, count: nTrue, ignore }: Pick<LabeledImage, "labels" | "count" | "ignore">,
  found: Int32Array,
  count: number,
): {
  area: Float64Array;
  ignored: Float64Array;
  onNuclei: Float64Array;
  trueArea: Float64Array;
  pairs: { k: number; t: number; shared: number }[];
} {
  const area = new Float64Array(count + 1);
  const ignored = new Float64Array(count + 1);
  const onNuclei = new Float64Array(count + 1);
  const trueArea = new Float64Array(nTrue + 1);
  const shared = new Map<number, number>();
  for (let p = 0; p < found.length; p++) {
    const k = found[p];
    const t = labels[p];
    area[k]++;
    trueArea[t]++;
    if (ignore?.[p]) ignored[k]++;
    if (k === 0 || t === 0) continue;
    onNuclei[k]++;
    const pair = k * (nTrue + 1) + t;
    shared.set(pair, (shared.get(pair) ?? 0) + 1);
  }
  const pairs = [...shared].map(([pair, n]) => ({
    k: Math.floor(pair / (nTrue + 1)),
    t: pair % (nTrue + 1),
    shared: n,
  }));
  return { area, ignored, onNuclei, trueArea, pairs };
}

/** A row a set of images: what became of its true nuclei, and which share of the found ones is false. */
export function errorTable(sets: ReadonlyMap<string, NucleusErrors>): string {
  const lines = [
    "| set | AJI | missed | merged | split | outline | false of found |",
    "|---|---|---|---|---|---|---|",
  ];
  for (const [set, sums] of sets) {
    const shares = (["missed", "merged", "split", "outline"] as const).map(
      (kind) => sums[kind] / sums.nuclei,
    );
    const cells = [sums.shared / sums.united, ...shares, sums.false / sums.found];
    lines.push(`| ${set} | ${cells.map((value) => value.toFixed(3)).join(" | ")} |`);
  }
  return lines.join("\n");
}
