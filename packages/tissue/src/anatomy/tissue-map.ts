import type { TissuePlan } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { Noise } from "./noise.ts";

/** Side length of a grid cell of the domain map, µm. */
const GRID_UM = 4;
/** Length scale of the domains, µm. */
const DOMAIN_UM = 190;

/** Smooth values on a square lattice, with bilinear interpolation. */
export class GridField {
  readonly values: Float32Array;
  readonly side: number;
  readonly stepUm: number;

  constructor(values: Float32Array, side: number, stepUm: number) {
    this.values = values;
    this.side = side;
    this.stepUm = stepUm;
  }

  static from(side: number, stepUm: number, value: (x: number, y: number) => number): GridField {
    const values = new Float32Array(side * side);
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        values[row * side + column] = value(column * stepUm, row * stepUm);
      }
    }
    return new GridField(values, side, stepUm);
  }

  /** Box mean over 2 × radius + 1 lattice points per side, applied twice. O(points × radius). */
  blurred(radius: number): GridField {
    const pass = (source: Float32Array, step: number, line: number): Float32Array => {
      const { side } = this;
      const result = new Float32Array(source.length);
      for (let i = 0; i < side; i++) {
        for (let j = 0; j < side; j++) {
          let sum = 0;
          for (let k = -radius; k <= radius; k++) {
            sum += source[i * line + Math.min(side - 1, Math.max(0, j + k)) * step];
          }
          result[i * line + j * step] = sum / (2 * radius + 1);
        }
      }
      return result;
    };
    let values = this.values;
    for (let round = 0; round < 2; round++) {
      values = pass(pass(values, 1, this.side), this.side, 1);
    }
    return new GridField(values, this.side, this.stepUm);
  }

  at(x: number, y: number): number {
    const { side, values } = this;
    const gx = Math.min(side - 1.001, Math.max(0, x / this.stepUm));
    const gy = Math.min(side - 1.001, Math.max(0, y / this.stepUm));
    const column = Math.floor(gx);
    const row = Math.floor(gy);
    const fx = gx - column;
    const fy = gy - row;
    const at = row * side + column;
    const upper = values[at] + (values[at + 1] - values[at]) * fx;
    const lower = values[at + side] + (values[at + side + 1] - values[at + side]) * fx;
    return upper + (lower - upper) * fy;
  }
}

/**
 * Positions of tissue, domains, lumens, and fibers. All positions are in µm from the upper left corner of the
 * image.
 */
export interface TissueMap {
  domainAt(x: number, y: number): number;
  /** A per-domain value as a field with smooth transitions between domains. */
  smooth(pick: (domain: number) => number): GridField;
  /** Positive inside the tissue: roughly the distance to its edge in µm. */
  tissue: GridField;
  /** > 0 inside a lumen; −1…0 in the ring of cells around it; lower elsewhere. */
  lumen: GridField;
  /** Function whose level lines are the fibers, µm. */
  fiber(x: number, y: number): number;
  /** Direction of the fibers, radians. */
  fiberAngle(x: number, y: number): number;
}

/** Lays out the tissue: each point belongs to the domain whose random field is highest there. O(area). */
export function mapTissue(plan: TissuePlan, options: TissueOptions): TissueMap {
  const { seed, sizeUm } = options;
  const side = Math.ceil(sizeUm / GRID_UM) + 2;
  const fields = plan.domains.map((_domain, index) => new Noise(seed, 10 + index));
  const edge = new Noise(seed, 1);
  const lumenNoise = new Noise(seed, 2);
  const warp = new Noise(seed, 3);
  const slant = edge.at(0.5, 0.5) * Math.PI;
  const cos = Math.cos(slant);
  const sin = Math.sin(slant);

  const domains = GridField.from(side, GRID_UM, (x, y) => {
    let best = -Infinity;
    let winner = 0;
    fields.forEach((field, index) => {
      const value = field.fractal(x / DOMAIN_UM, y / DOMAIN_UM, 3) + plan.domains[index].bias;
      if (value > best) {
        best = value;
        winner = index;
      }
    });
    return winner;
  });
  const smooth = (pick: (domain: number) => number): GridField =>
    new GridField(domains.values.map(pick), side, GRID_UM).blurred(2);
  const withLumens = smooth((index) => (plan.domains[index].lumens ? 1 : 0));
  const fiber = (x: number, y: number): number =>
    x * cos + y * sin + 95 * warp.fractal(x / 230, y / 230, 2) + 5 * warp.at(x / 28, y / 28);
  return {
    domainAt: (x, y) => {
      const column = Math.min(side - 1, Math.max(0, Math.round(x / GRID_UM)));
      const row = Math.min(side - 1, Math.max(0, Math.round(y / GRID_UM)));
      return domains.values[row * side + column];
    },
    smooth,
    tissue: GridField.from(side, GRID_UM, (x, y) => {
      const ragged = 34 * edge.fractal(x / 110, y / 110, 3);
      const border = Math.min(x, y, sizeUm - x, sizeUm - y) - 42 + ragged;
      const corner = (x + sizeUm - y) * Math.SQRT1_2 - 0.2 * sizeUm + 2 * ragged;
      return Math.min(border, corner);
    }),
    lumen: GridField.from(side, GRID_UM, (x, y) => {
      const noise = lumenNoise.fractal(x / 62, y / 62, 3) * 0.8;
      // Lumens close toward the border of their domain.
      return (noise - 0.42) * 4 - 5 * (1 - withLumens.at(x, y));
    }),
    fiber,
    fiberAngle: (x, y) => {
      const gx = fiber(x + 2, y) - fiber(x - 2, y);
      const gy = fiber(x, y + 2) - fiber(x, y - 2);
      return Math.atan2(gx, -gy);
    },
  };
}
