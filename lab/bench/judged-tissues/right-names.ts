import { coarserNames } from "@stipple/pipeline/internal/markers/coarser-names";
import { ANY_EPITHELIUM, MARKER_SETS } from "@stipple/pipeline/cell-types";
import { alignTypeNames } from "@stipple/tissue/metrics/type-names";

/**
 * Whether a name is right for a true type: the type's own name, or that of its lineage or class.
 * @param accepted names of each true type; null if these are the simulator's
 */
export function rightNames(
  accepted: ReadonlyMap<string, readonly string[]> | null,
  trueTypes: readonly string[],
  names: readonly string[],
): (type: string, name: string) => boolean {
  if (accepted) {
    return (type, name) =>
      accepted.get(type)!.includes(name) || isWiderThan(name, accepted.get(type)!);
  }
  const types = [...new Set(trueTypes)];
  const { predicted, classOf } = alignTypeNames(types, names);
  const known = alignTypeNames(types, [...LINEAGES.keys()]).predicted;
  const namesOf = new Map(
    types.map((type) => [type, [...known.keys()].filter((name) => known.get(name) === type)]),
  );
  return (type, name) =>
    predicted.get(name) === classOf.get(type) || isWiderThan(name, namesOf.get(type)!);
}

const LINEAGES = new Map(
  [...MARKER_SETS, ANY_EPITHELIUM].map(({ name, lineage }) => [name, lineage]),
);

/** Whether a name is the lineage, or the broad class, of one of these types. */
function isWiderThan(name: string, types: readonly string[]): boolean {
  return types.some((type) => {
    const lineage = LINEAGES.get(type);
    return lineage !== undefined && coarserNames(type, lineage).includes(name);
  });
}
