import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { drawFigures, embeddingFigures, tissueFigures } from "../../figures/cells/draw-figures.ts";
import { PANEL_SIDE_PX, tissuePanel } from "../../figures/tissue-panel.ts";
import { rowNoun } from "../../model/row-noun.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import type { StepContext } from "../../step.ts";
import type { Results } from "./read-results.ts";

const FOLDER = "annotated_figures";

/**
 * The figures of types and clusters once more, as people named, merged, and assigned them; nothing if they did neither.
 * Returns the paths of the PNGs.
 */
export async function writeAnnotatedFigures(
  context: StepContext,
  { annotations, cells, types, clusters, outlines, facts, spots, umap }: Results,
  output: string,
): Promise<string[]> {
  if (!annotations?.types && !annotations?.clusters) return [];
  const { signal, tasks } = context;
  const image = await openWorkingImage(context);
  const panel = await tissuePanel(
    image && { image, scale: facts.image.scale },
    facts.image,
    spots.xy,
    { longSidePx: PANEL_SIDE_PX, micronsPerPixel: facts.scale.micronsPerPixel, signal },
  );
  const shown = {
    rows: rowNoun(facts.segmentation, facts.scale),
    typeOf: annotations.types?.groupOf ?? cells.typeOf,
    types: annotations.types?.groups ?? types,
    clusterOf: annotations.clusters?.groupOf ?? cells.clusterOf,
    clusters: annotations.clusters?.groups ?? clusters,
  };
  const shapes = { polygons: outlines.cells, xy: cells.xy };
  await mkdir(join(output, FOLDER));
  const pathOf = (file: string): string => join(output, FOLDER, file);
  const figures = [...tissueFigures({ panel, shapes, ...shown }), ...embeddingFigures(umap, shown)];
  const names = await drawFigures(
    figures.filter(
      ([name]) =>
        (annotations.types || !name.includes("celltypes")) &&
        (annotations.clusters || !name.includes("clusters")),
    ),
    { pathOf, tasks, signal, progress: () => undefined },
  );
  return names.map((name) => pathOf(`${name}.png`));
}
