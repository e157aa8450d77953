import { coarserNames } from "@stipple/pipeline/internal/markers/coarser-names";
import type { Named } from "@stipple/pipeline/internal/cell-types/name-cells";
import type { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { signalsOf, type TypingWay } from "@stipple/pipeline/cell-types";

/** A named cell: its features, and whether the name is right (null if there is no true cell at its position). */
export interface NamedCell {
  name: string;
  signals: number[];
  way: TypingWay;
  /** The model's posterior, before calibration. */
  posterior: number;
  right: boolean | null;
}

/** The cells that got a name, with what its confidence rests on. */
export function namedCells(
  { names, cellType, basis }: Awaited<ReturnType<typeof assignTypes>>,
  isRight: (cell: number, name: string) => boolean | null,
): NamedCell[] {
  return Array.from(cellType.keys()).flatMap((cell): NamedCell[] => {
    const name = names[cellType[cell]];
    if (name === "Unknown") return [];
    const { way, sets, posterior, evidenceOf } = basis!;
    const width = sets.length + 1;
    const evidence = evidenceOf(
      posterior.subarray(cell * width, (cell + 1) * width),
      typesOf(name, sets),
    );
    return [
      {
        name,
        signals: signalsOf(way, evidence),
        way,
        posterior: evidence.posterior,
        right: isRight(cell, name),
      },
    ];
  });
}

/** The types that a name covers. */
function typesOf(name: string, sets: readonly Named[]): number[] {
  return [...sets.keys()].filter((t) => {
    const { name: own, parent, lineage } = sets[t];
    return own === name || parent === name || coarserNames(parent ?? own, lineage).includes(name);
  });
}
