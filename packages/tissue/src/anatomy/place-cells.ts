import { Random } from "@stipple/numerics/random";
import type { CellKind, TissuePlan } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import { cellDifficulty } from "./hard-cells.ts";
import type { TissueMap } from "./tissue-map.ts";

/** Added to the axes when a candidate nucleus is tested, px: neighbors may touch, as in real sections. */
const MARGIN_PX = 0.2;

const MAX_NUMBERS = 65_535;
/** Largest share of a nucleus that later ones may hide in a difficult image. */
const MAX_HIDDEN = 0.4;

/** One array per property, one element per cell; positions and lengths in µm. */
export interface Cells {
  count: number;
  x: Float64Array;
  y: Float64Array;
  kind: Uint8Array;
  domain: Uint8Array;
  /** Semi-axes of the nucleus. */
  major: Float32Array;
  minor: Float32Array;
  angle: Float32Array;
  /** Four numbers per cell: amplitudes and phases of the outline's second and third harmonics. */
  outline: Float32Array;
  /** Hematoxylin concentration of the nucleus. */
  hematoxylin: Float32Array;
  /** How empty the center of the nucleus is, beyond its kind's look, 0–1. */
  emptiness: Float32Array;
  /** Edge width of the nucleus beyond that of the optics, µm: how far it is out of focus. */
  softUm: Float32Array;
  /** Seed of the cell's texture, 0–1. */
  grain: Float32Array;
}

/** Radius of the outline at `angle`, relative to the ellipse. */
export function outlineRadius(outline: Float32Array, cell: number, angle: number): number {
  const at = cell * 4;
  return (
    1 +
    outline[at] * Math.cos(2 * angle + outline[at + 1]) +
    outline[at + 2] * Math.cos(3 * angle + outline[at + 3])
  );
}

/** Blends a kind's look with the average look; at 0 all kinds look alike. */
export function lookOf(kind: CellKind, average: CellKind, informative: number): CellKind {
  const look = { ...kind };
  for (const key of Object.keys(kind) as (keyof CellKind)[]) {
    const own = kind[key];
    const mean = average[key];
    if (typeof own === "number" && typeof mean === "number" && key !== "rna") {
      Object.assign(look, { [key]: mean + (own - mean) * informative });
    }
  }
  return look;
}

/** The kind whose numbers are the means over all kinds. */
export function averageKind(kinds: readonly CellKind[]): CellKind {
  const average = { ...kinds[0], name: "average", markers: "" };
  for (const key of Object.keys(average) as (keyof CellKind)[]) {
    if (typeof average[key] !== "number") continue;
    const sum = kinds.reduce((total, kind) => total + (kind[key] as number), 0);
    Object.assign(average, { [key]: sum / kinds.length });
  }
  return average;
}

function cumulative(frequencies: Record<string, number>, plan: TissuePlan): Float64Array {
  const sums = new Float64Array(plan.kinds.length);
  let total = 0;
  plan.kinds.forEach((kind, index) => {
    total += frequencies[kind.name] ?? 0;
    sums[index] = total;
  });
  return sums.map((value) => value / total);
}

function draw(sums: Float64Array, value: number): number {
  let index = 0;
  while (index < sums.length - 1 && value >= sums[index]) index++;
  return index;
}

/**
 * Places cells one at a time at random (blue noise): a candidate is rejected if more than a tenth of its
 * nucleus would overlap others (up to a third in clumps of a difficult image). O(candidates × nucleus pixels);
 * two bytes of memory per pixel.
 */
export function placeCells(plan: TissuePlan, map: TissueMap, options: TissueOptions): Cells {
  const { sizeUm, umPerPx, cellDensity, morphologyInformative, seed } = options;
  const random = new Random(seed + 2 * 2 ** 32);
  const difficulty = cellDifficulty(seed, options.imageDifficulty);
  const average = averageKind(plan.kinds);
  const looks = plan.kinds.map((kind) =>
    difficulty.look(lookOf(kind, average, morphologyInformative)),
  );
  const composition = plan.domains.map((domain) => cumulative(domain.composition, plan));
  const ring = plan.domains.map((domain) => cumulative(domain.ring ?? domain.composition, plan));
  const maxDensity = Math.max(...plan.domains.map((domain) => domain.density));
  const wanted = Math.round(cellDensity * (sizeUm / 1000) ** 2 * 0.9);
  const widthPx = Math.round(sizeUm / umPerPx);
  // Nucleus number of each pixel, 1 … 65,535, then starting over at 1, since only neighbors are compared.
  const taken = new Uint16Array(widthPx * widthPx);
  const hidden = options.imageDifficulty > 0 ? new HiddenShares(wanted) : null;
  const cells = noCells(wanted);
  const covered: number[] = [];
  for (let tries = 0; tries < wanted * 60 && cells.count < wanted; tries++) {
    const x = random.uniform() * sizeUm;
    const y = random.uniform() * sizeUm;
    const domain = map.domainAt(x, y);
    const lumen = map.lumen.at(x, y);
    const inRing = lumen > -1.1;
    const density = inRing ? 1.6 : plan.domains[domain].density;
    if (random.uniform() * maxDensity > density * difficulty.density(x, y)) continue;
    if (lumen > -0.12 || map.tissue.at(x, y) < 5) continue;
    const kind = draw((inRing ? ring : composition)[domain], random.uniform());
    const look = looks[kind];
    const nucleus = drawNucleus(look, map.fiberAngle(x, y), difficulty.elongationSpread, random);
    const [cx, cy] = [x / umPerPx, y / umPerPx];
    const axes = [nucleus.major / umPerPx, nucleus.minor / umPerPx] as const;
    const share = difficulty.overlap(x, y);
    if (!fits(taken, widthPx, [cx, cy], axes, nucleus.angle, share, covered)) continue;
    if (hidden && !hidden.cover(cells.count, covered, taken)) continue;
    const cell = cells.count++;
    for (const pixel of covered) taken[pixel] = (cell % MAX_NUMBERS) + 1;
    cells.x[cell] = x;
    cells.y[cell] = y;
    cells.kind[cell] = kind;
    cells.domain[cell] = domain;
    cells.major[cell] = nucleus.major;
    cells.minor[cell] = nucleus.minor;
    cells.angle[cell] = nucleus.angle;
    cells.outline.set(nucleus.outline, cell * 4);
    cells.hematoxylin[cell] =
      look.hematoxylin *
      Math.exp(look.hematoxylinCv * random.normal() - look.hematoxylinCv ** 2 / 2);
    cells.grain[cell] = random.uniform();
    const { stain, emptiness, softUm } = difficulty.visible(cell);
    cells.hematoxylin[cell] *= stain;
    cells.emptiness[cell] = emptiness;
    cells.softUm[cell] = softUm;
  }
  return trimmed(cells);
}

/** Room for cells. */
function noCells(wanted: number): Cells {
  return {
    count: 0,
    x: new Float64Array(wanted),
    y: new Float64Array(wanted),
    kind: new Uint8Array(wanted),
    domain: new Uint8Array(wanted),
    major: new Float32Array(wanted),
    minor: new Float32Array(wanted),
    angle: new Float32Array(wanted),
    outline: new Float32Array(wanted * 4),
    hematoxylin: new Float32Array(wanted),
    emptiness: new Float32Array(wanted),
    softUm: new Float32Array(wanted),
    grain: new Float32Array(wanted),
  };
}

/** A nucleus of a kind: semi-axes in µm, direction, and the outline's harmonics. Long ones follow the fibers. */
function drawNucleus(look: CellKind, fiberAngle: number, elongationSpread: number, random: Random) {
  const area = look.areaUm2 * Math.exp(look.areaCv * random.normal() - look.areaCv ** 2 / 2);
  const elongation = 1 + (look.elongation - 1) * Math.exp(elongationSpread * random.normal());
  const aligned = elongation > 1.5 ? 0.22 : 1.2;
  return {
    major: Math.sqrt((area * elongation) / Math.PI),
    minor: Math.sqrt(area / elongation / Math.PI),
    angle: fiberAngle + aligned * random.normal(),
    outline: [
      look.irregularity * random.normal() * 0.7,
      random.uniform() * 2 * Math.PI,
      look.irregularity * random.normal() * 0.7,
      random.uniform() * 2 * Math.PI,
    ],
  };
}

/** Tracks how much of each nucleus is hidden by later ones, so that none disappears. */
class HiddenShares {
  readonly #areas: Uint16Array;
  readonly #hidden: Uint16Array;

  constructor(most: number) {
    this.#areas = new Uint16Array(most);
    this.#hidden = new Uint16Array(most);
  }

  /** Places a nucleus over others, unless too much of one of those would be hidden. */
  cover(cell: number, covered: readonly number[], taken: Uint16Array): boolean {
    const lost = new Map<number, number>();
    for (const pixel of covered) {
      const number = taken[pixel];
      if (number === 0) continue;
      const round = Math.floor((cell - number) / MAX_NUMBERS);
      const other = number - 1 + Math.max(0, round) * MAX_NUMBERS;
      lost.set(other, (lost.get(other) ?? 0) + 1);
    }
    for (const [other, pixels] of lost) {
      if (this.#hidden[other] + pixels > MAX_HIDDEN * this.#areas[other]) return false;
    }
    for (const [other, pixels] of lost) this.#hidden[other] += pixels;
    this.#areas[cell] = covered.length;
    return true;
  }
}

/** Whether a nucleus (center and semi-axes in px) barely overlaps others; fills `covered` with its pixels. */
function fits(
  taken: Uint16Array,
  width: number,
  [cx, cy]: readonly [number, number],
  [major, minor]: readonly [number, number],
  angle: number,
  overlapShare: number,
  covered: number[],
): boolean {
  const reach = major + 1;
  if (cx < reach || cy < reach || cx > width - 1 - reach || cy > width - 1 - reach) return false;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const allowed = Math.PI * major * minor * overlapShare;
  let overlap = 0;
  covered.length = 0;
  for (let y = Math.ceil(cy - reach); y <= cy + reach; y++) {
    for (let x = Math.ceil(cx - reach); x <= cx + reach; x++) {
      const u = ((x - cx) * cos + (y - cy) * sin) / (major + MARGIN_PX);
      const v = ((y - cy) * cos - (x - cx) * sin) / (minor + MARGIN_PX);
      if (u * u + v * v > 1) continue;
      const pixel = y * width + x;
      if (taken[pixel] && ++overlap > allowed) return false;
      covered.push(pixel);
    }
  }
  return true;
}

function trimmed(cells: Cells): Cells {
  const { count } = cells;
  const result = { ...cells };
  for (const [key, value] of Object.entries(cells)) {
    if (typeof value === "number") continue;
    Object.assign(result, { [key]: value.slice(0, key === "outline" ? count * 4 : count) });
  }
  return result;
}
