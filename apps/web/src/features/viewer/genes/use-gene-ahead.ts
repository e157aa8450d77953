import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { geneQuery } from "../data/use-values.ts";
import type { GeneLayer } from "../data/viewer-source.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** So long a gene must stay marked in a list before it is requested: arrow keys pass over many. */
const CONSIDERED_MS = 80;

/**
 * Asks for the values of a gene that is marked in a list, before it is chosen. Call the answer with each gene as it is
 * marked, and with undefined when none is; a gene whose whole name was typed is requested at once. An earlier gene
 * that is still in progress and that nobody shows is given up.
 */
export function useGeneAhead(
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
