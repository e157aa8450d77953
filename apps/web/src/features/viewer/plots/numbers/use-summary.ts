import { useEffect, useRef, useState } from "react";
import type { CellGroups } from "./cell-groups.ts";
import type { Summary, SummaryOptions } from "./group-summary.ts";
import type { SummaryAnswer, SummaryRequest } from "./summary.worker.ts";

/** A summary of values by group, computed beside the page's own thread; null until it is there. */
export function useSummary(
  values: Float32Array | undefined,
  groups: CellGroups,
  { log, bins, points }: SummaryOptions,
): { summary: Summary | null; failed: boolean } {
  const worker = useRef<Worker | null>(null);
  const asked = useRef(0);
  const [answer, setAnswer] = useState<{ of: readonly unknown[]; summary: Summary } | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const started = new Worker(new URL("./summary.worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    started.addEventListener("error", () => setFailed(true));
    return () => started.terminate();
  }, []);

  useEffect(() => {
    const current = worker.current;
    if (!values || !current) return;
    const id = ++asked.current;
    const listen = ({ data }: MessageEvent<SummaryAnswer>) => {
      if (data.id !== id) return;
      setAnswer({ of: [values, groups, log, bins, points], summary: data.summary });
    };
    current.addEventListener("message", listen);
    const request: SummaryRequest = { id, values, groups, options: { log, bins, points } };
    current.postMessage(request);
    return () => current.removeEventListener("message", listen);
  }, [values, groups, log, bins, points]);

  // An answer to what was asked before would stand under the wrong name.
  const fits = answer?.of.every((part, at) => part === [values, groups, log, bins, points][at]);
  return { summary: fits ? answer!.summary : null, failed };
}
