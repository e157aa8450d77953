import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { LegendEntry } from "../../figures/legend.ts";
import type { MarkerTable } from "@stipple/contract/statistical-facts";
import type { StepContext } from "../../step.ts";
import { findMarkers, type Division } from "./cell-markers/find-markers.ts";
import { analyzeInSpace, type SpaceResult } from "./spatial-statistics/analyze-in-space.ts";
import { geneValues } from "./spatial-statistics/gene-values.ts";
import { testedCells } from "./spatial-statistics/tested-cells.ts";
import { partOf, type Work } from "./spatial-statistics/work.ts";
import { writeMarkers, writeSpatialTables } from "./spatial-statistics/write-tables.ts";
import { countRows, type RowNoun } from "../../model/row-noun.ts";

export interface StatisticsInput {
  /** What each row of the results is. */
  rows: RowNoun;
  counts: SparseMatrix;
  observed: Uint8Array;
  reliable: Uint8Array;
  xy: Matrix;
  micronsPerPixel: number;
  genes: readonly string[];
  typeOf: Int32Array;
  types: LegendEntry[];
  clusterOf: Int32Array;
  clusters: LegendEntry[];
}

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
  input: StatisticsInput,
  options: Work & { permutations: number; markersPerGroup: number },
): Promise<StatisticsResult> {
  const { rows, counts, reliable, typeOf, types, clusterOf, clusters, genes } = input;
  const { read, write, log, warn } = context;
  const tested = testedCells(counts, input.observed);
  const advanced = context.settings.analysisType === "advanced";
  const space = advanced
    ? await analyzeInSpace(
        {
          ...input,
          tested,
          geneNames: genes,
          geneSymbols: await read("genes/symbol"),
          species: (await read("sample/typing")).species,
          components: await read("cells/X_pca"),
          membership: await read("cells/membership"),
        },
        { ...partOf(options, 0, SPACE_SHARE), permutations: options.permutations },
      )
    : null;
  const at = (values: Int32Array): Int32Array =>
    Int32Array.from(tested.cells, (cell) => values[cell]);
  const divide = (
    groupBy: Division["groupBy"],
    of: Int32Array,
    names: readonly string[],
  ): Division => ({ groupBy, groupOf: at(of), ofAllCells: of, names });
  const divisions = [
    divide(
      "cluster",
      clusterOf,
      clusters.map(({ name }) => name),
    ),
    divide(
      "cell_type",
      typeOf,
      types.map(({ name }) => name),
    ),
  ];
  if (space?.domainOf && space.statistics.domains) {
    const { names } = space.statistics.domains;
    divisions.push(divide("domain", space.domainOf, names));
  }
  const found = await findMarkers(
    geneValues(counts, tested, reliable),
    { cells: tested.cells.length, genes: reliable.reduce((sum, flag) => sum + flag, 0) },
    divisions,
    {
      overlap: await read("spots/cells"),
      byGene: await read("genes/spots"),
      xy: await read("spots/xy"),
      scale: await read("sample/scale"),
    },
    genes,
    options.markersPerGroup,
    partOf(options, advanced ? SPACE_SHARE : 0, 1),
  );
  const markers = found.map(({ table }) => table);
  await write("sample/markers", markers);
  await write("genes/cluster_auc", found[0].auc);
  await write("genes/type_auc", found[1].auc);
  await writeMarkers(markers, context.output);
  log(
    `Markers tested on the observed counts of ${markers[0].testedGenes} reliable genes in ${countRows(tested.cells.length, rows)} from ${markers[0].testedSpots} spots.`,
  );
  if (space) {
    const { statistics, neighbors, domainOf } = space;
    await write("cells/neighbors", neighbors);
    if (domainOf) await write("cells/domain", domainOf);
    await write("sample/spatial_statistics", statistics);
    await writeSpatialTables(statistics, domainOf, context.output);
    for (const note of statistics.notes) warn(note);
    log(
      `Spatial statistics: ${statistics.domains?.count ?? 0} domains, ${statistics.moran?.genes.length ?? 0} genes tested for Moran's I, ${statistics.ligandReceptor?.testedPairs ?? 0} ligand–receptor pairs.`,
    );
  }
  return { markers, aucs: found.map(({ auc }) => auc), space };
}
