import { NO_CELLS } from "@stipple/viewer/source";
import { queryOptions } from "@tanstack/react-query";
import { loadCode } from "../../../../app/load-code.ts";
import { VALUES } from "../../../../project/view/query-options.ts";
import { versionOf } from "../../state/version-of.ts";
import { type OpenViewer } from "../../state/viewer-context.tsx";
import { placeOf, type PlaceMeasure } from "../../state/measures.ts";
import type { ViewRegion } from "../region-shape.ts";

/** Query for a distance of every cell, µm; nothing is computed for null or while the region does not exist. */
export function placeQuery(
  { cells, manifest, projectId }: OpenViewer,
  regions: readonly ViewRegion[],
  measure: PlaceMeasure | null,
) {
  const place = measure && placeOf(measure);
  const region =
    place?.from === "border" ? regions.find(({ value }) => value.name === place.name) : undefined;
  const isKnown = place !== null && (place.from === "near" || region !== undefined);
  return queryOptions({
    queryKey: ["viewer-place", projectId, measure, versionOf(region?.shape ?? cells.type)],
    enabled: isKnown && cells !== NO_CELLS,
    ...VALUES,
    queryFn: async (): Promise<Float32Array> => {
      const { distances } = await loadCode(() => import("./distances.ts"));
      return distances(cells, manifest, region?.shape ?? place!.name);
    },
  });
}
