import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { geneQuery } from "../data/use-values.ts";
import type { GeneLayer } from "../../../project/view/view-server.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** How long a gene must stay highlighted before it is prefetched: arrow keys pass over many. */
const CONSIDERED_MS = 80;

/**
 * Prefetches the values of a gene highlighted in a list, before it is chosen. Call the returned function with each
 * highlighted gene, and with undefined if there is none; a gene whose full name was typed is requested immediately. An
 * earlier gene still loading is canceled unless it is displayed.
 */
export function useGenePrefetch(
  layer: GeneLayer,
): (gene: string | undefined, isTyped?: boolean) => void {
  const viewer = useViewer();
  const queries = useQueryClient();
  const waiting = useRef<number>(undefined);
  const asked = useRef<readonly unknown[]>(undefined);
  useEffect(() => () => window.clearTimeout(waiting.current), []);

  return (gene, isTyped = false) => {
    window.clearTimeout(waiting.current);
    if (gene === undefined) return;
    const ask = (): void => {
      const query = geneQuery(viewer, gene, layer);
      const before = asked.current && queries.getQueryCache().find({ queryKey: asked.current });
      if (before && before.getObserversCount() === 0) void before.cancel();
      asked.current = query.queryKey;
      void queries.prefetchQuery(query);
    };
    if (isTyped) ask();
    else waiting.current = window.setTimeout(ask, CONSIDERED_MS);
  };
}
