import type { Cells } from "@stipple/viewer/source";
import { regionFinder, type RegionFinder } from "@stipple/viewer/tools";

const finders = new WeakMap<Float32Array, RegionFinder>();

/** Says where a view's cells lie in the tissue; one worker for the life of the page. */
export function tissueFinder({ xy }: Cells): RegionFinder {
  let finder = finders.get(xy);
  if (!finder) {
    finder = regionFinder(xy);
    finders.set(xy, finder);
  }
  return finder;
}
