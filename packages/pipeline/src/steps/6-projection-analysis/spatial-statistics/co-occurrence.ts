import { Random } from "@stipple/numerics/random";
import type { CoOccurrence, Maybe } from "@stipple/contract/statistical-facts";
import { pauses, type Work } from "./work.ts";
import { boxOf } from "@stipple/numerics/boxes";

export interface CoOccurrenceOptions extends Work {
  maxDistanceUm: number;
  stepUm: number;
  /** Maximum number of cell pairs to count; beyond it, the remaining centers (in random order) are skipped. */
  maxPairs: number;
}

/**
 * P(type i | type j within d) / P(type i within d) for distances d up to `maxDistanceUm`, cumulative as in
 * squidpy's `co_occurrence`. Every cell is a center, and its neighbors are found with a grid: O(pairs within
 * the distance). If there are more than `maxPairs`, centers are a seeded random sample and their partners are
 * all cells. `xy`: interleaved x, y, µm; `typeOf`: index into `types`.
 */
export async function coOccurrence(
  xy: Float64Array,
  typeOf: Int32Array,
  types: readonly string[],
  options: CoOccurrenceOptions,
): Promise<CoOccurrence> {
  const { maxDistanceUm, stepUm, maxPairs } = options;
  const n = typeOf.length;
  const k = types.length;
  const nSteps = Math.round(maxDistanceUm / stepUm);
  const grid = new Grid(xy, typeOf, maxDistanceUm / 5);
  const order = new Random(options.seed).order(n);
  const counts = new Float64Array(k * k * nSteps);
  const pause = pauses(options);
  let pairs = 0;
  let centers = 0;
  for (; centers < n && pairs < maxPairs; centers++) {
    const center = order[centers];
    pairs += grid.countAround(center, typeOf[center] * k * nSteps, maxDistanceUm, stepUm, counts);
    options.progress(Math.max(centers / n, pairs / maxPairs));
    await pause();
  }
  for (let pair = 0; pair < k * k; pair++) {
    for (let s = 1; s < nSteps; s++) counts[pair * nSteps + s] += counts[pair * nSteps + s - 1];
  }
  return {
    types: [...types],
    intervalUm: Array.from({ length: nSteps + 1 }, (_, s) => s * stepUm),
    occ: ratios(counts, k, nSteps),
    centers,
    pairs,
  };
}

/** counts: [center's type][partner's type][step], cumulative. */
function ratios(counts: Float64Array, k: number, nSteps: number): Maybe[][][] {
  const at = (a: number, b: number, s: number): number => counts[(a * k + b) * nSteps + s];
  const types = Array.from({ length: k }, (_, type) => type);
  const steps = Array.from({ length: nSteps }, (_, s) => s);
  const centerTotal = types.map((a) =>
    steps.map((s) => types.reduce((sum, b) => sum + at(a, b, s), 0)),
  );
  const partnerTotal = types.map((b) =>
    steps.map((s) => types.reduce((sum, a) => sum + at(a, b, s), 0)),
  );
  const total = steps.map((s) => centerTotal.reduce((sum, row) => sum + row[s], 0));
  return types.map((i) =>
    types.map((j) =>
      steps.map((s) => {
        const expected = partnerTotal[i][s] / total[s];
        return centerTotal[j][s] > 0 && expected > 0
          ? at(j, i, s) / centerTotal[j][s] / expected
          : null;
      }),
    ),
  );
}

/** Cells sorted by grid square, row by row, so that cells of neighboring squares in a row are contiguous. */
class Grid {
  readonly #side: number;
  readonly #left: number;
  readonly #top: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #starts: Uint32Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #type: Uint16Array;
  readonly #place: Uint32Array;

  constructor(xy: Float64Array, typeOf: Int32Array, side: number) {
    const n = typeOf.length;
    const { left, right, top, bottom } = boxOf(xy);
    this.#side = side;
    this.#left = left;
    this.#top = top;
    this.#columns = Math.floor((right - left) / side) + 1;
    this.#rows = Math.floor((bottom - top) / side) + 1;
    this.#starts = new Uint32Array(this.#columns * this.#rows + 1);
    const square = (i: number): number =>
      Math.floor((xy[2 * i + 1] - top) / side) * this.#columns +
      Math.floor((xy[2 * i] - left) / side);
    for (let i = 0; i < n; i++) this.#starts[square(i) + 1] += 1;
    for (let s = 1; s < this.#starts.length; s++) this.#starts[s] += this.#starts[s - 1];
    const next = this.#starts.slice();
    this.#x = new Float64Array(n);
    this.#y = new Float64Array(n);
    this.#type = new Uint16Array(n);
    this.#place = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const at = next[square(i)]++;
      this.#x[at] = xy[2 * i];
      this.#y[at] = xy[2 * i + 1];
      this.#type[at] = typeOf[i];
      this.#place[i] = at;
    }
  }

  /** Adds the partners of a cell to counts[base + type · steps + step]; returns their number. */
  countAround(
    cell: number,
    base: number,
    radius: number,
    step: number,
    counts: Float64Array,
  ): number {
    const self = this.#place[cell];
    const [x, y] = [this.#x[self], this.#y[self]];
    const nSteps = Math.round(radius / step);
    const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
    const column = (value: number): number =>
      clamp(Math.floor((value - this.#left) / this.#side), this.#columns - 1);
    const row = (value: number): number =>
      clamp(Math.floor((value - this.#top) / this.#side), this.#rows - 1);
    let found = 0;
    for (let r = row(y - radius); r <= row(y + radius); r++) {
      const from = this.#starts[r * this.#columns + column(x - radius)];
      const to = this.#starts[r * this.#columns + column(x + radius) + 1];
      for (let at = from; at < to; at++) {
        const distance = Math.sqrt((this.#x[at] - x) ** 2 + (this.#y[at] - y) ** 2);
        if (distance > radius || at === self) continue;
        counts[base + this.#type[at] * nSteps + Math.max(0, Math.ceil(distance / step) - 1)] += 1;
        found += 1;
      }
    }
    return found;
  }
}
