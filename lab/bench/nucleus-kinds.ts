import type { LabeledImage } from "./nuclei-datasets.ts";

/** Kinds of true nuclei; a nucleus can be of several kinds. */
export const NUCLEUS_KINDS = ["small", "large", "pale", "slender", "crowded", "alone"] as const;
export type NucleusKind = (typeof NUCLEUS_KINDS)[number];

/** Areas, µm². */
const SMALL = 25;
const LARGE = 60;
/** Share of the image's median contrast below which a nucleus is pale. */
const PALE = 0.6;
/** Ratio of long to short axis. */
const SLENDER = 2;
/** A crowded nucleus has another within this distance of its edge, µm; a lone one has none within ALONE_UM. */
const CROWDED_UM = 1;
const ALONE_UM = 3;

/** The kinds of nuclei 1 … count in an image; entry 0 stays empty. O(pixels). */
export function nucleusKinds(image: LabeledImage): ReadonlySet<NucleusKind>[] {
  const { umPerPx } = image;
  const contrasts = new Float64Array(image.count + 1);
  const shapes = measure(image);
  const reach = Math.round(ALONE_UM / umPerPx);
  for (let k = 1; k <= image.count; k++) {
    contrasts[k] = shapes[k].signal - groundAround(image, shapes[k], reach);
  }
  const sorted = contrasts.slice(1).sort();
  const median = sorted[sorted.length >> 1] ?? 0;
  return shapes.map((shape, k) => {
    const kinds = new Set<NucleusKind>();
    if (k === 0) return kinds;
    const area = shape.pixels * umPerPx ** 2;
    if (area < SMALL) kinds.add("small");
    if (area > LARGE) kinds.add("large");
    if (contrasts[k] < PALE * median) kinds.add("pale");
    if (shape.axisRatio > SLENDER) kinds.add("slender");
    const gap = gapToOthers(image, k, shape, reach) * umPerPx;
    if (gap <= CROWDED_UM) kinds.add("crowded");
    else if (gap > ALONE_UM) kinds.add("alone");
    return kinds;
  });
}

interface Shape {
  pixels: number;
  /** Mean nuclear signal. */
  signal: number;
  axisRatio: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function measure({ labels, count, width, stains }: LabeledImage): Shape[] {
  const shapes = Array.from({ length: count + 1 }, () => ({
    pixels: 0,
    signal: 0,
    axisRatio: 1,
    left: Infinity,
    right: -Infinity,
    top: Infinity,
    bottom: -Infinity,
    sums: { x: 0, y: 0, xx: 0, yy: 0, xy: 0 },
  }));
  for (let p = 0; p < labels.length; p++) {
    const shape = shapes[labels[p]];
    const x = p % width;
    const y = Math.floor(p / width);
    shape.pixels++;
    shape.signal += stains.signal[p];
    shape.left = Math.min(shape.left, x);
    shape.right = Math.max(shape.right, x);
    shape.top = Math.min(shape.top, y);
    shape.bottom = Math.max(shape.bottom, y);
    const { sums } = shape;
    sums.x += x;
    sums.y += y;
    sums.xx += x * x;
    sums.yy += y * y;
    sums.xy += x * y;
  }
  for (const shape of shapes) {
    const n = Math.max(1, shape.pixels);
    shape.signal /= n;
    const { x, y, xx, yy, xy } = shape.sums;
    // A pixel is not a point: its own variance is 1/12.
    const varianceX = xx / n - (x / n) ** 2 + 1 / 12;
    const varianceY = yy / n - (y / n) ** 2 + 1 / 12;
    const middle = (varianceX + varianceY) / 2;
    const apart = Math.hypot((varianceX - varianceY) / 2, xy / n - (x * y) / n ** 2);
    shape.axisRatio = Math.sqrt((middle + apart) / Math.max(middle - apart, 1e-6));
  }
  return shapes;
}

/** Mean nuclear signal of the background near a nucleus; 0 if there is no background. */
function groundAround(image: LabeledImage, shape: Shape, reach: number): number {
  let sum = 0;
  let pixels = 0;
  for (
    let y = Math.max(0, shape.top - reach);
    y <= Math.min(image.height - 1, shape.bottom + reach);
    y++
  ) {
    for (
      let x = Math.max(0, shape.left - reach);
      x <= Math.min(image.width - 1, shape.right + reach);
      x++
    ) {
      const p = y * image.width + x;
      if (image.labels[p] > 0) continue;
      sum += image.stains.signal[p];
      pixels++;
    }
  }
  return pixels > 0 ? sum / pixels : 0;
}

/** Pixels between a nucleus and the nearest other one; Infinity if none is within `reach`. */
function gapToOthers(image: LabeledImage, k: number, shape: Shape, reach: number): number {
  let nearest = Infinity;
  for (let y = shape.top; y <= shape.bottom; y++) {
    for (let x = shape.left; x <= shape.right; x++) {
      if (image.labels[y * image.width + x] !== k || !onRim(image, k, x, y)) continue;
      for (let v = Math.max(0, y - reach); v <= Math.min(image.height - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(image.width - 1, x + reach); u++) {
          const other = image.labels[v * image.width + u];
          if (other === 0 || other === k) continue;
          nearest = Math.min(nearest, Math.hypot(u - x, v - y) - 1);
        }
      }
    }
  }
  return nearest <= reach ? nearest : Infinity;
}

function onRim({ labels, width, height }: LabeledImage, k: number, x: number, y: number): boolean {
  const p = y * width + x;
  return (
    (x > 0 && labels[p - 1] !== k) ||
    (x < width - 1 && labels[p + 1] !== k) ||
    (y > 0 && labels[p - width] !== k) ||
    (y < height - 1 && labels[p + width] !== k)
  );
}
