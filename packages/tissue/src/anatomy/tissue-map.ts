import type { TissuePlan } from "../catalogue/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { Noise } from "./noise.ts";

/** Side of a cell of the domain map, µm. */
const GRID_UM = 4;
/** Length over which domains change, µm. */
const DOMAIN_UM = 190;

/** Where tissue, domains, lumens and fibres are. All positions in µm from the image's upper left corner. */
export interface TissueMap {
  gridUm: number;
  side: number;
  /** Index of the domain at each grid point, row-major. */
  domain: Uint8Array;
  domainAt(x: number, y: number): number;
  /** Positive inside the tissue, µm-like. */
  tissue(x: number, y: number): number;
  /** > 0 inside a lumen; −1…0 in the ring of cells around it; lower elsewhere. */
  lumen(x: number, y: number): number;
  /** Function whose level lines are the fibres, µm. */
  fibre(x: number, y: number): number;
  /** Direction of the fibres, radians. */
  fibreAngle(x: number, y: number): number;
}

/** Lays out the tissue: domains are where their own random field is the highest. O(area). */
export function mapTissue(plan: TissuePlan, options: TissueOptions): TissueMap {
  const { seed, sizeUm } = options;
  const side = Math.ceil(sizeUm / GRID_UM) + 1;
  const fields = plan.domains.map((_domain, index) => new Noise(seed, 10 + index));
  const edge = new Noise(seed, 1);
  const lumenNoise = new Noise(seed, 2);
  const warp = new Noise(seed, 3);
  const slant = edge.at(0.5, 0.5) * Math.PI;
  const cos = Math.cos(slant);
  const sin = Math.sin(slant);

  const tissue = (x: number, y: number): number => {
    const ragged = 34 * edge.fractal(x / 110, y / 110, 3);
    const border = Math.min(x, y, sizeUm - x, sizeUm - y) - 42 + ragged;
    const corner = (x + sizeUm - y) * Math.SQRT1_2 - 0.2 * sizeUm + 2 * ragged;
    return Math.min(border, corner);
  };
  const fibre = (x: number, y: number): number =>
    x * cos + y * sin + 95 * warp.fractal(x / 230, y / 230, 2) + 5 * warp.at(x / 28, y / 28);
  const domain = new Uint8Array(side * side);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      let best = -Infinity;
      fields.forEach((field, index) => {
        const x = (column * GRID_UM) / DOMAIN_UM;
        const y = (row * GRID_UM) / DOMAIN_UM;
        const value = field.fractal(x, y, 3) + plan.domains[index]!.bias;
        if (value > best) {
          best = value;
          domain[row * side + column] = index;
        }
      });
    }
  }
  const domainAt = (x: number, y: number): number => {
    const column = Math.min(side - 1, Math.max(0, Math.round(x / GRID_UM)));
    const row = Math.min(side - 1, Math.max(0, Math.round(y / GRID_UM)));
    return domain[row * side + column]!;
  };
  return {
    gridUm: GRID_UM,
    side,
    domain,
    domainAt,
    tissue,
    lumen: (x, y) => {
      if (!plan.domains[domainAt(x, y)]!.lumens) return -Infinity;
      return (lumenNoise.at(x / 62, y / 62) + 0.12 * lumenNoise.at(x / 15, y / 15) - 0.42) * 4;
    },
    fibre,
    fibreAngle: (x, y) => {
      const gx = fibre(x + 2, y) - fibre(x - 2, y);
      const gy = fibre(x, y + 2) - fibre(x, y - 2);
      return Math.atan2(gx, -gy);
    },
  };
}
