import { STEP_NUMBERS, type StepNumber } from "@stipple/contract";
import type { RunSize } from "../../../apps/server/src/runs/estimate/run-size.ts";
import {
  workOf,
  type ToldShares,
  type Work,
} from "../../../apps/server/src/runs/estimate/step-seconds.ts";
import { toReference } from "./reference-speed.ts";
import type { Measured, Measurements } from "./report.ts";

/** File from which the server reads the expected costs of its steps. */
export const STEP_COSTS_JSON = new URL(
  "../../../apps/server/src/runs/estimate/step-costs.json",
  import.meta.url,
);

/** Work that each step's time scales with, in addition to a fixed cost per sample. */
const GROWS_WITH: Record<StepNumber, (keyof Work)[]> = {
  0: ["mbOfCounts"],
  1: ["megapixels"],
  2: ["areaMm2", "firstMm2"],
  3: ["thousandCells"],
  4: ["thousandCells", "millionRates"],
  5: ["thousandCells", "millionRates"],
  6: ["thousandCells", "millionRates"],
  7: ["thousandCells", "millionRates"],
};
/** On other platforms, steps do different work per cell. */
const FITTED = ["sample", "spots-24", "visium-quarter"];

/** A measured sample's size, including what its steps found. */
function runSizeOf({ sample }: Measured): RunSize {
  return {
    counts: sample.countsBytes / 1e6,
    image: sample.imageBytes / 1e6,
    fineBins: 0,
    genes: sample.genes,
    megapixels: sample.megapixels,
    areaMm2: sample.areaMm2,
    cells: sample.cells,
  };
}

/** The server's expectations for steps. */
export function stepTable(measured: Measurements): {
  costs: Partial<Work>[];
  told: ToldShares[];
} {
  const runs = FITTED.flatMap((name) => measured[name] ?? []);
  return {
    costs: stepCosts(runs),
    told: runs.map((run) => ({
      seconds: Math.round(
        run.steps.reduce((sum, cost) => sum + cost.wallSeconds * toReference(cost), 0),
      ),
      shares: run.steps.map(({ told }) =>
        TWENTIETHS.map((fraction) => shareWhenTold(told, fraction)),
      ),
    })),
  };
}

const TWENTIETHS = Array.from({ length: 21 }, (_, i) => i / 20);

/** The share of a step's time at which it reported a fraction: the midpoint of the period in which it did. */
function shareWhenTold(told: readonly number[], fraction: number): number {
  const times = [0, ...told, 1];
  const last = times.findLastIndex((each) => each <= fraction);
  const first = times.indexOf(times[last]);
  const at =
    times[last] === fraction || last === times.length - 1
      ? (first + last) / 2
      : last + (fraction - times[last]) / (times[last + 1] - times[last]);
  return Number((at / (times.length - 1)).toFixed(3));
}

/** Nonnegative seconds per unit of work for each step, with the least relative error on the measured samples. */
function stepCosts(runs: readonly Measured[]): Partial<Work>[] {
  return STEP_NUMBERS.map((number) => {
    const kinds: (keyof Work)[] = ["run", ...GROWS_WITH[number]];
    const rows = runs.map((run) => {
      const cost = run.steps.find(({ step }) => step === number)!;
      const seconds = cost.wallSeconds * toReference(cost);
      const work = workOf(runSizeOf(run));
      return kinds.map((kind) => work[kind] / seconds);
    });
    const each = nonNegative(rows);
    return Object.fromEntries(
      kinds.flatMap((kind, i) =>
        each[i] > 0 ? [[kind, Number(each[i].toPrecision(3))] as const] : [],
      ),
    );
  });
}

/** x ≥ 0 minimizing ‖A x − 1‖², by exhaustive search over the (few) subsets of columns. */
function nonNegative(rows: readonly number[][]): number[] {
  const n = rows[0].length;
  let [best, least] = [new Array<number>(n).fill(0), Infinity];
  for (let choice = 1; choice < 1 << n; choice++) {
    const columns = [...Array(n).keys()].filter((column) => choice & (1 << column));
    const found = leastSquares(rows.map((row) => columns.map((column) => row[column])));
    if (!found?.every((each) => each >= 0)) continue;
    const x = new Array<number>(n).fill(0);
    columns.forEach((column, i) => (x[column] = found[i]));
    const error = rows.reduce(
      (sum, row) => sum + (row.reduce((value, each, i) => value + each * x[i], 0) - 1) ** 2,
      0,
    );
    // Additional columns must reduce the error.
    if (error < least - 1e-9) [best, least] = [x, error];
  }
  return best;
}

/** x minimizing ‖A x − 1‖², by Gaussian elimination; null if columns are linearly dependent. */
function leastSquares(rows: readonly number[][]): number[] | null {
  const n = rows[0].length;
  const m = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n + 1 }, (_, j) =>
      rows.reduce((sum, row) => sum + row[i] * (j < n ? row[j] : 1), 0),
    ),
  );
  for (let i = 0; i < n; i++) {
    for (let k = i + 1; k < n; k++) {
      const times = m[k][i] / m[i][i];
      for (let j = i; j <= n; j++) m[k][j] -= times * m[i][j];
    }
    if (!(m[i][i] > 1e-12)) return null;
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let rest = m[i][n];
    for (let j = i + 1; j < n; j++) rest -= m[i][j] * x[j];
    x[i] = rest / m[i][i];
  }
  return x;
}
