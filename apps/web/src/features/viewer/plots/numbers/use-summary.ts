import { useEffect, useRef, useState } from "react";
import type { CellGroups } from "./cell-groups.ts";
import type { Summary, SummaryOptions } from "./group-summary.ts";
import type { SummaryAnswer, SummaryRequest } from "./summary.worker.ts";

/** A summary of values by group, computed in a worker; null until ready. */
export function useSummary(
  values: Float32Array | undefined,
  groups: CellGroups,
  { log, bins, points }: SummaryOptions,
): { summary: Summary | null; failed: boolean } {
  const worker = useRef<Worker | null>(null);
  const asked = useRef(0);
  const [answer, setAnswer] = useState<{
    of: readonly unknown[];
    /** Null = the computation failed. */
    summary: Summary | null;
  } | null>(null);

  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );

  useEffect(() => {
    if (!values) return;
    const current = (worker.current ??= new Worker(
      new URL("./summary.worker.ts", import.meta.url),
      { type: "module" },
    ));
    const of = [values, groups, log, bins, points];
    const id = ++asked.current;
    const listen = ({ data }: MessageEvent<SummaryAnswer>) => {
      if (data.id === id) setAnswer({ of, summary: data.summary });
    };
    const fail = () => {
      // The next request starts a new worker.
      current.terminate();
      worker.current = null;
      setAnswer({ of, summary: null });
    };
    current.addEventListener("message", listen);
    current.addEventListener("error", fail);
    const request: SummaryRequest = { id, values, groups, options: { log, bins, points } };
    current.postMessage(request);
    return () => {
      current.removeEventListener("message", listen);
      current.removeEventListener("error", fail);
    };
  }, [values, groups, log, bins, points]);

  // A stale answer would be shown under the wrong name.
  const now = [values, groups, log, bins, points];
  const fitting = answer?.of.every((part, at) => part === now[at]) ? answer : null;
  return { summary: fitting?.summary ?? null, failed: fitting !== null && !fitting.summary };
}
