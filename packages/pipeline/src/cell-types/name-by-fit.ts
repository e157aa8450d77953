import { setsNamed } from "../markers/index.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import type { FittedTypes } from "../types/fit-types.ts";
import { confidenceOf, type TypingWay } from "./confidence.ts";
import { nameCells, type ChosenTypes, type Named } from "./name-cells.ts";

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
  /** Fitted types whose names their profiles do not support, and the cells that were most likely of each. */
  takenBack: Record<string, number>;
}

/** What a fitted type becomes: a type, no type, or divided among all types as cells of none are. */
type Becomes = number | "none" | "divided";

/**
 * Names cells by the types that step 4 fitted to the spots and to the looks of cells. A type whose profile is that of
 * another one counts as that, and one whose profile is of no type as none. Cells of none, and of types
 * that a nucleus cannot be of, are divided among the types: it is their confidence that says whether they get a name.
 */
export function nameByFit(
  { report, posterior }: FittedTypes,
  { lookGain, nucleated }: FitContext,
): NamedByFit {
  const fitted = report.types.map(({ name }) => name);
  const way = report.reference ? "reference" : "fit";
  const givenNames = report.types.map(({ name, sameAs }) => (sameAs === undefined ? name : sameAs));
  const names = [...new Set(givenNames.filter((name) => name !== null))];
  const sets = report.reference ? labelSets(names) : setsNamed(names);
  const becomes = givenNames.map((name): Becomes => {
    if (name === null) return "none";
    const isDivided = way === "fit" && nucleated && hasNoNucleus(name, report.tissue);
    return isDivided ? "divided" : names.indexOf(name);
  });
  const merged = mergeTypes(posterior, becomes, names.length);
  return {
    way,
    sets,
    posterior: merged,
    chosen: nameCells(merged, sets, (likely) => confidenceOf(way, likely, lookGain)),
    takenBack: takenBack(posterior, fitted, givenNames),
  };
}

/** A reference's labels: each is its own lineage. */
export function labelSets(labels: readonly string[]): Named[] {
  return labels.map((name) => ({ name, lineage: name }));
}

/** Adds each fitted type's posterior to the one that it becomes, or to none (the last), or divides it among the types. */
function mergeTypes(
  posterior: Float32Array,
  becomes: readonly Becomes[],
  nTypes: number,
): Float32Array {
  const [width, wide] = [becomes.length + 1, nTypes + 1];
  const nCells = posterior.length / width;
  const merged = new Float32Array(nCells * wide);
  for (let cell = 0; cell < nCells; cell++) {
    const own = merged.subarray(cell * wide, (cell + 1) * wide);
    let total = 0;
    becomes.forEach((to, t) => {
      if (to === "divided") return;
      own[to === "none" ? nTypes : to] += posterior[cell * width + t];
      total += posterior[cell * width + t];
    });
    if (total > 0) for (let at = 0; at < wide; at++) own[at] /= total;
    else own[nTypes] = 1;
  }
  return merged;
}

/** Cells that were most likely of each fitted type that got another name, or none. */
function takenBack(
  posterior: Float32Array,
  fitted: readonly string[],
  givenNames: readonly (string | null)[],
): Record<string, number> {
  const width = fitted.length + 1;
  const cells: Record<string, number> = {};
  for (let from = 0; from < posterior.length; from += width) {
    const own = posterior.subarray(from, from + fitted.length);
    const best = own.indexOf(own.reduce((a, b) => Math.max(a, b), 0));
    if (best >= 0 && givenNames[best] !== fitted[best]) {
      cells[fitted[best]] = (cells[fitted[best]] ?? 0) + 1;
    }
  }
  return cells;
}
