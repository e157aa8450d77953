import type { MarkerTable, OwnMarkerTable } from "@stipple/contract/statistical-facts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { KEPT } from "../../../project/view/query-options.ts";
import { packedLabels } from "../clusters/packed-labels.ts";
import type { Clustering } from "../state/clusterings.ts";
import { versionOf } from "../state/version-of.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** Markers of groups that a person made; their kind is "own". */
export type ShownMarkers = Omit<MarkerTable, "groupBy"> & {
  groupBy: MarkerTable["groupBy"] | "own";
};

export type OwnMarkers = ReturnType<typeof useOwnMarkers>;

/** Markers of a clustering's groups, computed when first wanted; undefined = not wanted. */
export function useOwnMarkers(clustering: Clustering | undefined) {
  const { server, projectId } = useViewer();
  /** Share that is done, 0–1; null before the server has begun. */
  const [done, setDone] = useState<number | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["viewer-own-markers", projectId, clustering && versionOf(clustering.labels)],
    enabled: clustering !== undefined,
    ...KEPT,
    retry: false,
    queryFn: async ({ signal }): Promise<OwnMarkerTable> => {
      setDone(null);
      // By number, so that another name or color recomputes nothing.
      const names = clustering!.groups.map((_, index) => `${index}`);
      const labels = await packedLabels(clustering!.labels);
      return server.groupMarkers({ labels, names }, signal, setDone);
    },
  });
  /** Under the groups' current names. */
  const table = useMemo(
    (): ShownMarkers | undefined =>
      data &&
      clustering && {
        ...data,
        groupBy: "own",
        groups: data.groups.map((one) => ({
          ...one,
          group: clustering.groups[Number(one.group)]?.name ?? one.group,
        })),
      },
    [data, clustering],
  );
  return { table, done, error, retry: () => void refetch() };
}
