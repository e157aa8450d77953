import { basename } from "node:path";
import { embedFigure } from "../../../exports/report/embed-figure.ts";
import { html, type Html } from "../../../exports/report/html.ts";

/** What each picture shows, by the name of its file. The words end up as caption and as text for those who cannot see it. */
const CAPTIONS: Record<string, string> = {
  spatial_clusters:
    "Before: the spots as they were measured, coloured by cluster, over the tissue.",
  stain_separation: "The image as the analysis sees it: its stains, or its channels, apart.",
  segmentation_overview: "Outlines of nuclei and cells in parts of the tissue.",
  showspatial_celltypes: "After: every cell in its place, coloured by type.",
  umap_celltypes: "UMAP, coloured by type. Distances between groups mean little.",
  umap_clusters: "UMAP, coloured by cluster.",
  celltype_composition: "Types in each cluster.",
  markers_celltypes: "Markers of the types, tested on the observed counts.",
  markers_clusters: "Markers of the clusters, tested on the observed counts.",
  markers_domains: "Markers of the spatial domains, tested on the observed counts.",
  spatial_domains: "Spatial domains: regions whose cells and neighbours are alike.",
  domain_composition: "Types in each domain.",
  morans_i: "Genes with the most spatial pattern.",
  neighborhood_enrichment: "Which types lie beside each other more or less often than by chance.",
  co_occurrence: "How much more likely a type is at a distance from another; 1 is chance.",
  ligand_receptor: "Ligands and receptors that neighbouring types hold more than by chance.",
};

/** Pictures with much small text get the whole width. */
const WIDE = new Set([
  "celltype_composition",
  "markers_celltypes",
  "markers_clusters",
  "markers_domains",
  "ligand_receptor",
  "co_occurrence",
]);

/** The pictures of a report: each is shown once. */
export class ReportFigures {
  readonly #left: Map<string, string>;

  constructor(paths: readonly string[]) {
    this.#left = new Map(paths.map((path) => [basename(path).replace(/\.\w+$/, ""), path]));
  }

  /** Names of pictures that were not shown yet. */
  get left(): string[] {
    return [...this.#left.keys()];
  }

  /** The named pictures that there are, side by side where the page is wide. */
  async take(names: readonly string[]): Promise<Html | null> {
    const shown: Html[] = [];
    const wide: Html[] = [];
    for (const name of names) {
      const path = this.#left.get(name);
      if (path === undefined) continue;
      this.#left.delete(name);
      const caption = CAPTIONS[name] ?? captionOf(name);
      const figure = await embedFigure(path, caption, html`${caption}`);
      (WIDE.has(name) ? wide : shown).push(figure);
    }
    if (shown.length + wide.length === 0) return null;
    return html`${shown.length > 0 && html`<div class="pair">${shown}</div>`}${wide}`;
  }
}

/** "spatial_GAD1" shows a gene; other names are words. */
function captionOf(name: string): string {
  const gene = /^spatial_(?!domains)(.+)$/.exec(name)?.[1];
  if (gene !== undefined) return `${gene}: inferred rate of every cell.`;
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
