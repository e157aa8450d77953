import { ANY_EPITHELIUM } from "../markers/index.ts";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { isOutOfPlace } from "../markers/out-of-place.ts";

/** Ubiquitous types and those of the likely tissues; generic epithelium if these have no set for it. */
export function candidatesFor(
  tissue: Tissue | "unknown",
  likely: readonly Tissue[],
  broad: readonly MarkerSet[],
): MarkerSet[] {
  const sets = broad.filter(
    ({ name, tissues }) =>
      (tissues.includes("any") && !isOutOfPlace(name, tissue)) ||
      tissues.some((own) => likely.includes(own)),
  );
  return sets.some(({ lineage }) => lineage === ANY_EPITHELIUM.lineage)
    ? sets
    : [...sets, ANY_EPITHELIUM];
}
