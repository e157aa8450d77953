import { useQuery } from "@tanstack/react-query";
import { KEPT } from "../../../../project/view/query-options.ts";
import { versionOf } from "../../state/version-of.ts";
import type { CellGroups } from "./cell-groups.ts";
import type { Summary, SummaryOptions } from "./group-summary.ts";
import type { SummaryRequest } from "./summary.worker.ts";

/** A summary of values by group, computed in a worker; null until ready. */
export function useSummary(
  values: Float32Array | undefined,
  groups: CellGroups,
  { log, bins, points }: SummaryOptions,
): { summary: Summary | null; failed: boolean } {
  const { data = null, isError } = useQuery({
    queryKey: ["viewer-plot", values && versionOf(values), versionOf(groups), log, bins, points],
    enabled: values !== undefined,
    ...KEPT,
    gcTime: 0,
    networkMode: "always",
    retry: false,
    queryFn: ({ signal }) =>
      summarized({ values: values!, groups, options: { log, bins, points } }, signal),
  });
  return { summary: data, failed: isError };
}

function summarized(request: SummaryRequest, signal: AbortSignal): Promise<Summary> {
  const worker = new Worker(new URL("./summary.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Summary>((done, fail) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Summary>) => done(data));
    worker.addEventListener("error", fail);
    signal.addEventListener("abort", fail);
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
