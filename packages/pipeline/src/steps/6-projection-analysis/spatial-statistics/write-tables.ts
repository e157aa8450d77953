import { csvText } from "@stipple/contract/csv";
import { decimal } from "../../../exports/csv/cell-metadata.ts";
import { cellName } from "../../../exports/cell-names.ts";
import { writePieces } from "../../../exports/write-lines.ts";
import type { Maybe, MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";

/**
 * Names of the tables in step 6's folder; those of the advanced analysis are missing if nothing could be
 * tested.
 */
export const STATISTICS_FILES = {
  clusterMarkers: "markers_clusters.csv",
  typeMarkers: "markers_cell_types.csv",
  domainMarkers: "markers_domains.csv",
  moran: "morans_i.csv",
  enrichment: "neighborhood_enrichment.csv",
  coOccurrence: "co_occurrence.csv",
  domains: "spatial_domains.csv",
  composition: "domain_composition.csv",
  ligandReceptor: "ligand_receptor.csv",
} as const;

const MARKER_FILES: Record<MarkerTable["groupBy"], string> = {
  cluster: STATISTICS_FILES.clusterMarkers,
  cell_type: STATISTICS_FILES.typeMarkers,
  domain: STATISTICS_FILES.domainMarkers,
};

/** Writes one marker table for each grouping, best genes first within a group. */
export async function writeMarkers(
  tables: readonly MarkerTable[],
  pathOf: (file: string) => string,
): Promise<void> {
  for (const { groupBy, groups, testedSpots } of tables) {
    const rows = groups.flatMap((group) =>
      group.genes.map((gene, row) => [
        csvText(group.group),
        group.cells,
        testedSpots,
        csvText(gene),
        number(group.scores[row]),
        number(group.pvals[row]),
        number(group.pvalsAdj[row]),
        number(group.logFoldChanges[row]),
        number(group.auc[row]),
        number(group.cohensD[row]),
        number(group.minCohensD[row]),
        number(group.fraction[row]),
        number(group.fractionOthers[row]),
      ]),
    );
    await table(
      pathOf(MARKER_FILES[groupBy]),
      `${groupBy},tested_cells,tested_spots,gene,t_over_spots,pvalue_over_spots,pvalue_over_spots_adj,log2_fold_change,auc,cohens_d,min_cohens_d,fraction,fraction_others`,
      rows,
    );
  }
}

/** Writes all nonempty tables of the advanced analysis. `domainOf` is null without domains. */
export async function writeSpatialTables(
  statistics: SpatialStatistics,
  domainOf: Int32Array | null,
  pathOf: (file: string) => string,
): Promise<void> {
  const { moran, enrichment, coOccurrence, domains, ligandReceptor } = statistics;
  if (moran) {
    await table(
      pathOf(STATISTICS_FILES.moran),
      "gene,morans_i,z_score,pvalue_normal,fdr_bh,pvalue_permutation,pvalue_permutation_normal,variance_permutation",
      moran.genes.map((gene, row) => [
        csvText(gene),
        number(moran.I[row]),
        number(moran.z[row]),
        number(moran.pNormal[row]),
        number(moran.fdr[row]),
        number(moran.pSimulated[row]),
        number(moran.pZSimulated[row]),
        number(moran.varianceSimulated[row]),
      ]),
    );
  }
  if (enrichment) {
    const { types, zscore, count } = enrichment;
    await table(
      pathOf(STATISTICS_FILES.enrichment),
      "cell_type,neighbor_type,edges,z_score",
      types.flatMap((type, a) =>
        types.map((other, b) => [csvText(type), csvText(other), count[a][b], number(zscore[a][b])]),
      ),
    );
  }
  if (coOccurrence) {
    const { types, intervalUm, occ } = coOccurrence;
    await table(
      pathOf(STATISTICS_FILES.coOccurrence),
      "cell_type,given_type,within_um,probability_ratio",
      types.flatMap((type, i) =>
        types.flatMap((other, j) =>
          occ[i][j].map((value, step) => [
            csvText(type),
            csvText(other),
            intervalUm[step + 1],
            number(value),
          ]),
        ),
      ),
    );
  }
  if (domains && domainOf) {
    await table(
      pathOf(STATISTICS_FILES.domains),
      "cell,domain",
      Array.from(domainOf, (domain, cell) => [
        cellName(cell),
        csvText(domains.names[domain] ?? ""),
      ]),
    );
    await table(
      pathOf(STATISTICS_FILES.composition),
      "domain,cells,cell_type,fraction",
      domains.names.flatMap((name, domain) =>
        domains.types.map((type, t) => [
          csvText(name),
          domains.cells[domain],
          csvText(type),
          decimal(domains.composition[domain][t], 4),
        ]),
      ),
    );
  }
  if (ligandReceptor) {
    const rows = ligandReceptor;
    const order = [...rows.ligand.keys()].sort(
      (a, b) => rows.pvalue[a] - rows.pvalue[b] || (rows.zscore[b] ?? 0) - (rows.zscore[a] ?? 0),
    );
    await table(
      pathOf(STATISTICS_FILES.ligandReceptor),
      "ligand,receptor,sender_type,receiver_type,contacts,score,mean_expression,z_score,pvalue,fdr_bh",
      order.map((row) => [
        csvText(rows.ligand[row]),
        csvText(rows.receptor[row]),
        csvText(rows.sender[row]),
        csvText(rows.receiver[row]),
        rows.edges[row],
        number(rows.score[row]),
        number(rows.mean[row]),
        number(rows.zscore[row]),
        number(rows.pvalue[row]),
        number(rows.fdr[row]),
      ]),
    );
  }
}

function table(
  path: string,
  header: string,
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  function* lines(): Generator<string> {
    yield `${header}\n`;
    for (const row of rows) yield `${row.join()}\n`;
  }
  return writePieces(path, lines());
}

/** Six significant digits; empty if there is no number. */
function number(value: Maybe | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? ""
    : String(Number(value.toPrecision(6)));
}
