import type { ComparisonDesign, Unit } from "./design.ts";
import { compareMeasures, type Difference } from "./moderated-tests.ts";
import { pairName, PAIR, type SampleInSpace } from "./sample-in-space.ts";
import type { NamedSums } from "./shared-genes.ts";

export const SPATIAL_KINDS = ["neighbors", "patterns", "together"] as const;
export type SpatialKind = (typeof SPATIAL_KINDS)[number];

/** A spatial statistic of samples, compared between conditions. */
export type SpatialComparison = { kind: SpatialKind } & (
  | { refusal: string }
  | {
      rows: MeasureDifference[];
      /** Measures that not every unit has. */
      left: number;
    }
);

export interface MeasureDifference extends Difference {
  /** Two types, or a gene. */
  name: string;
  /** One for each unit of the design. */
  values: number[];
  /** Means of the groups. */
  means: [number, number];
}

/** Neighbors of two types are compared where chance would make as many in every unit. */
const MIN_EXPECTED = 5;
/** Two types are together if they are within about this distance. */
const TOGETHER_UM = 100;

/** Compares what every sample's spatial statistics say, with patients as units. */
export function compareInSpace(
  samples: readonly NamedSums[],
  units: readonly Unit[],
  design: ComparisonDesign,
): SpatialComparison[] {
  const of = new Map(samples.map(({ name, sums }) => [name, sums.spatial] as const));
  const taking = design.units.map((i) => units[i].samples);
  const lacking = taking.flat().find((name) => !of.get(name));
  return SPATIAL_KINDS.map((kind) => {
    if (lacking !== undefined) {
      return {
        kind,
        refusal: `${lacking} has no spatial statistics: run it again as an advanced analysis.`,
      };
    }
    const measured = MEASURES[kind](taking.map((own) => own.map((name) => of.get(name)!)));
    if (measured.every((one) => one !== null)) return compareMaps(kind, measured, design);
    return { kind, refusal: "Not every sample has this statistic: it had too few cells or genes." };
  });
}

type Measured = ReadonlyMap<string, number>;

function compareMaps(
  kind: SpatialKind,
  maps: readonly Measured[],
  design: ComparisonDesign,
): SpatialComparison {
  const all = [...new Set(maps.flatMap((one) => [...one.keys()]))].sort();
  const names = all.filter((name) => {
    const values = new Set(maps.map((one) => one.get(name)));
    // What is the same everywhere has no variance to compare it with.
    return values.size > 1 && [...values].every((value) => Number.isFinite(value));
  });
  if (names.length === 0) {
    return { kind, refusal: "No measure could be taken in every sample: look at larger samples." };
  }
  const values = names.map((name) => maps.map((one) => one.get(name)!));
  const isSecond = design.columns[design.condition];
  const meanOf = (row: readonly number[], group: number): number => {
    const own = row.filter((_, i) => isSecond[i] === group);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  };
  const rows = compareMeasures(values, design).map((difference, i) => ({
    ...{ name: names[i].replace(PAIR, " – "), values: values[i], ...difference },
    means: [meanOf(values[i], 0), meanOf(values[i], 1)] as [number, number],
  }));
  return { kind, rows, left: all.length - names.length };
}

/** The measures of every unit, from the samples in it; null where there are none. */
const MEASURES: Record<
  SpatialKind,
  (units: readonly (readonly SampleInSpace[])[]) => (Measured | null)[]
> = {
  neighbors: (units) =>
    units.map((samples) => {
      const known = samples.flatMap(({ edges }) => (edges ? [edges] : []));
      return known.length === samples.length ? neighborRatios(known) : null;
    }),
  patterns: (units) =>
    units.map((samples) => {
      const known = samples.flatMap(({ moran }) => (moran ? [moran] : []));
      return known.length === samples.length ? meansOf(known, (value) => value) : null;
    }),
  together(units) {
    const steps = units.flat().map(({ together }) => together?.map(({ withinUm }) => withinUm));
    const within = steps[0]?.find(
      (um) => um >= TOGETHER_UM && steps.every((own) => own?.includes(um)),
    );
    return units.map((samples) => {
      const known = samples.flatMap(
        ({ together }) => together?.find(({ withinUm }) => withinUm === within)?.ratio ?? [],
      );
      // Types that are never together have no logarithm; they are left out.
      return known.length === samples.length ? meansOf(known, Math.log2) : null;
    });
  },
};

/** log2 of how many times as often cells of two types are neighbors as if types were shuffled. */
function neighborRatios(samples: readonly Measured[]): Map<string, number> {
  const edges = new Map<string, number>();
  for (const sample of samples) {
    for (const [pair, count] of sample) edges.set(pair, (edges.get(pair) ?? 0) + count);
  }
  const ends = new Map<string, number>();
  for (const [pair, count] of edges) {
    const [a, b] = pair.split(PAIR);
    ends.set(a, (ends.get(a) ?? 0) + count);
    if (b !== a) ends.set(b, (ends.get(b) ?? 0) + count);
  }
  const total = [...ends.values()].reduce((sum, count) => sum + count, 0);
  const ratios = new Map<string, number>();
  for (const a of ends.keys()) {
    for (const b of ends.keys()) {
      if (b < a) continue;
      const expected = (ends.get(a)! * ends.get(b)!) / total;
      const count = edges.get(pairName(a, b)) ?? 0;
      const ratio = expected >= MIN_EXPECTED ? Math.log2((count + 0.5) / (expected + 0.5)) : NaN;
      ratios.set(pairName(a, b), ratio);
    }
  }
  return ratios;
}

function meansOf(
  samples: readonly Measured[],
  scale: (value: number) => number,
): Map<string, number> {
  const [first] = samples;
  return new Map(
    Array.from(first.keys(), (name) => {
      const sum = samples.reduce((total, sample) => total + scale(sample.get(name) ?? NaN), 0);
      return [name, sum / samples.length] as const;
    }),
  );
}
