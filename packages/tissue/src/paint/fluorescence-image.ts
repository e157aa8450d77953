import type { TissuePlan } from "../catalog/tissue-plan.ts";
import { Noise, smoothstep } from "../anatomy/noise.ts";
import { averageKind, lookOf, outlineRadius, type Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { TissueOptions } from "../options.ts";
import { blur } from "./blur.ts";
import { CellRows, eachCellPixel } from "./cell-pixels.ts";
import { ghostsOf, paintGhosts } from "./ghosts.ts";
import { noiseHash } from "../anatomy/noise-hash.ts";
import type { Raster } from "./raster.ts";

const STRIP_ROWS = 256;
const BLUR_UM = 0.5;
/** Camera counts of a bright nucleus, and the camera's dark level. */
const GAIN = 9000;
const OFFSET = 320;
/** Photons per unit of signal; sets the shot noise. */
const PHOTONS = 900;
/** Out-of-plane light in a difficult image: its spread (standard deviation, µm) and its share. */
const HAZE_UM = 4;
const HAZE = 0.2;
/** Strength of out-of-plane nuclei relative to their hematoxylin. */
const GHOSTS = 0.5;
/** Out-of-focus edge width relative to H&E: sections for fluorescence are thicker. */
const OUT_OF_FOCUS = 1.5;
/** False colors of the preview: DAPI blue, then green and red. */
const COLORS = [
  [0.15, 0.35, 1],
  [0.1, 1, 0.25],
  [1, 0.2, 0.15],
] as const;

/**
 * Renders the tissue under immunofluorescence: DAPI in the nuclei, the plan's antibodies in the cells that
 * carry them, background autofluorescence, uneven illumination, blur, and shot noise; 16 bits per channel.
 * O(pixels × channels).
 */
export function paintFluorescence(
  plan: TissuePlan,
  map: TissueMap,
  cells: Cells,
  options: TissueOptions,
  progress: (fraction: number) => void = () => undefined,
): Raster {
  const { umPerPx, seed, sizeUm, imageDifficulty } = options;
  const width = Math.round(sizeUm / umPerPx);
  const names = ["DAPI", ...plan.antibodies.map((antibody) => antibody.name)];
  const texture = new Noise(seed, 5);
  const paintGround = groundPainter(map, texture, options);
  const paintCell = cellPainter(plan, cells, texture, options);
  const rows = new CellRows(cells);
  const sigma = BLUR_UM / umPerPx;
  const hazeSigma = imageDifficulty > 0 ? HAZE_UM / umPerPx : 0;
  const halo = Math.ceil(2.5 * sigma) + Math.ceil(2.5 * hazeSigma);
  const ghosts = ghostsOf(map, options);
  const camera = new Camera(width, names.length, options);

  for (let top = 0; top < width; top += STRIP_ROWS) {
    const count = Math.min(STRIP_ROWS, width - top);
    const first = Math.max(0, top - halo);
    const last = Math.min(width, top + count + halo);
    const view = { top: first, rows: last - first, width };
    const planes = names.map(() => new Float32Array(view.rows * width));
    paintGround(planes, view);
    paintGhosts(ghosts, planes[0], view, umPerPx, GHOSTS);
    for (const cell of rows.near(first * umPerPx, last * umPerPx)) paintCell(planes, view, cell);
    blur(planes, width, view.rows, sigma);
    if (imageDifficulty > 0) {
      addHaze(planes[0], width, view.rows, hazeSigma, imageDifficulty * HAZE);
    }
    planes.forEach((plane, channel) => {
      camera.take(plane.subarray((top - first) * width), channel, top, count);
    });
    progress((top + count) / width);
  }
  const { preview, values } = camera;
  return { width, height: width, preview, channels: { names, values } };
}

/** A strip of the image, and one plane of light for each channel. */
type View = { top: number; rows: number; width: number };
type Planes = readonly Float32Array[];

/** The tissue without its cells: fibers and cytoplasm, which shine by themselves in a difficult image. */
function groundPainter(
  map: TissueMap,
  texture: Noise,
  { umPerPx, seed, imageDifficulty }: TissueOptions,
): (planes: Planes, view: View) => void {
  const slow = new Noise(seed, 60);
  return (planes, { top, rows, width }) => {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        const x = column * umPerPx;
        const y = (top + row) * umPerPx;
        const inside =
          smoothstep(-1, 2, map.tissue.at(x, y)) * (1 - smoothstep(-0.05, 0.1, map.lumen.at(x, y)));
        const ground = inside * (0.05 + 0.02 * texture.at(x / 6, y / 6));
        // Autofluorescence varies over the image.
        const own =
          imageDifficulty > 0
            ? inside *
              imageDifficulty *
              (0.04 +
                0.04 * slow.at(x / 60, y / 60) +
                0.02 * texture.at(map.fiber(x, y) / 2.2, y / 20))
            : 0;
        planes.forEach(
          (plane, channel) =>
            (plane[row * width + column] = ground * (channel === 0 ? 0.5 : 1) + own),
        );
      }
    }
  };
}

/** DAPI in a cell's nucleus, and the antibodies that its kind carries around it. */
function cellPainter(
  plan: TissuePlan,
  cells: Cells,
  texture: Noise,
  { umPerPx, imageDifficulty, morphologyInformative }: TissueOptions,
): (planes: Planes, view: View, cell: number) => void {
  const average = averageKind(plan.kinds);
  const looks = plan.kinds.map((kind) => lookOf(kind, average, morphologyInformative));
  const carried = plan.antibodies.map((antibody) => {
    const values = plan.kinds.map((kind) => antibody.kinds[kind.name] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => mean + (value - mean) * morphologyInformative);
  });
  return (planes, view, cell) => {
    const kind = cells.kind[cell];
    const look = looks[kind];
    const a = cells.major[cell];
    const b = cells.minor[cell];
    const grain = cells.grain[cell];
    const soft = OUT_OF_FOCUS * cells.softUm[cell];
    const empty = cells.emptiness[cell];
    const edge = (umPerPx + soft) / b;
    // Hematoxylin and DAPI both bind to DNA.
    const dna =
      0.25 * Math.max(0, 1 - imageDifficulty) +
      0.5 * cells.hematoxylin[cell] ** (1 + imageDifficulty);
    const around = look.cytoplasmUm + 0.6;
    eachCellPixel(cells, cell, view, umPerPx, Math.max(around, soft), (pixel, u, v) => {
      const angle = Math.atan2(v / b, u / a);
      const rho = Math.hypot(u / a, v / b) / outlineRadius(cells.outline, cell, angle);
      const nucleus = 1 - smoothstep(1 - edge, 1 + edge, rho);
      const clumps = texture.at(u / 1.4 + grain * 200, v / 1.4);
      const filled = 1 - 0.5 * empty * (1 - smoothstep(0.5, 0.95, rho));
      if (nucleus > 0) {
        planes[0][pixel] += nucleus * dna * (1 + look.chromatin * clumps) * filled;
      }
      const depth = Math.hypot(u / (a + around), v / (b + around));
      if (depth > 1.05) return;
      const body = (1 - smoothstep(0.9, 1.05, depth)) * (1 - nucleus);
      // Membrane proteins are brightest at the rim of the cell.
      const rim = 0.35 + 0.65 * smoothstep(0.6, 0.95, depth);
      carried.forEach((amounts, antibody) => {
        const amount = amounts[kind] * (0.6 + 0.8 * grain);
        planes[antibody + 1][pixel] += amount * body * rim * (1 + 0.25 * clumps);
      });
    });
  };
}

/** Takes strips of light as 16-bit channels with uneven illumination and shot noise, and a preview in false colors. */
class Camera {
  readonly values: Uint16Array;
  readonly preview: Uint8Array;
  readonly #width: number;
  readonly #channels: number;
  readonly #options: TissueOptions;
  readonly #light: Noise;

  constructor(width: number, channels: number, options: TissueOptions) {
    this.values = new Uint16Array(channels * width * width);
    this.preview = new Uint8Array(width * width * 3);
    this.#width = width;
    this.#channels = channels;
    this.#options = options;
    this.#light = new Noise(options.seed, 7);
  }

  /** Takes `count` rows from row `top` on. */
  take(plane: Float32Array, channel: number, top: number, count: number): void {
    const { umPerPx, seed, stainDrift, sizeUm, imageDifficulty } = this.#options;
    const width = this.#width;
    const photons = PHOTONS / (1 + 2 * imageDifficulty);
    for (let i = 0; i < count * width; i++) {
      const pixel = top * width + i;
      const x = (i % width) * umPerPx;
      const y = Math.floor(pixel / width) * umPerPx;
      const light = this.#light.at(x / (sizeUm / 1.7), y / (sizeUm / 1.7) + 9 * channel);
      const signal = Math.max(0, plane[i] * (1 + 0.3 * stainDrift * light));
      const random = noiseHash(pixel * this.#channels + channel + seed);
      const triangular = ((random & 255) + ((random >>> 8) & 255)) / 255 - 1;
      const noisy = signal + 2.45 * triangular * Math.sqrt((signal + 0.02) / photons);
      const counts = Math.min(65_535, Math.max(0, OFFSET + GAIN * noisy));
      this.values[channel * width * width + pixel] = counts;
      const shown = Math.min(1, Math.max(0, noisy));
      for (let color = 0; color < 3; color++) {
        const at = pixel * 3 + color;
        const sum = this.preview[at] + 255 * shown * COLORS[channel % 3][color];
        this.preview[at] = Math.min(255, sum);
      }
    }
  }
}

/** Spreads part of the light, as if from above and below the focal plane. */
function addHaze(
  plane: Float32Array,
  width: number,
  rows: number,
  sigma: number,
  share: number,
): void {
  const haze = plane.slice();
  blur([haze], width, rows, sigma);
  for (let i = 0; i < plane.length; i++) plane[i] = (1 - share) * plane[i] + share * haze[i];
}
