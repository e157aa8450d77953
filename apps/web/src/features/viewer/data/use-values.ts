import type { CellMeasure, ProteinColumn, ViewerManifest } from "@stipple/contract/viewer-manifest";
import { placeQuery } from "../regions/measures/place-query.ts";
import { isPlaceMeasure, proteinOf, type AnyMeasure } from "../state/measures.ts";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useViewer, type OpenViewer } from "../state/viewer-context.tsx";
import { isUnknown } from "../state/shown-groups.ts";
import { NO_CELLS } from "@stipple/viewer/source";
import { VALUES } from "../../../project/view/query-options.ts";
import { isCounted, isOfType, onlyCounted, onlyTyped } from "./counted.ts";
import type { GeneLayer } from "../../../project/view/view-server.ts";
import { useRegions } from "../regions/use-regions.ts";

/** One gene over all cells; nothing is requested if `gene` is null. */
export function useGeneValues(gene: string | null, layer: GeneLayer): UseQueryResult<Float32Array> {
  const viewer = useViewer();
  return useQuery({ ...geneQuery(viewer, gene, layer), enabled: gene !== null });
}

/** Query for one gene over all cells, also used to prefetch it. */
export function geneQuery(
  { server, projectId }: OpenViewer,
  gene: string | null,
  layer: GeneLayer,
) {
  return queryOptions({
    queryKey: ["viewer-gene", projectId, gene, layer],
    ...VALUES,
    queryFn: ({ signal }) => server.gene(gene!, layer, signal),
  });
}

/** A gene set's score over all cells; nothing is requested if there are no genes. */
export function useScore(genes: readonly string[], layer: GeneLayer): UseQueryResult<Float32Array> {
  const viewer = useViewer();
  const isPossible = layer === "rate" || viewer.cells !== NO_CELLS;
  return useQuery({
    ...scoreQuery(viewer, genes, layer),
    enabled: genes.length > 0 && isPossible,
  });
}

/** Query for a gene set's score over all cells; of counts, NaN outside the spots. */
export function scoreQuery(
  { server, projectId, cells }: Pick<OpenViewer, "server" | "projectId" | "cells">,
  genes: readonly string[],
  layer: GeneLayer,
) {
  return queryOptions({
    queryKey: ["viewer-score", projectId, [...genes].sort(), layer],
    ...VALUES,
    queryFn: async ({ signal }) => {
      const values = await server.score(genes, layer, signal);
      return layer === "rate" ? values : onlyCounted(values, cells.observed);
    },
  });
}

/** A measure of every cell; NaN where not measured. */
export function useMeasure(measure: AnyMeasure | null): UseQueryResult<Float32Array> {
  const viewer = useViewer();
  const place = measure !== null && isPlaceMeasure(measure) ? measure : null;
  const own = measure !== null && !isPlaceMeasure(measure) ? measure : null;
  const distance = useQuery(placeQuery(viewer, useRegions(), place));
  const measured = useQuery({
    ...measureQuery(viewer, own),
    // Which cells have counts or a type is known only once the cells are loaded.
    // An address may name a protein of another sample.
    enabled:
      own !== null &&
      isKnown(viewer.manifest, own) &&
      (!(isCounted(own) || isOfType(own)) || viewer.cells !== NO_CELLS),
  });
  return place === null ? measured : distance;
}

function isKnown({ proteins }: ViewerManifest, measure: CellMeasure | ProteinColumn): boolean {
  const protein = proteinOf(measure);
  return protein === null || proteins?.some(({ name }) => name === protein) === true;
}

/** Query for a measure of every cell, for use outside rendering once the cells are loaded. */
export function measureQuery(
  {
    source,
    projectId,
    cells,
    computed,
  }: Pick<OpenViewer, "source" | "projectId" | "cells" | "computed">,
  measure: CellMeasure | ProteinColumn | null,
) {
  return queryOptions({
    queryKey: ["viewer-measure", projectId, measure],
    ...VALUES,
    queryFn: async ({ signal }) => {
      const values = await source.column(measure!, signal);
      if (isCounted(measure!)) return onlyCounted(values, cells.observed);
      if (!isOfType(measure!)) return Float32Array.from(values);
      // How certain the analysis was of its types, whatever people call the cells.
      return onlyTyped(values, computed.cells.type, computed.manifest.types.findIndex(isUnknown));
    },
  });
}

/** Counts of one gene over all spots. */
export function useSpotGene(gene: string | null): UseQueryResult<Float32Array> {
  const { server, projectId } = useViewer();
  return useQuery({
    queryKey: ["viewer-spot-gene", projectId, gene],
    enabled: gene !== null,
    ...VALUES,
    queryFn: ({ signal }) => server.spotGene(gene!, signal),
  });
}
