import { inStretches } from "@stipple/numerics/in-stretches";
import { decodeMaps, type DecodedMaps } from "./decode-maps.ts";
import type { NetworkOptions } from "./network-options.ts";
import type { NucleusMaps } from "../../nuclei/nucleus-network.ts";
import type { Nuclei } from "./nuclei.ts";
import { addAreas, tidyLabels } from "./tidy-labels.ts";

/** Decodes the network's maps into the nuclei of a tile (width × height px of `umPerPx`). O(pixels). */
export function nucleiFromMaps(
  maps: NucleusMaps,
  width: number,
  height: number,
  options: NetworkOptions,
  umPerPx: number,
): Nuclei {
  return nucleiOf(decodeMaps(maps, options), maps, width, height, options, umPerPx);
}

/** The same for maps that have been decoded. O(pixels). */
export function nucleiOf(
  decoded: DecodedMaps,
  maps: NucleusMaps,
  width: number,
  height: number,
  options: Pick<NetworkOptions, "minAreaUm2" | "maxAreaUm2">,
  umPerPx: number,
): Nuclei {
  const pxUm2 = umPerPx * umPerPx;
  const labels = atFullSize(decoded, maps, width, height);
  const areas = new Int32Array(decoded.count + 1);
  inStretches(labels.length, (from, to) => addAreas(areas, labels, from, to));
  const isTooLarge = Uint8Array.from(areas, (area) => Number(area * pxUm2 > options.maxAreaUm2));
  inStretches(labels.length, (from, to) => dropLarge(labels, isTooLarge, from, to));
  const kept = tidyLabels(labels, width, height, decoded.count, options.minAreaUm2 / pxUm2);
  return { labels, count: kept.length };
}

function dropLarge(labels: Int32Array, isTooLarge: Uint8Array, from: number, to: number): void {
  for (let p = from; p < to; p++) if (isTooLarge[labels[p]]) labels[p] = 0;
}

/**
 * Labels at twice the resolution of the maps: of the four half-resolution pixels around it, a pixel takes the label of
 * the nearest that voted for a nucleus, if its interpolated probability is high enough for that one. O(pixels).
 */
export function atFullSize(
  decoded: DecodedMaps,
  maps: NucleusMaps,
  width: number,
  height: number,
): Int32Array {
  const labels = new Int32Array(width * height);
  for (let y = 0; y < height; y++) {
    fillRow(labels.subarray(y * width, (y + 1) * width), decoded, maps, y);
  }
  return labels;
}

function fillRow(
  row: Int32Array,
  { labels: half, minProbability }: DecodedMaps,
  { width, height, probability }: NucleusMaps,
  y: number,
): void {
  // Full-resolution pixel centers lie 1/4 of a half-resolution pixel off the nearest half-resolution center.
  const own = (y >> 1) * width;
  const other = Math.max(0, Math.min(height - 1, (y >> 1) + (y & 1 ? 1 : -1))) * width;
  for (let x = 0; x < row.length; x++) {
    const u = x >> 1;
    const v = Math.max(0, Math.min(width - 1, u + (x & 1 ? 1 : -1)));
    const label = half[own + u] || half[own + v] || half[other + u] || half[other + v];
    if (label === 0) continue;
    const p =
      (9 * probability[own + u] +
        3 * (probability[own + v] + probability[other + u]) +
        probability[other + v]) /
      16;
    if (p > minProbability[label]) row[x] = label;
  }
}
