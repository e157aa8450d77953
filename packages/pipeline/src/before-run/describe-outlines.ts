import KDBush from "kdbush";
import { boxOf } from "@stipple/numerics/polygon-area";
import type { AlignmentScale } from "../facts.ts";
import { captureNoun } from "../model/row-noun.ts";
import type { Outlines } from "../readers/segmentation/outlines.ts";

/** Below this share under spots, outlines are likely of another sample or another place. */
const FEW = 0.5;

/**
 * How many outlines there are, how large, how many lie on others, and how many under spots in tissue, in a sentence or
 * two. O(points + outlines · log spots).
 */
export function describeOutlines(
  { cells, medianAreaUm2 }: Outlines & { medianAreaUm2: number },
  { x, y, scale }: { x: Float64Array; y: Float64Array; scale: AlignmentScale },
): string {
  const n = cells.offsets.length - 1;
  const { cx, cy } = centersOf(cells);
  const noun = captureNoun(scale);
  const spots = new KDBush(Math.max(1, x.length));
  for (let spot = 0; spot < x.length; spot++) spots.add(x[spot], y[spot]);
  if (x.length === 0) spots.add(Infinity, Infinity);
  spots.finish();
  const reach = scale.pitchUm / scale.micronsPerPixel;
  let under = 0;
  for (let i = 0; i < n; i++) under += Number(spots.within(cx[i], cy[i], reach).length > 0);
  const share = under / n;
  const size = `${n.toLocaleString("en-US")} outlines with a median area of ${medianAreaUm2.toFixed(0)} µm²`;
  const facts = `${percent(overlapping(cells, cx, cy))} have their center in another one, and ${percent(share)} lie at ${noun}s in tissue`;
  return share < FEW
    ? `${size}: ${facts}, which is little; check that they are of this sample.`
    : `${size}: ${facts}.`;
}

function centersOf({ offsets, xy }: Outlines["cells"]): { cx: Float64Array; cy: Float64Array } {
  const n = offsets.length - 1;
  const [cx, cy] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]];
    for (let p = from; p < to; p++) {
      cx[i] += xy[2 * p] / (to - from);
      cy[i] += xy[2 * p + 1] / (to - from);
    }
  }
  return { cx, cy };
}

/** Share of the outlines whose center lies in another outline. */
function overlapping(
  { offsets, xy }: Outlines["cells"],
  cx: Float64Array,
  cy: Float64Array,
): number {
  const n = offsets.length - 1;
  const centers = new KDBush(n);
  for (let i = 0; i < n; i++) centers.add(cx[i], cy[i]);
  centers.finish();
  const covered = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const ring = xy.subarray(2 * offsets[i], 2 * offsets[i + 1]);
    const { left, top, right, bottom } = boxOf(ring);
    for (const other of centers.range(left, top, right, bottom)) {
      if (other !== i && holds(ring, cx[other], cy[other])) covered[other] = 1;
    }
  }
  return covered.reduce((sum, value) => sum + value, 0) / n;
}

function holds(ring: Float32Array, x: number, y: number): boolean {
  let inside = false;
  for (let p = 0, q = ring.length - 2; p < ring.length; q = p, p += 2) {
    const [ay, by] = [ring[p + 1], ring[q + 1]];
    if (ay > y === by > y) continue;
    if (x < ring[p] + ((y - ay) / (by - ay)) * (ring[q] - ring[p])) inside = !inside;
  }
  return inside;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value > 0 && value < 1 ? value.toFixed(1) : value.toFixed(0)}%`;
}
