import type { Matrix } from "../../../fields.ts";
import { writePng, writeSvg, type Figure } from "../../../figures/figure.ts";
import type { LegendEntry } from "../../../figures/legend.ts";
import { writePdf } from "../../../figures/pdf.ts";
import { compositionFigure } from "./composition-figure.ts";
import { embeddingFigure } from "./embedding-figure.ts";
import { groupsOnTissue, valuesOnTissue, type CellShapes } from "./tissue-figure.ts";
import type { TissuePanel } from "../../../figures/tissue-panel.ts";

export interface FigureContent {
  panel: TissuePanel;
  shapes: CellShapes;
  embedding: Matrix<Float32Array>;
  typeOf: Int32Array;
  types: LegendEntry[];
  clusterOf: Int32Array;
  clusters: LegendEntry[];
  /** Genes to draw, with a value a cell each. */
  genes: { name: string; values(): Float32Array }[];
  /** Figures of the statistics, by name. */
  statistics: [name: string, make: () => Figure][];
}

/** The one that the results page shows. */
const ON_PAGES = "showspatial_celltypes";

/**
 * Draws the step's figures one after the other as PNG, SVG and PDF. `pathOf` gives the path of a file name, `darkPathOf`
 * of a figure that pages show in the dark; `drawn` is told how far it is. Returns the names.
 */
export async function drawFigures(
  content: FigureContent,
  pathOf: (file: string) => string,
  darkPathOf: (file: string) => string,
  drawn: (fraction: number) => void,
): Promise<string[]> {
  const { panel, shapes, embedding, typeOf, types, clusterOf, clusters, genes } = content;
  const cells = `${typeOf.length.toLocaleString("en-US")} cells`;
  const kinds = `${types.filter((type) => type.count > 0).length} cell types`;
  const figures: [name: string, make: () => Figure][] = [
    [
      ON_PAGES,
      () =>
        groupsOnTissue(panel, shapes, typeOf, types, {
          title: "Cell types in the tissue",
          subtitle: `${cells} · ${kinds}`,
          legend: "Cell type",
        }),
    ],
    [
      "umap_celltypes",
      () =>
        embeddingFigure(embedding, typeOf, types, {
          title: "Cell types",
          subtitle: `${cells} · ${kinds} · UMAP`,
          legend: "Cell type",
          legendOrder: "size",
        }),
    ],
    [
      "umap_clusters",
      () =>
        embeddingFigure(embedding, clusterOf, clusters, {
          title: "Clusters",
          subtitle: `${cells} · ${clusters.length} clusters · UMAP`,
          legend: "Cluster",
          legendOrder: "given",
        }),
    ],
    ["celltype_composition", () => compositionFigure(typeOf, types, clusterOf, clusters)],
    ...content.statistics,
  ];
  const names: string[] = [];
  const total = figures.length + genes.length;
  for (const [name, make] of figures) {
    const figure = make();
    await writePng(pathOf(`${name}.png`), figure);
    await writeSvg(pathOf(`${name}.svg`), figure);
    await writePdf(pathOf(`${name}.pdf`), figure);
    if (name === ON_PAGES) await writePng(darkPathOf(`${name}.png`), figure, "dark");
    names.push(name);
    drawn(names.length / total);
  }
  for (const gene of genes) {
    const name = `spatial_${fileName(gene.name)}`;
    const figure = valuesOnTissue(panel, shapes, gene.values(), {
      title: gene.name,
      subtitle: "Inferred rate: expected counts of each cell",
      unit: "Rate",
    });
    await writePng(pathOf(`${name}.png`), figure);
    await writeSvg(pathOf(`${name}.svg`), figure);
    await writePdf(pathOf(`${name}.pdf`), figure);
    names.push(name);
    drawn(names.length / total);
  }
  return names;
}

/** Gene names hold characters that file systems refuse. */
function fileName(gene: string): string {
  return gene.replace(/[^\w.-]/g, "_");
}
