import { setsNamed } from "../markers/index.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import type { FittedTypes } from "../types/fit-types.ts";
import { confidenceOf, type NameEvidence, type TypingWay } from "./confidence.ts";
import { nameCells, posteriorOf, type ChosenTypes, type Named } from "./name-cells.ts";

export interface FitContext {
  /** How much looks add to the correlation with held-out spots; null if not tested. */
  lookGain: number | null;
  /** Whether cells were found by their nuclei. */
  nucleated: boolean;
}

export interface NamedByFit {
  way: TypingWay;
  sets: Named[];
  /** nCells × (types + 1): what the names rest on. */
  posterior: Float32Array;
  chosen: ChosenTypes;
  evidenceOf: (own: Float32Array, types: readonly number[]) => NameEvidence;
  /** Fitted types whose names their profiles do not support, and the cells that were most likely of each. */
  takenBack: Record<string, number>;
}

/**
 * Names cells by the types that step 4 fitted to the spots and to the looks of cells. A type whose profile is that of
 * another one counts as that, and one that a nucleus cannot be counts as none; cells of none are divided among the
 * types, and it is their confidence that says whether they get a name.
 */
export function nameByFit(
  { report, posterior }: FittedTypes,
  { lookGain, nucleated }: FitContext,
): NamedByFit {
  const names = report.types.map(({ name }) => name);
  const way = report.reference ? "reference" : "fit";
  const sets = report.reference ? labelSets(names) : setsNamed(names);
  const becomes = report.types.map(({ name, sameAs }) =>
    way === "fit" && nucleated && hasNoNucleus(name, report.tissue)
      ? -1
      : sets.findIndex((set) => set.name === (sameAs ?? name)),
  );
  const merged = mergeTypes(posterior, becomes);
  const support = report.types.map((type, t) =>
    Math.max(
      type.support,
      ...report.types.filter((_, of) => becomes[of] === t).map((of) => of.support),
    ),
  );
  const evidenceOf = (own: Float32Array, types: readonly number[]): NameEvidence => {
    const likely = posteriorOf(own, types);
    return {
      posterior: likely,
      support:
        types.reduce((sum, t) => sum + own[t] * support[t], 0) / Math.max(Number.MIN_VALUE, likely),
      lookGain,
    };
  };
  return {
    way,
    sets,
    posterior: merged,
    chosen: nameCells(merged, sets, (own, types) => confidenceOf(way, evidenceOf(own, types))),
    evidenceOf,
    takenBack: cellsOf(posterior, names, becomes),
  };
}

/** A reference's labels: each is its own lineage. */
export function labelSets(labels: readonly string[]): Named[] {
  return labels.map((name) => ({ name, lineage: name }));
}

/** Adds each type's posterior to the type that it becomes (none if −1), and divides that of none among all types. */
function mergeTypes(posterior: Float32Array, becomes: readonly number[]): Float32Array {
  const width = becomes.length + 1;
  const merged = new Float32Array(posterior.length);
  for (let from = 0; from < posterior.length; from += width) {
    let total = 0;
    becomes.forEach((to, t) => {
      if (to < 0) return;
      merged[from + to] += posterior[from + t];
      total += posterior[from + t];
    });
    for (let t = 0; t < becomes.length; t++) {
      merged[from + t] = total > 0 ? merged[from + t] / total : 0;
    }
    merged[from + becomes.length] = total > 0 ? 0 : 1;
  }
  return merged;
}

/** Cells that were most likely of each type that became another one. */
function cellsOf(
  posterior: Float32Array,
  names: readonly string[],
  becomes: readonly number[],
): Record<string, number> {
  const width = names.length + 1;
  const cells: Record<string, number> = {};
  for (let from = 0; from < posterior.length; from += width) {
    const own = posterior.subarray(from, from + names.length);
    const best = own.indexOf(own.reduce((a, b) => Math.max(a, b), 0));
    if (best >= 0 && becomes[best] !== best) cells[names[best]] = (cells[names[best]] ?? 0) + 1;
  }
  return cells;
}
