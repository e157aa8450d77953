import type { Polygons } from "../../fields.ts";
import { simplifyCoverage } from "../../numerics/simplify-coverage.ts";

/** Runs in a worker thread. */
export default function work(
  outlines: Polygons,
  { tolerancePx }: { tolerancePx: number },
): Polygons {
  return simplifyCoverage(outlines, tolerancePx);
}
