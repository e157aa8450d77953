import { counted } from "@stipple/contract/counted";
import type { Tasks } from "@stipple/tasks/task";
import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../figure.ts";
import type { LegendEntry } from "../legend.ts";
import type { TissuePanel } from "../tissue-panel.ts";
import { compositionFigure } from "./composition-figure.ts";
import { embeddingFigure } from "./embedding-figure.ts";
import { groupsOnTissue, valuesOnTissue, type CellShapes } from "./tissue-figure.ts";
import { writeFigure, type FigureFiles } from "./write-figure.ts";
import type { RowNoun } from "../../model/row-noun.ts";

/** A figure and the function that builds it when it is needed. */
export type FigureOrder = [name: string, make: () => Figure];

/** The groups in which cells are shown. */
export interface CellGroups {
  /** What each row is: cells, spots, or bins. */
  rows: RowNoun;
  typeOf: Int32Array;
  types: LegendEntry[];
  clusterOf: Int32Array;
  clusters: LegendEntry[];
}

export interface TissueContent extends CellGroups {
  panel: TissuePanel;
  shapes: CellShapes;
}

/** The figure shown on the results page. */
const ON_PAGES = "showspatial_celltypes";

/** Figures of cell positions and cell types. */
export function tissueFigures(content: TissueContent): FigureOrder[] {
  const { rows, panel, shapes, typeOf, types, clusterOf, clusters } = content;
  return [
    [
      ON_PAGES,
      () =>
        groupsOnTissue(panel, shapes, typeOf, types, {
          title: "Cell types in the tissue",
          subtitle: `${counted(typeOf.length, rows)} · ${kindsOf(types)}`,
          legend: "Cell type",
        }),
    ],
    ["celltype_composition", () => compositionFigure(rows, typeOf, types, clusterOf, clusters)],
  ];
}

/** Maps of genes over the tissue, one value per cell. */
export function geneFigures(
  panel: TissuePanel,
  shapes: CellShapes,
  rows: RowNoun,
  genes: readonly { name: string; values(): Float32Array }[],
): FigureOrder[] {
  return genes.map(({ name, values }): FigureOrder => [
    `spatial_${fileName(name)}`,
    () =>
      valuesOnTissue(panel, shapes, values(), {
        title: name,
        subtitle: `Inferred rate: expected counts per ${rows}`,
        unit: "Rate",
      }),
  ]);
}

/** UMAP figures. */
export function embeddingFigures(
  embedding: Matrix<Float32Array>,
  { rows, typeOf, types, clusterOf, clusters }: CellGroups,
): FigureOrder[] {
  return [
    [
      "umap_celltypes",
      () =>
        embeddingFigure(embedding, typeOf, types, {
          title: "Cell types",
          subtitle: `${counted(typeOf.length, rows)} · ${kindsOf(types)} · UMAP`,
          legend: "Cell type",
          legendOrder: "size",
        }),
    ],
    [
      "umap_clusters",
      () =>
        embeddingFigure(embedding, clusterOf, clusters, {
          title: "Clusters",
          subtitle: `${counted(clusterOf.length, rows)} · ${counted(clusters.length, "cluster")} · UMAP`,
          legend: "Cluster",
          legendOrder: "given",
        }),
    ],
  ];
}

/**
 * Builds figures one at a time and has worker threads write them as PNG, SVG, and PDF. `pathOf` maps a file
 * name to a path, `darkPathOf` does so for the figure that pages show; `progress` gets the fraction done.
 * Returns the names.
 */
export async function drawFigures(
  orders: readonly FigureOrder[],
  to: {
    pathOf(file: string): string;
    darkPathOf?(file: string): string;
    tasks: Tasks;
    signal: AbortSignal;
    progress(fraction: number): void;
  },
): Promise<string[]> {
  const inputs = {
    length: orders.length,
    at: (index: number): FigureFiles => {
      const [name, make] = orders[index];
      return {
        name,
        figure: make(),
        png: to.pathOf(`${name}.png`),
        svg: to.pathOf(`${name}.svg`),
        pdf: to.pathOf(`${name}.pdf`),
        dark: (name === ON_PAGES && to.darkPathOf?.(`${name}.png`)) || null,
      };
    },
  };
  const written: string[] = [];
  const call = { shared: {}, inputs };
  for await (const { name } of to.tasks.inOrder(writeFigure, call, { signal: to.signal })) {
    to.progress(written.push(name) / orders.length);
  }
  return written;
}

/** For example "8 cell types"; "Unknown" does not count. */
function kindsOf(types: readonly LegendEntry[]): string {
  const found = types.filter(({ name, count }) => count > 0 && name !== "Unknown").length;
  return counted(found, "cell type");
}

/** Gene names can contain characters that file systems reject. */
function fileName(gene: string): string {
  return gene.replace(/[^\w.-]/g, "_");
}
