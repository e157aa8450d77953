import { Random } from "@stipple/numerics/random";
import type { CellKind, Domain, TissuePlan } from "../catalog/tissue-plan.ts";
import { Noise, smoothstep } from "../anatomy/noise.ts";
import { CellRows, eachCellPixel } from "./cell-pixels.ts";
import { averageKind, lookOf, outlineRadius, type Cells } from "../anatomy/place-cells.ts";
import type { GridField, TissueMap } from "../anatomy/tissue-map.ts";
import type { TissueOptions } from "../options.ts";
import { ghostsOf, paintGhosts, type Ghost } from "./ghosts.ts";
import { HeClutter } from "./he-clutter.ts";

/** Debris specks in a clean image, and additional ones in a difficult image. */
const DEBRIS_PER_MM2 = 150;
const MORE_DEBRIS_PER_MM2 = 350;

/** Stain concentrations for some rows of the image; element (row, column) is [row * width + column]. */
export interface Strip {
  width: number;
  /** First image row of the strip. */
  top: number;
  rows: number;
  hematoxylin: Float32Array;
  eosin: Float32Array;
  /** Hemoglobin of red blood cells. */
  blood: Float32Array;
}

/** The look of the domains as fields with smooth transitions. */
interface Ground {
  eosin: GridField;
  fibers: GridField;
  clefts: GridField;
}

/** Paints stain concentrations in strips, so memory does not grow with the image. */
export class HePainter {
  readonly #map: TissueMap;
  readonly #cells: Cells;
  readonly #options: TissueOptions;
  readonly #looks: readonly CellKind[];
  readonly #ground: Ground;
  readonly #coarse: Noise;
  readonly #fine: Noise;
  readonly #clutter: HeClutter;
  readonly #ghosts: readonly Ghost[];
  readonly #rows: CellRows;
  readonly #endothelial: number;

  constructor(plan: TissuePlan, map: TissueMap, cells: Cells, options: TissueOptions) {
    this.#map = map;
    this.#cells = cells;
    this.#options = options;
    const average = averageKind(plan.kinds);
    this.#looks = plan.kinds.map((kind) => lookOf(kind, average, options.morphologyInformative));
    const field = (pick: (domain: Domain) => number): GridField => {
      const average =
        plan.domains.reduce((sum, domain) => sum + pick(domain), 0) / plan.domains.length;
      const informative = options.morphologyInformative;
      return map.smooth((index) => average + (pick(plan.domains[index]) - average) * informative);
    };
    this.#ground = {
      eosin: field((domain) => domain.eosin),
      fibers: field((domain) => domain.fibers),
      clefts: field((domain) => domain.clefts),
    };
    this.#coarse = new Noise(options.seed, 4);
    this.#fine = new Noise(options.seed, 5);
    this.#clutter = new HeClutter(options.seed, options.imageDifficulty);
    this.#ghosts = ghostsOf(map, options);
    this.#rows = new CellRows(cells);
    this.#endothelial = plan.kinds.findIndex((kind) => kind.name === "Endothelial");
  }

  /** Rows top … top + rows − 1. O(pixels + cells of the strip). */
  paint(top: number, rows: number, width: number): Strip {
    const size = rows * width;
    const strip: Strip = {
      width,
      top,
      rows,
      hematoxylin: new Float32Array(size),
      eosin: new Float32Array(size),
      blood: new Float32Array(size),
    };
    const { umPerPx } = this.#options;
    const near = this.#rows.near(top * umPerPx, (top + rows) * umPerPx);
    const bodies = this.#paintBodies(strip, near);
    this.#paintGround(strip, bodies);
    paintGhosts(this.#ghosts, strip.hematoxylin, strip, umPerPx);
    this.#paintNuclei(strip, near);
    this.#paintVessels(strip, near);
    this.#paintDebris(strip);
    this.#applyDrift(strip);
    return strip;
  }

  /**
   * For each pixel: the cell whose body contains it, how deep it is (0 center … 1 rim), and how near the next
   * cell is.
   */
  #paintBodies(
    strip: Strip,
    near: readonly number[],
  ): { owner: Int32Array; depth: Float32Array; second: Float32Array } {
    const size = strip.rows * strip.width;
    const owner = new Int32Array(size).fill(-1);
    const depth = new Float32Array(size).fill(9);
    const second = new Float32Array(size).fill(9);
    const { umPerPx } = this.#options;
    const cells = this.#cells;
    for (const cell of near) {
      const around = this.#looks[cells.kind[cell]].cytoplasmUm;
      eachCellPixel(cells, cell, strip, umPerPx, around + 1.5, (pixel, u, v) => {
        const a = cells.major[cell] + around;
        const b = cells.minor[cell] + around;
        const d = Math.sqrt((u * u) / (a * a) + (v * v) / (b * b));
        if (d < depth[pixel]) {
          second[pixel] = depth[pixel]!;
          depth[pixel] = d;
          owner[pixel] = cell;
        } else if (d < second[pixel]) {
          second[pixel] = d;
        }
      });
    }
    return { owner, depth, second };
  }

  /** Extracellular matrix, lumens, and cytoplasm. */
  #paintGround(
    strip: Strip,
    bodies: { owner: Int32Array; depth: Float32Array; second: Float32Array },
  ): void {
    const { umPerPx, imageDifficulty } = this.#options;
    const { tissue, lumen: lumens } = this.#map;
    const clutter = this.#clutter;
    const ground = this.#ground;
    const coarse = this.#coarse;
    const fine = this.#fine;
    for (let row = 0; row < strip.rows; row++) {
      const y = (strip.top + row) * umPerPx;
      for (let column = 0; column < strip.width; column++) {
        const pixel = row * strip.width + column;
        const x = column * umPerPx;
        const inside = smoothstep(-1, 2, tissue.at(x, y));
        const grain = fine.at(x / 1.6, y / 1.6);
        if (inside === 0) {
          strip.eosin[pixel] = 0.012 + 0.004 * grain;
          continue;
        }
        const fibers = ground.fibers.at(x, y);
        const clefts = ground.clefts.at(x, y);
        const level = this.#map.fiber(x, y);
        const patch = coarse.at(x / 21, y / 21);
        const wave = coarse.at(level / 4.6, 0.13 * (x - y) * 0.25);
        const thin = fine.at(level / 1.5, 0.05 * (x + y));
        let eosin =
          ground.eosin.at(x, y) *
          (1 + 0.22 * patch + fibers * (0.34 * wave + 0.2 * thin) + 0.1 * grain);
        let hematoxylin = 0.05 + 0.03 * patch + 0.02 * grain;
        if (imageDifficulty > 0) {
          eosin *= clutter.eosin(x, y);
          hematoxylin += clutter.matrix(x, y, level, fibers);
        }
        const open = wave + 0.5 * patch + 0.1 * grain;
        const gap = smoothstep(1.1 - 1.35 * clefts, 1.6 - 1.35 * clefts, open);
        eosin *= 1 - 0.9 * gap;
        hematoxylin *= 1 - 0.8 * gap;
        const lumen = smoothstep(-0.05, 0.1, lumens.at(x, y));
        if (lumen > 0) {
          eosin = eosin * (1 - lumen) + lumen * (0.03 + 0.05 * Math.max(0, patch - 0.2));
          hematoxylin = hematoxylin * (1 - lumen) + lumen * (0.01 + 0.05 * Math.max(0, patch));
        }
        const cell = bodies.owner[pixel];
        if (cell >= 0) {
          const look = this.#looks[this.#cells.kind[cell]];
          const depth = bodies.depth[pixel] + 0.1 * coarse.at(x / 4 + cell, y / 4);
          const body = 1 - smoothstep(0.86, 1.06, depth);
          const foam = 1 + 0.25 * coarse.at(x / 3.1, y / 3.1) + 0.2 * grain;
          const touch = bodies.second[pixel] - bodies.depth[pixel];
          // Where bodies meet, neighboring cells are separated by a thin pale line.
          const seam = touch < 0.16 && bodies.second[pixel] < 1.05 ? 0.45 * (1 - touch / 0.16) : 0;
          const own = this.#cells.grain[cell] - 0.5;
          eosin += body * (look.cytoplasmEosin * foam * (1 + 0.3 * own) * (1 - seam) - eosin);
          const purple = imageDifficulty > 0 ? clutter.cytoplasm(x, y) : 0;
          hematoxylin +=
            body * ((look.cytoplasmHematoxylin + purple) * foam * (1 - seam) + 0.03 - hematoxylin);
        }
        strip.eosin[pixel] = Math.max(0, eosin * inside);
        strip.hematoxylin[pixel] = Math.max(0, hematoxylin * inside);
      }
    }
  }

  #paintNuclei(strip: Strip, near: readonly number[]): void {
    const { umPerPx, imageDifficulty } = this.#options;
    // A section is thicker than a nucleus, so cytoplasm above and below the nucleus shows through.
    const through = 0.25 + 0.35 * imageDifficulty;
    const clutter = this.#clutter;
    const cells = this.#cells;
    const fine = this.#fine;
    const clumps = this.#coarse;
    for (const cell of near) {
      const look = this.#looks[cells.kind[cell]];
      const a = cells.major[cell];
      const b = cells.minor[cell];
      const grain = cells.grain[cell];
      // Some nuclei are cut by the section surface: paler and with soft edges.
      const place = (grain * 7.31) % 1;
      const cut = place > 0.84 ? (place - 0.84) / 0.16 : 0;
      const base = cells.hematoxylin[cell] * (1 - 0.5 * cut);
      const count = Math.floor(look.nucleoli + grain);
      const soft = cells.softUm[cell];
      const empty = cells.emptiness[cell];
      const edge = (umPerPx * (1 + 2 * cut) + soft) / b;
      eachCellPixel(cells, cell, strip, umPerPx, 1 + soft, (pixel, u, v) => {
        const angle = Math.atan2(v / b, u / a);
        const rho = Math.hypot(u / a, v / b) / outlineRadius(cells.outline, cell, angle);
        if (rho > 1 + edge) return;
        const cover = 1 - smoothstep(1 - edge, 1 + edge * 0.8, rho);
        const texture =
          0.65 * clumps.at(u / 1.5 + grain * 200, v / 1.5) +
          0.5 * fine.at(u / 0.8, v / 0.8 + grain * 90);
        let stain = base * (1 + look.chromatin * texture + clutter.chromatin(u, v, grain));
        stain *= 1 - look.vesicular * 0.75 * (1 - smoothstep(0.45, 0.95, rho));
        stain *= 1 + (0.14 + 0.28 * look.vesicular) * smoothstep(0.72, 0.95, rho);
        stain *= 1 - 0.6 * empty * (1 - smoothstep(0.6, 0.95, rho));
        for (let nucleolus = 0; nucleolus < count; nucleolus++) {
          const turn = grain * 37 + nucleolus * 2.3;
          const distance = Math.hypot(u - 0.38 * a * Math.cos(turn), v - 0.38 * b * Math.sin(turn));
          stain += 0.75 * base * (1 - smoothstep(0.55, 1.15, distance));
        }
        // Where nuclei overlap, light passes through both.
        const below = strip.hematoxylin[pixel];
        const painted =
          below > 0.5 ? Math.max(below, stain) + 0.25 * Math.min(below, stain) : stain;
        strip.hematoxylin[pixel] = below * (1 - cover) + cover * Math.max(0.1, painted);
        strip.eosin[pixel] =
          strip.eosin[pixel] * (1 - cover) + cover * (0.1 + through * strip.eosin[pixel]);
      });
    }
  }

  /** Some endothelial nuclei have a small vessel next to them: a pale channel with red blood cells. */
  #paintVessels(strip: Strip, near: readonly number[]): void {
    if (this.#options.morphologyInformative < 0.5) return;
    const cells = this.#cells;
    const { umPerPx } = this.#options;
    for (const cell of near) {
      if (cells.kind[cell] !== this.#endothelial || cells.grain[cell] > 0.4) continue;
      const grain = cells.grain[cell];
      const offset = cells.minor[cell] + 3.1;
      const half = 6 + 22 * grain;
      eachCellPixel(cells, cell, strip, umPerPx, 20, (pixel, u, v) => {
        const d = Math.hypot(u / half, (v - offset) / 2.9);
        const cover = 1 - smoothstep(0.82, 1.05, d);
        if (cover <= 0 || strip.hematoxylin[pixel] > 0.5) return;
        const place = u / 5.2 + grain * 50;
        const along = (place - Math.floor(place) - 0.5) * 5.2;
        const present = (Math.floor(place) * 7919 + cell) % 3 > 0 ? 1 : 0;
        const disc = Math.hypot(along, v - offset) / 2.4;
        const red =
          present * (1 - smoothstep(0.8, 1.1, disc)) * (0.75 + 0.25 * smoothstep(0, 0.7, disc));
        strip.eosin[pixel] = strip.eosin[pixel] * (1 - cover) + cover * 0.04;
        strip.hematoxylin[pixel] = strip.hematoxylin[pixel] * (1 - cover);
        strip.blood[pixel] = cover * red * 0.85;
      });
    }
  }

  /** Dark specks that are not cells: apoptotic bodies, pigment, dirt. */
  #paintDebris(strip: Strip): void {
    const { umPerPx, sizeUm, seed, imageDifficulty } = this.#options;
    const random = new Random(seed + 50 * 2 ** 32);
    const perMm2 = DEBRIS_PER_MM2 + MORE_DEBRIS_PER_MM2 * imageDifficulty;
    const specks = Math.round(perMm2 * (sizeUm / 1000) ** 2);
    for (let speck = 0; speck < specks; speck++) {
      const x = random.uniform() * sizeUm;
      const y = random.uniform() * sizeUm;
      const radius = 0.5 + (1.1 + 0.8 * imageDifficulty) * random.uniform() ** 2;
      const strength = 0.5 + 1.2 * random.uniform();
      const cx = x / umPerPx;
      const cy = y / umPerPx - strip.top;
      const reach = (radius * 1.4) / umPerPx;
      if (cy < -reach || cy > strip.rows + reach || this.#map.tissue.at(x, y) < 0) continue;
      for (
        let row = Math.max(0, Math.ceil(cy - reach));
        row <= Math.min(strip.rows - 1, cy + reach);
        row++
      ) {
        for (
          let column = Math.max(0, Math.ceil(cx - reach));
          column <= Math.min(strip.width - 1, cx + reach);
          column++
        ) {
          const d = (Math.hypot(column - cx, row - cy) * umPerPx) / radius;
          strip.hematoxylin[row * strip.width + column] += strength * (1 - smoothstep(0.6, 1.3, d));
        }
      }
    }
  }

  #applyDrift(strip: Strip): void {
    const { umPerPx, stainDrift, sizeUm } = this.#options;
    if (stainDrift === 0) return;
    const scale = sizeUm / 1.7;
    for (let row = 0; row < strip.rows; row++) {
      const y = ((strip.top + row) * umPerPx) / scale;
      for (let column = 0; column < strip.width; column++) {
        const x = (column * umPerPx) / scale;
        const pixel = row * strip.width + column;
        strip.hematoxylin[pixel] *= 1 + 0.22 * stainDrift * this.#coarse.at(x + 50.3, y + 8.2);
        strip.eosin[pixel] *= 1 + 0.3 * stainDrift * this.#fine.at(x + 3.7, y + 71.4);
      }
    }
  }
}
