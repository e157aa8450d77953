import { MAX_MEANS_GENES } from "@stipple/contract/routes/visualization";
import { useEffect, useState } from "react";
import type { GeneLayer, ViewServer } from "../../../project/view/view-server.ts";
import { base64OfBytes } from "../selection/base64.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneMeans, type GeneMeans } from "./numbers/gene-means.ts";
import type { AnalyzedGroups, PlotGroups } from "./use-plot-groups.ts";

/** Concurrent requests. */
const AT_ONCE = 4;

interface GeneMeansState {
  /** In gene order; null until all have loaded. */
  means: readonly GeneMeans[] | null;
  loaded: number;
  error: Error | null;
  of?: readonly unknown[];
}

/**
 * Every gene's mean and share above a threshold (0 for counts, the gene's mean for rates) in every group. The server
 * summarizes the analysis's groups. For the user's own groups, which may overlap, genes are fetched one by one and
 * released once summarized, so that 60 genes of 700,000 cells do not fill memory.
 */
export function useGeneMeans(
  genes: readonly string[],
  layer: GeneLayer,
  { groups, analyzed }: Pick<PlotGroups, "groups" | "analyzed">,
) {
  const { server } = useViewer();
  const [state, setState] = useState<GeneMeansState>({ means: null, loaded: 0, error: null });
  const [attempt, setAttempt] = useState(0);
  const names = genes.join("\n");

  useEffect(() => {
    const wanted = names === "" ? [] : names.split("\n");
    const ending = new AbortController();
    const { signal } = ending;
    const step = analyzed ? MAX_MEANS_GENES : 1;
    const read = analyzed
      ? summedUp(server, layer, analyzed, signal)
      : async ([gene = ""]: readonly string[]): Promise<GeneMeans[]> => [
          geneMeans(
            await server.gene(gene, layer, signal),
            groups,
            layer === "counts" ? "zero" : "mean",
          ),
        ];
    const means: GeneMeans[] = [];
    let next = 0;
    let loaded = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length && !signal.aborted) {
        const from = next;
        const some = wanted.slice(from, (next += step));
        (await read(some)).forEach((of, at) => (means[from + at] = of));
        loaded += some.length;
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
  }, [names, layer, groups, analyzed, attempt, server]);

  const fits = state.of?.every((part, at) => part === [names, layer, groups][at]) ?? false;
  return {
    means: fits ? state.means : null,
    loaded: state.loaded,
    error: state.error,
    retry: () => setAttempt(attempt + 1),
  };
}

/** Fetches means of some genes in the non-empty groups. */
function summedUp(
  server: ViewServer,
  layer: GeneLayer,
  { by, indices, within }: AnalyzedGroups,
  signal: AbortSignal,
): (genes: readonly string[]) => Promise<GeneMeans[]> {
  const cells = within && base64OfBytes(within.bits);
  const kept = (values: readonly (number | null)[]): Float64Array =>
    Float64Array.from(indices, (group) => values[group] ?? Number.NaN);
  return async (genes) =>
    (await server.groupMeans(genes, layer, by, cells, signal)).map(({ mean, fraction }) => ({
      mean: kept(mean),
      fraction: kept(fraction),
    }));
}
