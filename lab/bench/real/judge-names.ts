import { coarserNames } from "@stipple/pipeline/internal/markers/coarser-names";
import { MARKER_SETS } from "@stipple/pipeline/cell-types";
import { readResult } from "@stipple/pipeline/results";
import { calibrationError } from "@stipple/tissue/metrics/calibration";
import { macroF1 } from "@stipple/tissue/metrics/labels";
import { matchedOneToOne } from "../typing/score-names.ts";
import type { AcceptedNames } from "./section.ts";

const UNKNOWN = "Unknown";

export interface NameFigures {
  accuracy: number;
  macroF1: number;
  /** Share of cells whose name is right or a coarser one that includes it. */
  broad: number;
  /** Shares of the named cells. */
  wrong: number;
  absent: number;
  unknown: number;
  confidenceOfWrong: number;
  calibrationError: number;
  clustersOneToOne: number;
}

/** The section's label that a name of the catalog stands for, or null. */
function labelNamed(
  accepted: ReadonlyMap<string, AcceptedNames>,
  name: string | null,
): string | null {
  for (const [label, { names }] of accepted) {
    if (label === name || names.includes(name ?? "")) return label;
  }
  return null;
}

/** Whether a lineage belongs to a name that is coarser than its types'. */
function isWithin(lineage: string, name: string): boolean {
  return coarserNames("", lineage).includes(name);
}

/** Whether a name is right for a label, or a coarser one that includes it. */
export function isRight(
  accepted: ReadonlyMap<string, AcceptedNames>,
  name: string | null,
  label: string,
): boolean {
  return (
    name !== null &&
    (labelNamed(accepted, name) === label || isWithin(accepted.get(label)!.lineage, name))
  );
}

/** Compares the names of a section's cells with their measured types; a cell that was not found is wrong. */
export async function judgeNames(
  types: readonly (string | null)[],
  matched: Int32Array,
  results: string,
  accepted: ReadonlyMap<string, AcceptedNames>,
): Promise<NameFigures> {
  const names = await readResult(results, "types/name");
  const typeOf = await readResult(results, "cells/cell_type");
  const clusters = await readResult(results, "cells/cluster");
  const confidence = await readResult(results, "cells/confidence");
  const cells = [...types.keys()].filter((cell) => types[cell] !== null);
  const labels = cells.map((cell) => types[cell]!);
  const given = cells.map((cell) => (matched[cell] < 0 ? null : names[typeOf[matched[cell]]]));
  const labelOf = (name: string | null): string | null => labelNamed(accepted, name);
  const lineageOf = new Map(MARKER_SETS.map(({ name, lineage }) => [name, lineage]));
  const named = [...cells.keys()].filter((i) => given[i] !== null && given[i] !== UNKNOWN);
  const right = cells.map((_, i) => isRight(accepted, given[i], labels[i]));
  const wrong = named.filter((i) => !right[i]);
  const present = new Set(labels.map((label) => accepted.get(label)!.lineage));
  const absent = named.filter(
    (i) => labelOf(given[i]) === null && ![...present].some((l) => isWithin(l, given[i]!)),
  );
  const stated = (i: number): number => confidence[matched[cells[i]]];
  const score = macroF1(labels, given.map(labelOf));
  return {
    accuracy: labels.filter((label, i) => labelOf(given[i]) === label).length / labels.length,
    macroF1: score.macroF1,
    broad:
      labels.filter((label, i) => {
        const own = accepted.get(labelOf(given[i]) ?? "")?.lineage;
        const lineage = own ?? lineageOf.get(given[i] ?? "") ?? given[i];
        return lineage !== null && isWithin(accepted.get(label)!.lineage, lineage ?? "");
      }).length / labels.length,
    wrong: wrong.length / Math.max(1, named.length),
    absent: absent.length / Math.max(1, named.length),
    unknown: given.filter((name) => name === UNKNOWN).length / given.length,
    confidenceOfWrong: wrong.reduce((sum, i) => sum + stated(i), 0) / Math.max(1, wrong.length),
    calibrationError: calibrationError(
      named.map(stated),
      named.map((i) => right[i]),
    ),
    clustersOneToOne: matchedOneToOne(
      labels,
      cells.map((cell) => (matched[cell] < 0 ? null : clusters[matched[cell]])),
    ),
  };
}
