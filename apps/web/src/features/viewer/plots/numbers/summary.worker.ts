import type { CellGroups } from "./cell-groups.ts";
import { summarize, type Summary, type SummaryOptions } from "./group-summary.ts";

export interface SummaryRequest {
  id: number;
  values: Float32Array;
  groups: CellGroups;
  options: SummaryOptions;
}
export interface SummaryAnswer {
  id: number;
  summary: Summary;
}

addEventListener("message", ({ data }: MessageEvent<SummaryRequest>) => {
  const { id, values, groups, options } = data;
  postMessage({ id, summary: summarize(values, groups, options) } satisfies SummaryAnswer);
});
