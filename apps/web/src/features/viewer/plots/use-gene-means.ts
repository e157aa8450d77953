import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { GeneLayer } from "../data/viewer-source.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { CellGroups } from "./numbers/cell-groups.ts";
import { geneMeans, type GeneMeans } from "./numbers/gene-means.ts";

/** Requests at a time. */
const AT_ONCE = 4;
/** Values of all genes are kept for the next grouping only while they are fewer than this (100 MB). */
const MOST_KEPT_VALUES = 25_000_000;
const KEPT_MS = 120_000;

export interface GeneMeansState {
  /** In the order of the genes; null until all are there. */
  means: readonly GeneMeans[] | null;
  loaded: number;
  error: Error | null;
  retry: () => void;
}

/**
 * Every gene's mean and share above a threshold (0 for counts, the gene's mean for rates) in every group. Genes are read one by one and let go once they are summed up, so
 * that 60 genes of 700,000 cells do not fill the memory.
 */
export function useGeneMeans(
  genes: readonly string[],
  layer: GeneLayer,
  groups: CellGroups,
): GeneMeansState {
  const { source, manifest, projectId } = useViewer();
  const client = useQueryClient();
  const [state, setState] = useState<Omit<GeneMeansState, "retry"> & { of?: readonly unknown[] }>({
    means: null,
    loaded: 0,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const names = genes.join("\n");

  useEffect(() => {
    const wanted = names === "" ? [] : names.split("\n");
    const ending = new AbortController();
    const { signal } = ending;
    const kept = wanted.length * manifest.nCells <= MOST_KEPT_VALUES;
    const read = (gene: string): Promise<Float32Array> =>
      kept
        ? client.fetchQuery({
            queryKey: ["viewer-gene", projectId, gene, layer],
            staleTime: Infinity,
            gcTime: KEPT_MS,
            structuralSharing: false,
            // Its own signal: others may wait for the same gene.
            queryFn: (query) => source.gene(gene, layer, query.signal),
          })
        : source.gene(gene, layer, signal);
    const means: GeneMeans[] = [];
    let next = 0;
    let loaded = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length && !signal.aborted) {
        const at = next++;
        means[at] = geneMeans(
          await read(wanted[at]!),
          groups,
          layer === "counts" ? "zero" : "mean",
        );
        loaded += 1;
        if (!signal.aborted && loaded < wanted.length)
          setState({ means: null, loaded, error: null });
      }
    };
    setState({ means: null, loaded: 0, error: null });
    Promise.all(Array.from({ length: AT_ONCE }, work)).then(
      () => {
        if (!signal.aborted) setState({ means, loaded, error: null, of: [names, layer, groups] });
      },
      (error: Error) => {
        if (signal.aborted) return;
        setState({ means: null, loaded, error });
        ending.abort();
      },
    );
    return () => ending.abort();
  }, [names, layer, groups, attempt, source, manifest, projectId, client]);

  const fits = state.of?.every((part, at) => part === [names, layer, groups][at]) ?? false;
  return {
    means: fits ? state.means : null,
    loaded: state.loaded,
    error: state.error,
    retry: () => setAttempt(attempt + 1),
  };
}
