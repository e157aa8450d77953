import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../../../figures/figure.ts";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { TissuePanel } from "../../../figures/tissue-panel.ts";
import type { MarkerTable } from "@stipple/contract/statistical-facts";
import type { SpaceResult } from "../spatial-statistics/analyze-in-space.ts";
import { coOccurrenceFigure } from "./co-occurrence-figure.ts";
import { moranFigure } from "./moran-figure.ts";
import {
  domainCompositionFigure,
  enrichmentFigure,
  ligandReceptorFigure,
  markersFigure,
} from "./statistics-figures.ts";
import { groupsOnTissue, type CellShapes } from "../../../figures/cells/tissue-figure.ts";
import { countRows, type RowNoun } from "../../../model/row-noun.ts";

export interface StatisticsContent {
  /** What each row is: cells, spots, or bins. */
  rows: RowNoun;
  panel: TissuePanel;
  shapes: CellShapes;
  types: LegendEntry[];
  genes: readonly string[];
  markers: readonly MarkerTable[];
  /** Areas under the curve, one matrix per marker table. */
  aucs: readonly Matrix<Float32Array>[];
  /** Null in a basic run. */
  space: SpaceResult | null;
}

/** Column labels of the areas under the curve and the figure name, for each grouping. */
const COLUMNS: Record<
  MarkerTable["groupBy"],
  (content: StatisticsContent) => { columns: string[]; name: string }
> = {
  cluster: ({ aucs }) => ({
    columns: Array.from({ length: aucs[0].nCols }, (_, cluster) => String(cluster)),
    name: "markers_clusters",
  }),
  cell_type: ({ types }) => ({ columns: types.map(({ name }) => name), name: "markers_celltypes" }),
  domain: ({ space }) => ({
    columns: space?.statistics.domains?.names ?? [],
    name: "markers_domains",
  }),
};

/** The figures for which there are results, by name. */
export function statisticsFigures(
  content: StatisticsContent,
): [name: string, make: () => Figure][] {
  const figures: [string, () => Figure][] = [];
  const { rows, panel, shapes, types, genes, space } = content;
  const geneOf = new Map(genes.map((name, gene) => [name, gene]));
  content.aucs.forEach((auc, table) => {
    const markers = content.markers[table];
    if (!markers.groups.some(({ pvalsAdj }) => pvalsAdj[0] < 0.05)) return;
    const { columns, name } = COLUMNS[markers.groupBy](content);
    const columnOf = (group: string): number => columns.indexOf(group);
    figures.push([name, () => markersFigure(markers, auc, columnOf, (gene) => geneOf.get(gene)!)]);
  });
  if (!space) return figures;
  const { moran, enrichment, coOccurrence, domains, ligandReceptor } = space.statistics;
  const { domainOf } = space;
  if (domains && domainOf) {
    const entries = domains.names.map((name, domain) => ({
      name,
      color: domains.colors[domain],
      count: domains.cells[domain],
    }));
    figures.push(
      [
        "spatial_domains",
        () =>
          groupsOnTissue(panel, shapes, domainOf, entries, {
            title: "Spatial domains",
            subtitle: `${countRows(domainOf.length, rows)} · ${domains.count} domains · from inferred expression and cell types`,
            legend: "Domain",
          }),
      ],
      ["domain_composition", () => domainCompositionFigure(domains)],
    );
  }
  if (moran && moran.genes.length > 0) figures.push(["morans_i", () => moranFigure(moran)]);
  if (enrichment && enrichment.types.length > 1) {
    figures.push(["neighborhood_enrichment", () => enrichmentFigure(enrichment)]);
  }
  if (coOccurrence && coOccurrence.types.length > 1) {
    figures.push(["co_occurrence", () => coOccurrenceFigure(coOccurrence, types)]);
  }
  if (ligandReceptor && ligandReceptor.ligand.length > 0) {
    figures.push(["ligand_receptor", () => ligandReceptorFigure(ligandReceptor)]);
  }
  return figures;
}
