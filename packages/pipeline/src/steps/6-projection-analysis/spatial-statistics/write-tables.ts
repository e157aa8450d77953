import type {
  LigandReceptorTable,
  MarkerTable,
  MoranTable,
  SpatialStatistics,
} from "@stipple/contract/statistical-facts";
import { cellName } from "../../../exports/cell-names.ts";
import { rounded, sixDigits, writeTable, type Cell } from "../../../exports/csv/table.ts";

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
    const head = [
      ...[groupBy, "tested_cells", "tested_spots", "gene", "t_over_spots", "pvalue_over_spots"],
      ...["pvalue_over_spots_adj", "log2_fold_change", "auc", "cohens_d", "min_cohens_d"],
      ...["fraction", "fraction_others"],
    ];
    const rows = groups.flatMap((group) => {
      const { scores, pvals, pvalsAdj, logFoldChanges, auc, cohensD, minCohensD } = group;
      const columns = [scores, pvals, pvalsAdj, logFoldChanges, auc, cohensD, minCohensD];
      columns.push(group.fraction, group.fractionOthers);
      return group.genes.map((gene, row) => [
        ...[group.group, group.cells, testedSpots, gene],
        ...columns.map((values) => sixDigits(values[row])),
      ]);
    });
    await writeTable(pathOf(MARKER_FILES[groupBy]), head, rows);
  }
}

/** Writes all nonempty tables of the advanced analysis. `domainOf` is null without domains. */
export async function writeSpatialTables(
  statistics: SpatialStatistics,
  domainOf: Int32Array | null,
  pathOf: (file: string) => string,
): Promise<void> {
  const { moran, enrichment, coOccurrence, domains, ligandReceptor } = statistics;
  const F = STATISTICS_FILES;
  if (moran) await writeTable(pathOf(F.moran), MORAN, moranRows(moran));
  if (enrichment) {
    const { types, zscore, count } = enrichment;
    const rows = types.flatMap((type, a) =>
      types.map((other, b) => [type, other, count[a][b], sixDigits(zscore[a][b])]),
    );
    await writeTable(
      pathOf(F.enrichment),
      ["cell_type", "neighbor_type", "edges", "z_score"],
      rows,
    );
  }
  if (coOccurrence) {
    const { types, intervalUm, occ } = coOccurrence;
    const rows = types.flatMap((type, i) =>
      types.flatMap((other, j) =>
        occ[i][j].map((value, step) => [type, other, intervalUm[step + 1], sixDigits(value)]),
      ),
    );
    const head = ["cell_type", "given_type", "within_um", "probability_ratio"];
    await writeTable(pathOf(F.coOccurrence), head, rows);
  }
  if (domains && domainOf) {
    const { names, types, cells, composition } = domains;
    const ofCells = Array.from(domainOf, (domain, cell) => [cellName(cell), names[domain] ?? ""]);
    await writeTable(pathOf(F.domains), ["cell", "domain"], ofCells);
    const rows = names.flatMap((name, domain) =>
      types.map((type, t) => [name, cells[domain], type, rounded(composition[domain][t], 4)]),
    );
    await writeTable(pathOf(F.composition), ["domain", "cells", "cell_type", "fraction"], rows);
  }
  if (ligandReceptor) {
    await writeTable(pathOf(F.ligandReceptor), LIGAND_RECEPTOR, ligandReceptorRows(ligandReceptor));
  }
}

const MORAN = [
  ...["gene", "morans_i", "z_score", "pvalue_normal", "fdr_bh", "pvalue_permutation"],
  ...["pvalue_permutation_normal", "variance_permutation"],
];

function moranRows(moran: MoranTable): Cell[][] {
  const { I, z, pNormal, fdr, pSimulated, pZSimulated, varianceSimulated } = moran;
  const columns = [I, z, pNormal, fdr, pSimulated, pZSimulated, varianceSimulated];
  return moran.genes.map((gene, row) => [gene, ...columns.map((values) => sixDigits(values[row]))]);
}

const LIGAND_RECEPTOR = [
  ...["ligand", "receptor", "sender_type", "receiver_type", "contacts", "score"],
  ...["mean_expression", "z_score", "pvalue", "fdr_bh"],
];

/** The most certain first. */
function ligandReceptorRows(table: LigandReceptorTable): Cell[][] {
  const { ligand, receptor, sender, receiver, edges, score, mean, zscore, pvalue, fdr } = table;
  const order = [...ligand.keys()].sort(
    (a, b) => pvalue[a] - pvalue[b] || (zscore[b] ?? 0) - (zscore[a] ?? 0),
  );
  return order.map((row) => [
    ...[ligand[row], receptor[row], sender[row], receiver[row], edges[row]],
    ...[score, mean, zscore, pvalue, fdr].map((values) => sixDigits(values[row])),
  ]);
}
