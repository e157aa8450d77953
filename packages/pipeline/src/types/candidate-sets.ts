import { ANY_EPITHELIUM } from "../markers/index.ts";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { isOutOfPlace } from "../markers/out-of-place.ts";

/** Ubiquitous types and those of the tissue; generic epithelium if the tissue has no set for it. */
export function candidatesFor(
  tissue: Tissue | "unknown",
  broad: readonly MarkerSet[],
): MarkerSet[] {
  const sets = broad.filter(
    ({ name, tissues }) =>
      (tissues.includes("any") && !isOutOfPlace(name, tissue)) ||
      (tissue !== "unknown" && tissues.includes(tissue)),
  );
  return sets.some(({ lineage }) => lineage === ANY_EPITHELIUM.lineage)
    ? sets
    : [...sets, ANY_EPITHELIUM];
}
