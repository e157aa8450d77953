import type { CellGroups } from "./cell-groups.ts";
import { summarize, type Summary, type SummaryOptions } from "./group-summary.ts";

export interface SummaryRequest {
  values: Float32Array;
  groups: CellGroups;
  options: SummaryOptions;
}

addEventListener("message", ({ data }: MessageEvent<SummaryRequest>) => {
  postMessage(summarize(data.values, data.groups, data.options) satisfies Summary);
});
