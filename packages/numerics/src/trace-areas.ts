import { signedArea } from "./polygon-shape.ts";
import { ringStrips, type RingStrips } from "./ring-strips.ts";
import { traceContour } from "./trace-contour.ts";

interface Outline {
  ring: Float64Array;
  area: number;
  shape: RingStrips;
  holes: Float64Array[];
}

/**
 * The areas of a label image, whose pixel (x, y) covers [x, x + 1) × [y, y + 1): for each label above 0 its polygons, an
 * outline followed by its holes, x and y alternating. Borders run as in `traceContour`, without points on straight lines.
 * O(pixels + holes · parts of a label).
 */
export function traceAreas(
  labels: Int32Array,
  width: number,
  height: number,
): Map<number, Float64Array[][]> {
  const walked = new Uint8Array(labels.length);
  const isUpper = (p: number): boolean => p < width || labels[p - width] !== labels[p];
  const outlines = new Map<number, Outline[]>();
  for (let p = 0; p < labels.length; p++) {
    const label = labels[p]!;
    if (label <= 0 || walked[p] || !isUpper(p)) continue;
    const walk = traceContour(labels, width, height, label, p);
    for (let i = 0; i < walk.length; i += 2) {
      const [x, y] = [walk[i]!, walk[i + 1]!];
      // The upper edge of a pixel, unless it is the lower edge of the one above.
      const pixel = y * width + x - 0.5;
      if (Number.isInteger(y) && labels[pixel] === label && isUpper(pixel)) walked[pixel] = 1;
    }
    const ring = withoutStraight(walk);
    const area = signedArea(ring);
    const parts = outlines.get(label) ?? [];
    outlines.set(label, parts);
    if (area > 0) parts.push({ ring, area, shape: ringStrips([ring]), holes: [] });
    else around(parts, (p % width) + 0.5, Math.floor(p / width) + 0.5).holes.push(ring);
  }
  return new Map(
    [...outlines].map(([label, parts]) => [
      label,
      parts.map(({ ring, holes }) => [ring, ...holes]),
    ]),
  );
}

/** The smallest outline around a point; outlines are found before their holes. */
function around(parts: readonly Outline[], x: number, y: number): Outline {
  return parts
    .filter(({ shape }) => shape.holds(x, y))
    .reduce((least, one) => (one.area < least.area ? one : least));
}

function withoutStraight(walk: readonly number[]): Float64Array {
  const n = walk.length;
  const kept: number[] = [];
  for (let i = 0; i < n; i += 2) {
    const [before, after] = [(i + n - 2) % n, (i + 2) % n];
    const [ax, ay] = [walk[i]! - walk[before]!, walk[i + 1]! - walk[before + 1]!];
    const [bx, by] = [walk[after]! - walk[i]!, walk[after + 1]! - walk[i + 1]!];
    if (ax * by !== ay * bx) kept.push(walk[i]!, walk[i + 1]!);
  }
  return Float64Array.from(kept);
}
