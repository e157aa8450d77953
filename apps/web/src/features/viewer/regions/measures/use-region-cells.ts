import type { CellSet } from "@stipple/viewer/cells";
import { NO_CELLS } from "@stipple/viewer/source";
import { regionFinder } from "@stipple/viewer/tools";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { VALUES } from "../../../../project/view/query-options.ts";
import { versionOf } from "../../state/version-of.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import type { ViewRegion } from "../region-shape.ts";

export interface RegionCells extends ViewRegion {
  /** Undefined until found. */
  cells: CellSet | undefined;
  isFailed: boolean;
}

/** Regions with the cells whose centers lie in them. */
export function useRegionCells(regions: readonly ViewRegion[]): RegionCells[] {
  const { cells, projectId } = useViewer();
  const found = useQueries({
    queries: regions.map(({ shape }) => ({
      queryKey: ["viewer-region-cells", projectId, versionOf(shape)],
      enabled: cells !== NO_CELLS,
      ...VALUES,
      queryFn: async (): Promise<CellSet> => {
        return { ...(await regionFinder(cells.xy).inside(shape)), chosenBy: ["place"] };
      },
    })),
    combine: foundCells,
  });
  return useMemo(
    () =>
      regions.map((region, at) => ({ ...region, cells: undefined, isFailed: false, ...found[at] })),
    [regions, found],
  );
}

/** The same function each time, so that the answers are combined only when one changes. */
function foundCells(results: UseQueryResult<CellSet>[]) {
  return results.map(({ data, isError }) => ({ cells: data, isFailed: isError }));
}
