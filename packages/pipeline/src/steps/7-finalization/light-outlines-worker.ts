import type { Polygons } from "@stipple/numerics/matrices";
import { simplifyCoverage } from "@stipple/numerics/simplify-coverage";

/** Runs in a worker thread. */
export default function work(
  outlines: Polygons,
  { tolerancePx }: { tolerancePx: number },
): Polygons {
  return simplifyCoverage(outlines, tolerancePx);
}
