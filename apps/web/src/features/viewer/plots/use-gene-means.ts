import { MAX_MEANS_GENES } from "@stipple/contract/routes/visualization";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { KEPT } from "../../../project/view/query-options.ts";
import type { GeneLayer, ViewServer } from "../../../project/view/view-server.ts";
import { base64OfBytes } from "../selection/base64.ts";
import { versionOf } from "../state/version-of.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneMeans, type GeneMeans } from "./numbers/gene-means.ts";
import type { AnalyzedGroups, PlotGroups } from "./use-plot-groups.ts";

/** Concurrent requests. */
const AT_ONCE = 4;

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
  const { server, projectId } = useViewer();
  const [loaded, setLoaded] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ["viewer-gene-means", projectId, genes, layer, versionOf(analyzed ?? groups)],
    ...KEPT,
    gcTime: 0,
    retry: false,
    async queryFn({ signal }) {
      const read = analyzed
        ? summedUp(server, layer, analyzed, signal)
        : async ([gene = ""]: readonly string[]): Promise<GeneMeans[]> => [
            geneMeans(
              await server.gene(gene, layer, signal),
              groups,
              layer === "counts" ? "zero" : "mean",
            ),
          ];
      const step = analyzed ? MAX_MEANS_GENES : 1;
      const means: GeneMeans[] = [];
      let next = 0;
      let done = 0;
      const work = async (): Promise<void> => {
        while (next < genes.length && !signal.aborted) {
          const from = next;
          const some = genes.slice(from, (next += step));
          (await read(some)).forEach((of, at) => (means[from + at] = of));
          done += some.length;
          if (!signal.aborted) setLoaded(done);
        }
      };
      setLoaded(0);
      await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => (next = Infinity));
      return means;
    },
  });
  return { means: data ?? null, loaded, error, retry: () => void refetch() };
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
