import { basename } from "node:path";
import { html, type Html } from "../../../exports/report/html.ts";
import sharp from "sharp";
import type { ReportContent } from "./report-content.ts";

type Nouns = Pick<ReportContent, "noun" | "spotNoun">;

/** Description of each picture, by file name. Used as caption and alt text. */
const CAPTIONS: Record<string, string> = {
  stain_separation: "The image as the analysis sees it, split into stains or channels.",
  segmentation_overview: "Outlines of nuclei and cells in parts of the tissue.",
  showspatial_celltypes: "After: every cell in the tissue, colored by type.",
  umap_celltypes: "UMAP colored by type. Distances between groups mean little.",
  umap_clusters: "UMAP colored by cluster.",
  celltype_composition: "Types in each cluster.",
  markers_celltypes: "Markers of the types, tested on the observed counts.",
  markers_clusters: "Markers of the clusters, tested on the observed counts.",
  markers_domains: "Markers of the spatial domains, tested on the observed counts.",
  spatial_domains: "Spatial domains: regions with similar cells and neighbors.",
  domain_composition: "Types in each domain.",
  morans_i: "Genes with the strongest spatial pattern.",
  neighborhood_enrichment: "Which types are neighbors more or less often than expected by chance.",
  co_occurrence:
    "How much more likely a type is within a given distance of another than expected by chance (1).",
  ligand_receptor:
    "Ligands and receptors that neighboring types express more than expected by chance.",
};

/** Captions that depend on what rows and capture areas are. */
function captionsOf({ noun, spotNoun }: Nouns): Record<string, string> {
  if (noun === "cell") {
    return {
      spatial_clusters: `Before: the measured ${spotNoun}s over the tissue, colored by cluster.`,
    };
  }
  return {
    showspatial_celltypes: `The measured ${noun}s over the tissue, colored by type.`,
    spatial_clusters: `The measured ${noun}s over the tissue, colored by cluster.`,
    spatial_domains: `Spatial domains: regions with similar ${noun}s and neighbors.`,
  };
}

/** Pictures with a lot of small text get the full width. */
const WIDE = new Set([
  "celltype_composition",
  "markers_celltypes",
  "markers_clusters",
  "markers_domains",
  "ligand_receptor",
  "co_occurrence",
]);

/** The pictures of a report; each is shown once. */
export class ReportFigures {
  readonly #left: Map<string, string>;

  readonly #nouns: Nouns;

  constructor(paths: readonly string[], nouns: Nouns) {
    this.#nouns = nouns;
    this.#left = new Map(paths.map((path) => [basename(path).replace(/\.\w+$/, ""), path]));
  }

  /** Names of pictures not shown yet. */
  get left(): string[] {
    return [...this.#left.keys()];
  }

  /** Takes all pictures not shown yet. */
  takeAll(): Promise<Html | null> {
    return this.take(this.left);
  }

  /** The named pictures that exist, side by side if the page is wide enough. */
  async take(names: readonly string[]): Promise<Html | null> {
    const shown: Html[] = [];
    const wide: Html[] = [];
    for (const name of names) {
      const path = this.#left.get(name);
      if (path === undefined) continue;
      this.#left.delete(name);
      const caption =
        captionsOf(this.#nouns)[name] ?? CAPTIONS[name] ?? captionOf(name, this.#nouns);
      const [folder] = /\w*figures(?=\/[^/]*$)/.exec(path.replaceAll("\\", "/")) ?? [];
      const files = folder
        ? html` <span class="files">Also as SVG and PDF: <code>${folder}/${name}</code></span>`
        : null;
      const figure = await embedFigure(path, caption, html`${caption}${files}`);
      (WIDE.has(name) ? wide : shown).push(figure);
    }
    if (shown.length + wide.length === 0) return null;
    return html`${shown.length > 0 && html`<div class="pair">${shown}</div>`}${wide}`;
  }
}

/** "spatial_GAD1" shows a gene in cells and "spot_gene_GAD1" in spots or bins; other names are plain words. */
function captionOf(name: string, { noun, spotNoun }: Nouns): string {
  const measured = /^spot_gene_(.+)$/.exec(name)?.[1];
  if (measured !== undefined) return `${measured}: measured counts of every ${spotNoun}.`;
  const gene = /^spatial_(?!domains)(.+)$/.exec(name)?.[1];
  if (gene !== undefined) return `${gene}: inferred expression of every ${noun}.`;
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Enough for a page 1,200 px wide and for print. */
const WIDTH_PX = 1400;
/** The largest side that WebP supports. */
const MAX_PX = 16_383;

/** A picture embedded in the page, with its caption. Re-encoded, because the figure files themselves are large. */
export async function embedFigure(path: string, alt: string, caption: Html): Promise<Html> {
  const { data, info } = await sharp(path, { limitInputPixels: false })
    .resize({ width: WIDTH_PX, height: MAX_PX, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  const source = `data:image/webp;base64,${data.toString("base64")}`;
  return html`<figure>
    <img src="${source}" width="${info.width}" height="${info.height}" alt="${alt}" />
    <figcaption>${caption}</figcaption>
  </figure>`;
}
