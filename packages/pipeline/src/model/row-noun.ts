import type { Platform } from "@stipple/contract";
import type { AlignmentScale, SegmentationReport } from "../facts.ts";

/** What one capture area is called. */
export type CaptureNoun = Platform["spotNoun"];

/** What one row of the results is: a cell or, if no nuclei could be seen, a whole spot or bin. */
export type RowNoun = "cell" | CaptureNoun;

/** What to call a row of this sample's results. */
export function rowNoun(
  { method }: Pick<SegmentationReport, "method">,
  scale: Pick<AlignmentScale, "spotShape">,
): RowNoun {
  return method === "spot_level" ? captureNoun(scale) : "cell";
}

/** What to call a capture area of this sample: square ones are bins. */
export function captureNoun({ spotShape }: Pick<AlignmentScale, "spotShape">): CaptureNoun {
  return spotShape === "square" ? "bin" : "spot";
}
