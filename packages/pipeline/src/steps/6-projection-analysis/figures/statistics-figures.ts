import { counted } from "@stipple/contract/counted";
import { markersOf } from "@stipple/contract/markers-of";
import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../../../figures/figure.ts";
import { heatmapFigure } from "../../../figures/heatmap.ts";
import { diverging, viridis } from "../../../figures/palette.ts";
import type { RowNoun } from "../../../model/row-noun.ts";
import type {
  DomainSummary,
  LigandReceptorTable,
  MarkerTable,
  NeighborhoodEnrichment,
} from "@stipple/contract/statistical-facts";

const MAX_PAIRS = 25;
const MAX_TYPE_PAIRS = 24;
const MAX_COLUMNS = 48;
/** Color scale limit; permutation z-scores of large tissues reach the hundreds. */
const MAX_Z = 50;

/** z-scores of neighboring types; types without any value are left out. */
export function enrichmentFigure(enrichment: NeighborhoodEnrichment, noun: RowNoun): Figure {
  const { types, zscore, permutations } = enrichment;
  const shown = typesWithScores(enrichment);
  const { top, scale } = scoreScale(shown.flatMap((a) => shown.map((b) => zscore[a][b])));
  const z = (row: number, column: number): number | null => zscore[shown[row]][shown[column]];
  return heatmapFigure({
    title: "Neighborhood enrichment",
    subtitle: `Contacts between observed ${noun}s, compared with ${permutations.toLocaleString("en-US")} permutations of their types`,
    rows: shown.map((type) => types[type]),
    columns: shown.map((type) => types[type]),
    rowTitle: "Type",
    columnTitle: "Neighbor",
    color: (row, column) => {
      const value = z(row, column);
      return value === null ? null : diverging(value / top);
    },
    text: (row, column) => {
      const value = z(row, column);
      return value === null ? "" : String(Number(value.toFixed(Math.abs(value) < 10 ? 1 : 0)));
    },
    scale,
  });
}

/** Types with a z-score; others have no tested cells, or there is nothing to permute. */
export function typesWithScores({ types, zscore }: NeighborhoodEnrichment): number[] {
  return [...types.keys()].filter((a) => zscore[a].some((z) => z !== null));
}

/** Cell types in each domain. */
export function domainCompositionFigure(domains: DomainSummary, noun: RowNoun): Figure {
  const { names, types, composition, cells } = domains;
  const shown = [...types.keys()]
    .filter((type) => composition.some((row) => row[type] >= 0.005))
    .sort((a, b) => share(domains, b) - share(domains, a));
  const top = Math.max(...composition.flat());
  const total = cells.reduce((a, b) => a + b, 0);
  return heatmapFigure({
    title: "Cell types in each spatial domain",
    subtitle: `${counted(total, noun)} in ${names.length} domains; % of each domain's ${noun}s`,
    rows: names.map((name, domain) => `${name} (${cells[domain].toLocaleString("en-US")})`),
    columns: shown.map((type) => types[type]),
    rowTitle: "Domain",
    columnTitle: "Cell type",
    color: (row, column) => viridis(composition[row][shown[column]] / top),
    text: (row, column) => {
      const percent = Math.round(100 * composition[row][shown[column]]);
      return percent >= 1 ? String(percent) : "";
    },
    scale: {
      title: `Share of ${noun}s`,
      low: "0%",
      middle: `${Math.round(50 * top)}%`,
      high: `${Math.round(100 * top)}%`,
      color: viridis,
    },
  });
}

function share({ composition, cells }: DomainSummary, type: number): number {
  return composition.reduce((sum, row, domain) => sum + row[type] * cells[domain], 0);
}

/** The strongest gene pairs and type pairs; a dot marks a false discovery rate below 0.05. */
export function ligandReceptorFigure(table: LigandReceptorTable, noun: RowNoun): Figure {
  const z = (row: number): number => table.zscore[row] ?? 0;
  const order = [...table.ligand.keys()].sort((a, b) => table.fdr[a] - table.fdr[b] || z(b) - z(a));
  const pairOf = (row: number): string => `${table.ligand[row]} – ${table.receptor[row]}`;
  const typesOf = (row: number): string => `${table.sender[row]} → ${table.receiver[row]}`;
  const rows = [...new Set(order.map(pairOf))].slice(0, MAX_PAIRS);
  const columns = [...new Set(order.filter((row) => rows.includes(pairOf(row))).map(typesOf))]
    .slice(0, MAX_TYPE_PAIRS)
    .sort();
  const at = new Map(order.map((row) => [`${pairOf(row)}\t${typesOf(row)}`, row]));
  const find = (row: number, column: number): number | undefined =>
    at.get(`${rows[row]}\t${columns[column]}`);
  const { top, scale } = scoreScale(table.zscore);
  const significant = table.fdr.filter((fdr) => fdr < 0.05).length;
  return heatmapFigure({
    title: `Ligands and receptors on neighboring ${noun}s`,
    subtitle: `${significant.toLocaleString("en-US")} of ${table.fdr.length.toLocaleString("en-US")} tests at a false discovery rate below 5% (dots); ${table.testedPairs} of ${table.knownPairs} known pairs could be tested`,
    rows,
    columns,
    rowTitle: "Ligand – receptor",
    columnTitle: "Sender → receiver",
    color: (row, column) => {
      const test = find(row, column);
      return test === undefined ? null : diverging(z(test) / top);
    },
    text: (row, column) => {
      const test = find(row, column);
      return test !== undefined && table.fdr[test] < 0.05 ? "●" : "";
    },
    scale,
  });
}

const GROUPS = { cluster: "Cluster", cell_type: "Cell type", domain: "Domain" } as const;

/** How well each group's top genes identify it: area under the curve for every group. `units`: what p-values count. */
export function markersFigure(
  table: MarkerTable,
  { rows: noun, units }: { rows: RowNoun; units: string },
  auc: Matrix<Float32Array>,
  columnOf: (group: string) => number,
  geneOf: (name: string) => number,
): Figure {
  const each = Math.max(1, Math.min(4, Math.floor(MAX_COLUMNS / table.groups.length)));
  const genes = [...new Set(table.groups.flatMap((group) => markersOf(group).slice(0, each)))];
  const value = (row: number, column: number): number =>
    auc.data[geneOf(genes[column]) * auc.nCols + columnOf(table.groups[row].group)];
  return heatmapFigure({
    title: `Markers of ${GROUPS[table.groupBy].toLowerCase()}s`,
    subtitle: `Observed counts of ${counted(table.testedCells, noun)} and ${counted(table.testedGenes, "reliable gene")}, tested over ${table.testedSpots.toLocaleString("en-US")} ${units}; up to ${counted(each, "top gene")} per group`,
    rows: table.groups.map(({ group, cells }) => `${group} (${cells.toLocaleString("en-US")})`),
    columns: genes,
    rowTitle: GROUPS[table.groupBy],
    columnTitle: "Gene",
    color: (row, column) => diverging((value(row, column) - 0.5) / 0.5),
    scale: divergingScale("Area under the curve", 0, 0.5, 1),
  });
}

/** The scale of z-scores, which says where it ends below the largest, and its end. */
function scoreScale(scores: readonly (number | null)[]) {
  const most = scores.reduce<number>((high, z) => Math.max(high, Math.abs(z ?? 0)), 1e-9);
  const top = Math.min(MAX_Z, most);
  const scale = divergingScale("z-score", -top, 0, top);
  return most > top
    ? { top, scale: { ...scale, low: `≤ ${scale.low}`, high: `≥ ${scale.high}` } }
    : { top, scale };
}

function divergingScale(
  title: string,
  low: number,
  middle: number,
  high: number,
): Parameters<typeof heatmapFigure>[0]["scale"] {
  const text = (value: number): string => String(Number(value.toPrecision(2)));
  return {
    title,
    low: text(low),
    middle: text(middle),
    high: text(high),
    color: (fraction) => diverging(2 * fraction - 1),
  };
}
