import { counted } from "@stipple/contract/counted";
import { markersOf } from "@stipple/contract/markers-of";
import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../../../figures/figure.ts";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { TissuePanel } from "../../../figures/tissue-panel.ts";
import type { MarkerTable, MoranTable } from "@stipple/contract/statistical-facts";
import type { AlignmentScale } from "../../../facts.ts";
import { unitNoun } from "../cell-markers/spot-test.ts";
import type { SpaceResult } from "../spatial-statistics/analyze-in-space.ts";
import { coOccurrenceFigure, typesWithPairs } from "./co-occurrence-figure.ts";
import {
  domainCompositionFigure,
  enrichmentFigure,
  ligandReceptorFigure,
  markersFigure,
  typesWithScores,
} from "./statistics-figures.ts";
import { groupsOnTissue, type CellShapes } from "../../../figures/cells/tissue-figure.ts";
import type { RowNoun } from "../../../model/row-noun.ts";
import { fitText, round, svgText } from "../../../figures/svg.ts";

export interface StatisticsContent {
  /** What each row is: cells, spots, or bins. */
  rows: RowNoun;
  scale: Pick<AlignmentScale, "spotShape">;
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
  const nouns = { rows, units: unitNoun(content.scale) };
  const geneOf = new Map(genes.map((name, gene) => [name, gene]));
  content.aucs.forEach((auc, table) => {
    const markers = content.markers[table];
    if (markers.groups.every((group) => markersOf(group).length === 0)) return;
    const { columns, name } = COLUMNS[markers.groupBy](content);
    const columnOf = (group: string): number => columns.indexOf(group);
    figures.push([
      name,
      () => markersFigure(markers, nouns, auc, columnOf, (gene) => geneOf.get(gene)!),
    ]);
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
            subtitle: `${counted(domainOf.length, rows)} · ${domains.count} domains · from inferred expression and cell types`,
            legend: "Domain",
          }),
      ],
      ["domain_composition", () => domainCompositionFigure(domains, rows)],
    );
  }
  if (moran && moran.genes.length > 0) figures.push(["morans_i", () => moranFigure(moran)]);
  if (enrichment && typesWithScores(enrichment).length > 1) {
    figures.push(["neighborhood_enrichment", () => enrichmentFigure(enrichment, rows)]);
  }
  if (coOccurrence && typesWithPairs(coOccurrence).length > 1) {
    figures.push(["co_occurrence", () => coOccurrenceFigure(coOccurrence, types)]);
  }
  if (ligandReceptor && ligandReceptor.ligand.length > 0) {
    figures.push(["ligand_receptor", () => ligandReceptorFigure(ligandReceptor, rows)]);
  }
  return figures;
}

const FONT = 28;
const MARGIN = 40;
const TOP = 150;
const NAMES = 240;
const BARS = 900;
const NUMBERS = 330;
const ROW = 46;
const MAX_GENES = 30;

/** The genes with the highest I; bars are filled if the false discovery rate is below 0.05. */
function moranFigure(moran: MoranTable): Figure {
  const count = Math.min(MAX_GENES, moran.genes.length);
  const significant = moran.fdr.filter((fdr, gene) => fdr < 0.05 && moran.I[gene] > 0).length;
  const longest = Math.max(1e-9, ...moran.I.slice(0, count));
  const left = MARGIN + NAMES;
  const parts = [
    svgText(MARGIN, FONT * 1.8, "Spatially variable genes (Moran’s I)", {
      size: FONT * 1.4,
      weight: 600,
    }),
    svgText(
      MARGIN,
      FONT * 3.4,
      `${significant.toLocaleString("en-US")} of ${moran.genes.length.toLocaleString("en-US")} reliable genes at a false discovery rate below 5% (filled bars)`,
      { size: FONT * 0.9, color: "#46566a" },
    ),
    svgText(left + BARS + 120, TOP - 14, "FDR", { size: FONT * 0.9, weight: 600 }),
    svgText(left, TOP - 14, "I", { size: FONT * 0.9, weight: 600 }),
  ];
  for (let row = 0; row < count; row++) {
    const top = TOP + row * ROW;
    const width = Math.max(2, (BARS * Math.max(0, moran.I[row])) / longest);
    const filled = moran.fdr[row] < 0.05;
    const baseline = top + ROW * 0.58;
    parts.push(
      svgText(left - 16, baseline, fitText(moran.genes[row], FONT, NAMES - 20), {
        size: FONT,
        anchor: "end",
      }),
      `<rect x="${left}" y="${top + 4}" width="${round(width)}" height="${ROW - 12}" rx="4" fill="${filled ? "#0072B2" : "#ffffff"}" stroke="#0072B2" stroke-width="2"/>`,
      svgText(left + width + 12, baseline, moran.I[row].toFixed(3), {
        size: FONT * 0.85,
        color: "#46566a",
      }),
      svgText(left + BARS + 120, baseline, probability(moran.fdr[row]), {
        size: FONT * 0.85,
        color: "#46566a",
      }),
    );
  }
  return {
    widthPx: left + BARS + NUMBERS + MARGIN,
    heightPx: TOP + count * ROW + MARGIN,
    layers: [{ kind: "vector", svg: parts.join("\n") }],
  };
}

function probability(p: number): string {
  if (p >= 0.001) return p.toFixed(3);
  if (p < 1e-300) return "< 1e-300";
  return p.toExponential(0).replace("e-", "e−");
}
