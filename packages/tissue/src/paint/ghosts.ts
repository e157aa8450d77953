import { Random } from "@stipple/numerics/random";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { TissueOptions } from "../options.ts";

/** A nucleus-sized object outside the focal plane: its haze is visible, its outline is not. Lengths in µm. */
export interface Ghost {
  x: number;
  y: number;
  /** Standard deviations along and across the fibers. */
  along: number;
  across: number;
  angle: number;
  strength: number;
}

const PER_MM2 = 900;

/**
 * Nuclei far above or below the focal plane, sorted from top to bottom of the image; none of them is in the
 * truth.
 */
export function ghostsOf(map: TissueMap, options: TissueOptions): Ghost[] {
  const { seed, sizeUm, imageDifficulty } = options;
  const random = new Random(seed + 51 * 2 ** 32);
  const ghosts: Ghost[] = [];
  const wanted = Math.round(PER_MM2 * imageDifficulty * (sizeUm / 1000) ** 2);
  for (let ghost = 0; ghost < wanted; ghost++) {
    const x = random.uniform() * sizeUm;
    const y = random.uniform() * sizeUm;
    const across = 1.4 + 1.4 * random.uniform();
    const along = across * (1 + random.uniform() ** 2);
    const strength = 0.15 + 0.45 * random.uniform();
    if (map.tissue.at(x, y) < 0 || map.lumen.at(x, y) > -0.1) continue;
    ghosts.push({ x, y, along, across, angle: map.fiberAngle(x, y), strength });
  }
  return ghosts.sort((a, b) => a.y - b.y);
}

/** Adds ghosts to a plane covering some rows of the image. O(ghosts + their pixels). */
export function paintGhosts(
  ghosts: readonly Ghost[],
  plane: Float32Array,
  view: { top: number; rows: number; width: number },
  umPerPx: number,
  factor = 1,
): void {
  for (const { x, y, along, across, angle, strength } of ghosts) {
    const reach = (2.5 * along) / umPerPx;
    const cx = x / umPerPx;
    const cy = y / umPerPx - view.top;
    if (cy < -reach || cy > view.rows + reach) continue;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const lastRow = Math.min(view.rows - 1, cy + reach);
    const lastColumn = Math.min(view.width - 1, cx + reach);
    for (let row = Math.max(0, Math.ceil(cy - reach)); row <= lastRow; row++) {
      for (let column = Math.max(0, Math.ceil(cx - reach)); column <= lastColumn; column++) {
        const dx = (column - cx) * umPerPx;
        const dy = (row - cy) * umPerPx;
        const u = (dx * cos + dy * sin) / along;
        const v = (dy * cos - dx * sin) / across;
        plane[row * view.width + column] += factor * strength * Math.exp(-(u * u + v * v) / 2);
      }
    }
  }
}
