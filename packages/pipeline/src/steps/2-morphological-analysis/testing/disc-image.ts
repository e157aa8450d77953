import sharp from "sharp";
import type { StainModel } from "../../../facts.ts";
import { Random } from "@stipple/numerics/random";

export interface Disc {
  x: number;
  y: number;
  radius: number;
}

export const PURPLE_AND_PINK: StainModel = {
  background: [245, 245, 245],
  hematoxylin: [0.65, 0.7, 0.29],
  eosin: [0.07, 0.99, 0.11],
  maxHematoxylin: 1.2,
  maxEosin: 0.8,
  source: "standard",
};

/** Writes a test image of purple discs with soft edges on an uneven pink background. Lengths in px. */
export async function writeDiscImage(
  path: string,
  width: number,
  height: number,
  discs: readonly Disc[],
): Promise<void> {
  const stain = PURPLE_AND_PINK;
  const nuclear = new Float32Array(width * height);
  for (const { x, y, radius } of discs) {
    for (let v = Math.floor(y - radius - 2); v <= y + radius + 2; v++) {
      for (let u = Math.floor(x - radius - 2); u <= x + radius + 2; u++) {
        if (u < 0 || v < 0 || u >= width || v >= height) continue;
        const rim = radius - Math.hypot(u + 0.5 - x, v + 0.5 - y);
        const strength = Math.min(1, Math.max(0, rim / 2 + 0.5));
        nuclear[v * width + u] = Math.max(nuclear[v * width + u], strength);
      }
    }
  }
  const random = new Random(5);
  const rgb = new Uint8Array(3 * width * height);
  for (let p = 0; p < nuclear.length; p++) {
    const h = 0.08 + 0.9 * nuclear[p] + 0.03 * random.normal();
    const e = 0.35 + 0.1 * Math.sin(p / 900) + 0.03 * random.normal();
    for (let c = 0; c < 3; c++) {
      const density = Math.max(0, h) * stain.hematoxylin[c] + Math.max(0, e) * stain.eosin[c];
      rgb[3 * p + c] = Math.round((stain.background[c] + 1) * Math.exp(-density) - 1);
    }
  }
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(path);
}

/** Discs on a jittered lattice; every fifth touches another. */
export function scatteredDiscs(width: number, height: number, spacing: number): Disc[] {
  const random = new Random(9);
  const discs: Disc[] = [];
  for (let y = spacing / 2; y < height - spacing / 3; y += spacing) {
    for (let x = spacing / 2; x < width - spacing / 3; x += spacing) {
      const radius = 6 + 2 * random.uniform();
      const cx = x + 4 * (random.uniform() - 0.5);
      const cy = y + 4 * (random.uniform() - 0.5);
      discs.push({ x: cx, y: cy, radius });
      if (discs.length % 5 === 0) {
        const angle = 2 * Math.PI * random.uniform();
        discs.push({
          x: cx + 1.75 * radius * Math.cos(angle),
          y: cy + 1.75 * radius * Math.sin(angle),
          radius,
        });
      }
    }
  }
  return discs;
}
