import { categoryColors } from "../../figures/palette.ts";
import { typeColors } from "../../markers/type-colors.ts";
import type { StudySpace } from "./embed-samples.ts";

/** Names with colors of samples, conditions, and types (as everywhere), and a color for each joint cluster. */
export function spaceColors({ samples, types, nClusters }: StudySpace) {
  const named = (names: readonly string[], colors: readonly string[]) =>
    names.map((name, i) => ({ name, color: colors[i] }));
  const conditions = [...new Set(samples.map(({ condition }) => condition))];
  return {
    samples: categoryColors(samples.length),
    conditions: named(conditions, categoryColors(conditions.length)),
    types: types ? named(types.names, typeColors(types.names)) : [],
    clusters: categoryColors(nClusters),
  };
}
