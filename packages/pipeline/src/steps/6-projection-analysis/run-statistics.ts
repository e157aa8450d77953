import { counted } from "@stipple/contract/counted";
import type { Matrix } from "@stipple/numerics/matrices";
import { rowSums } from "@stipple/numerics/sparse";
import type { LegendEntry } from "../../figures/legend.ts";
import type { MarkerTable } from "@stipple/contract/statistical-facts";
import type { StepContext } from "../../step.ts";
import { findMarkers, type Division } from "./cell-markers/find-markers.ts";
import { unitNoun } from "./cell-markers/spot-test.ts";
import type { GroupedSample } from "./read-sample.ts";
import { analyzeInSpace, type SpaceResult } from "./spatial-statistics/analyze-in-space.ts";
import { geneValues } from "./spatial-statistics/gene-values.ts";
import { testedCells } from "./spatial-statistics/tested-cells.ts";
import { partOf, type Work } from "./spatial-statistics/work.ts";
import { writeMarkers, writeSpatialTables } from "./spatial-statistics/write-tables.ts";

export interface StatisticsResult {
  markers: MarkerTable[];
  /** Areas under the curve, one matrix per marker table. */
  aucs: Matrix<Float32Array>[];
  /** Null in a basic run. */
  space: SpaceResult | null;
}

/** Fraction of the time taken by the advanced analysis; the rest is markers. */
const SPACE_SHARE = 0.85;

/**
 * Computes markers and, in an advanced run, all spatial statistics; stores them as fields and writes them as
 * tables.
 */
export async function runStatistics(
  context: StepContext,
  sample: GroupedSample,
  options: Work & { permutations: number; markersPerGroup: number },
): Promise<StatisticsResult> {
  const { counts, reliable, genes } = sample;
  const { read } = context;
  const tested = testedCells(rowSums(counts), sample.observed);
  const advanced = context.settings.analysisType === "advanced";
  const space = advanced
    ? await analyzeInSpace(
        {
          ...sample,
          tested,
          micronsPerPixel: sample.scale.micronsPerPixel,
          geneNames: genes,
          geneSymbols: await read("genes/symbol"),
          species: (await read("sample/typing")).species,
          components: await read("cells/X_pca"),
          membership: await read("cells/membership"),
        },
        { ...partOf(options, 0, SPACE_SHARE), permutations: options.permutations },
      )
    : null;
  const found = await findMarkers(
    geneValues(counts, tested, reliable),
    { cells: tested.cells.length, genes: reliable.reduce((sum, flag) => sum + flag, 0) },
    divisionsOf(sample, tested.cells, space),
    {
      overlap: await read("spots/cells"),
      byGene: await read("genes/spots"),
      xy: await read("spots/xy"),
      scale: sample.scale,
    },
    genes,
    options.markersPerGroup,
    partOf(options, advanced ? SPACE_SHARE : 0, 1),
  );
  const markers = found.map(({ table }) => table);
  await context.write("sample/markers", markers);
  await context.write("genes/cluster_auc", found[0].auc);
  await context.write("genes/type_auc", found[1].auc);
  await writeMarkers(markers, context.output);
  context.log(
    `Markers tested on the observed counts of ${counted(markers[0].testedGenes, "reliable gene")} in ${counted(tested.cells.length, sample.rows)} from ${markers[0].testedSpots} ${unitNoun(sample.scale)}.`,
  );
  if (space) await writeSpace(context, space);
  return { markers, aucs: found.map(({ auc }) => auc), space };
}

/** The groups whose markers are searched: clusters, types, and domains. `cells`: those that are tested. */
function divisionsOf(
  { clusterOf, clusters, typeOf, types }: GroupedSample,
  cells: Uint32Array,
  space: SpaceResult | null,
): Division[] {
  const divide = (
    groupBy: Division["groupBy"],
    of: Int32Array,
    names: readonly string[],
  ): Division => ({
    groupBy,
    groupOf: Int32Array.from(cells, (c) => of[c]),
    ofAllCells: of,
    names,
  });
  const namesOf = (groups: readonly LegendEntry[]): string[] => groups.map(({ name }) => name);
  const domains = space?.statistics.domains;
  return [
    divide("cluster", clusterOf, namesOf(clusters)),
    divide("cell_type", typeOf, namesOf(types)),
    ...(space?.domainOf && domains ? [divide("domain", space.domainOf, domains.names)] : []),
  ];
}

async function writeSpace(
  { write, output, warn, log }: StepContext,
  { statistics, neighbors, domainOf }: SpaceResult,
): Promise<void> {
  await write("cells/neighbors", neighbors);
  if (domainOf) await write("cells/domain", domainOf);
  await write("sample/spatial_statistics", statistics);
  await writeSpatialTables(statistics, domainOf, output);
  for (const note of statistics.notes) warn(note);
  log(
    `Spatial statistics: ${counted(statistics.domains?.count ?? 0, "domain")}, ${counted(statistics.moran?.genes.length ?? 0, "gene")} tested for Moran's I, ${counted(statistics.ligandReceptor?.testedPairs ?? 0, "ligand–receptor pair")}.`,
  );
}
