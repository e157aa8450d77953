import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getSession } from "../session.ts";
import { seekLeadership } from "./leadership.ts";
import { postToOtherTabs } from "./other-tabs.ts";

export interface SharedQuery<Data> {
  queryKey: readonly string[];
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  /** Milliseconds between a response and the next request, or false if nothing can change anymore. */
  pollMs: (last: { data: Data | undefined; error: Error | null }) => number | false;
  staleTime?: number;
  retry?: false;
}

/**
 * A polling useQuery that sends requests from only one tab of the browser and shares the responses with the others. The
 * leading tab is chosen separately for each query, because tabs may show different projects.
 */
export function useSharedQuery<Data>({
  queryKey,
  queryFn,
  pollMs,
  ...rest
}: SharedQuery<Data>): UseQueryResult<Data> {
  const key = JSON.stringify(queryKey);
  const [leads, setLeads] = useState(false);
  const query = useQuery({
    ...rest,
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = await queryFn({ signal });
      postToOtherTabs(key, answer);
      return answer;
    },
    refetchInterval: ({ state }) => {
      const ms = pollMs({ data: state.data, error: state.error });
      return leads && ms !== false ? dueIn(ms, state) : false;
    },
  });
  const wanted = pollMs({ data: query.data, error: query.error }) !== false;
  useEffect(() => {
    if (!wanted) return;
    return seekLeadership(`stipple.ask.${getSession().user.id}.${key}`, setLeads);
  }, [key, wanted]);
  return query;
}

/** Time until the next request: a new leader continues counting from the last response. */
export function dueIn(
  ms: number,
  last: { fetchStatus: string; dataUpdatedAt: number; errorUpdatedAt: number },
): number {
  if (last.fetchStatus !== "idle") return ms;
  const passed = Date.now() - Math.max(last.dataUpdatedAt, last.errorUpdatedAt);
  return Math.min(ms, Math.max(1, ms - passed));
}
