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
};

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
    for (const name of names) {
      const path = this.#left.get(name);
      if (path === undefined) continue;
      this.#left.delete(name);
      const caption = CAPTIONS[name] ?? captionOf(name);
      shown.push(await embedFigure(path, caption, html`${caption}`));
    }
    return shown.length === 0 ? null : html`<div class="pair">${shown}</div>`;
  }
}

/** "spatial_GAD1" shows a gene; other names are words. */
function captionOf(name: string): string {
  const gene = /^spatial_(?!domains)(.+)$/.exec(name)?.[1];
  if (gene !== undefined) return `${gene}: inferred rate of every cell.`;
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
