import { levelsOf, likeliest } from "@stipple/pipeline/internal/cell-types/name-cells";
import { NAMES } from "@stipple/pipeline/internal/model/constants";
import type { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { confidenceOf, signalsOf, type TypingWay } from "@stipple/pipeline/cell-types";

/** The likeliest name of a cell at one level: subtype, type, lineage, or class. */
export interface JudgedName {
  way: TypingWay;
  signals: number[];
  /** The model's posterior, before calibration. */
  posterior: number;
  /** Whether the cell got this name. */
  given: boolean;
  right: boolean;
}

/**
 * The likeliest name of each cell at every level, with what its confidence rests on.
 * @param isRight whether a name is right; null if there is no true cell at the cell's position
 */
export function judgedNames(
  { confidence, basis }: Awaited<ReturnType<typeof assignTypes>>,
  isRight: (cell: number, name: string) => boolean | null,
): JudgedName[] {
  const { way, sets, posterior, lookGain } = basis;
  const levels = levelsOf(sets);
  const width = sets.length + 1;
  return Array.from(confidence).flatMap((stated, cell) => {
    // Cells that must have no name.
    if (stated === 0) return [];
    const own = posterior.subarray(cell * width, (cell + 1) * width);
    const names = levels.flatMap((nodes) => likeliest(own, nodes) ?? []);
    const isLikely = (likely: number): boolean =>
      confidenceOf(way, likely, lookGain) >= NAMES.LIKELY;
    const given = names.find((one) => isLikely(one.posterior));
    return names.flatMap((one, level): JudgedName[] => {
      const before = names[level - 1]?.node;
      const isSame =
        before?.name === one.node.name && before.types.length === one.node.types.length;
      const right = isRight(cell, one.node.name);
      if (isSame || right === null) return [];
      return [
        {
          way,
          signals: signalsOf(way, one.posterior, lookGain),
          posterior: one.posterior,
          given: one === given,
          right,
        },
      ];
    });
  });
}
