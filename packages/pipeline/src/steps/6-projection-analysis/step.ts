import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { viewerManifest } from "@stipple/contract";
import * as z from "zod";
import { throwIfCancelled } from "../../errors.ts";
import type { Figure } from "../../figures/figure.ts";
import { writePng, writeSvg } from "../../figures/figure.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { defineStep } from "../../step.ts";
import { openRates } from "../4-vector-transformation/rates.ts";
import { compositionFigure } from "./figures/composition-figure.ts";
import { embeddingFigure } from "./figures/embedding-figure.ts";
import { groupsOnTissue, valuesOnTissue } from "./figures/tissue-figure.ts";
import { tissuePanel } from "./figures/tissue-panel.ts";
import { clusterGroups, typeGroups } from "./groups.ts";
import { tellingGenes } from "./telling-genes.ts";
import { tissueSource } from "./tissue-source.ts";
import { umap } from "./umap.ts";
import { writeColumns } from "./viewer/columns.ts";
import { writeGeneMajorCounts } from "./viewer/gene-major-counts.ts";
import { writeTissuePyramid } from "./viewer/tissue-pyramid.ts";

export const projectionAnalysis = defineStep({
  number: 6,
  name: "Projection Analysis & Visualization",
  weight: 15,
  version: 1,
  reads: [
    "cells/X_pca",
    "cells/xy",
    "cells/polygon",
    "cells/cell_type",
    "cells/cluster",
    "cells/observed",
    "cells/counts",
    "cells/membership",
    "genes/profile",
    "genes/reliable",
    "types/name",
    "types/color",
    "spots/xy",
    "sample/scale",
    "sample/image",
    "genes/name",
  ],
  writes: ["cells/X_umap"],
  folders: ["figures"],
  params: z.strictObject({
    neighbors: z.int().min(3).max(100).default(15),
    minDist: z.number().min(0).max(1).default(0.3),
    /** Cells that UMAP lays out directly; the others are placed among them. */
    maxDirect: z.int().min(100).default(50_000),
    /** Longer side of the tissue in a figure, px. */
    figureSidePx: z.int().min(100).max(8000).default(2400),
    /** Genes to draw, at most: one for each of the largest cell types. */
    geneFigures: z.int().min(0).max(50).default(4),
  }),
  async run(context) {
    const { params, read, progress, signal, log } = context;
    const xy = await read("cells/xy");
    const nCells = xy.nRows;

    const embedding = await umap(await read("cells/X_pca"), {
      ...params,
      seed: context.settings.seed,
      threads: context.threads,
      signal,
      progress: (fraction) => progress(0.5 * fraction),
    });
    await context.write("cells/X_umap", embedding);
    log(
      nCells > params.maxDirect
        ? `UMAP of ${params.maxDirect} sketched cells; the other ${nCells - params.maxDirect} are placed among them.`
        : `UMAP of ${nCells} cells.`,
    );

    const scale = await read("sample/scale");
    const facts = await read("sample/image");
    const spots = await read("spots/xy");
    const polygons = await read("cells/polygon");
    const typeOf = await read("cells/cell_type");
    const clusterOf = await read("cells/cluster");
    const types = typeGroups(typeOf, await read("types/name"), await read("types/color"));
    const clusters = clusterGroups(clusterOf);
    const genes = await read("genes/name");
    const source = tissueSource(facts, context.files);
    const extent = { widthPx: facts.widthPx * facts.scale, heightPx: facts.heightPx * facts.scale };

    const viewer = context.output("viewer");
    await mkdir(viewer);
    const tissue = await writeTissuePyramid(viewer, source, extent);
    throwIfCancelled(signal);
    progress(0.62);
    const columns = await writeColumns(
      viewer,
      { xy, typeOf, clusterOf, observed: await read("cells/observed"), umap: embedding, polygons },
      spots,
    );
    await writeGeneMajorCounts(viewer, await read("cells/counts"));
    const manifest = viewerManifest.parse({
      version: 1,
      ...extent,
      micronsPerPixel: scale.micronsPerPixel,
      nCells,
      nSpots: spots.nRows,
      spotRadiusPx: scale.spotSizeUm / 2 / scale.micronsPerPixel,
      types,
      clusters,
      genes,
      tissue,
      columns,
    });
    await writeFile(join(viewer, "manifest.json"), JSON.stringify(manifest));
    throwIfCancelled(signal);
    progress(0.7);

    const summary = `${nCells.toLocaleString("en-US")} cells · ${types.filter((type) => type.count > 0).length} cell types`;
    const image = source === null ? null : await openTissueImage(source);
    const panel = await tissuePanel(image, facts.scale, [xy, spots], {
      longSidePx: params.figureSidePx,
      micronsPerPixel: scale.micronsPerPixel,
      signal,
    });
    image?.close();
    const shapes = { polygons, xy };
    const drawn: string[] = [];
    const draw = async (name: string, figure: Figure): Promise<void> => {
      throwIfCancelled(signal);
      await writePng(context.shared(`figures/${name}.png`), figure);
      await writeSvg(context.shared(`figures/${name}.svg`), figure);
      drawn.push(name);
      progress(0.7 + 0.3 * (drawn.length / (4 + params.geneFigures)));
    };
    await draw(
      "showspatial_celltypes",
      groupsOnTissue(panel, shapes, typeOf, types, {
        title: "Cell types in the tissue",
        subtitle: summary,
        legend: "Cell type",
      }),
    );
    await draw(
      "umap_celltypes",
      embeddingFigure(embedding, typeOf, types, {
        title: "Cell types",
        subtitle: `${summary} · UMAP`,
        legend: "Cell type",
      }),
    );
    await draw(
      "umap_clusters",
      embeddingFigure(embedding, clusterOf, clusters, {
        title: "Clusters",
        subtitle: `${nCells.toLocaleString("en-US")} cells · ${clusters.length} clusters · UMAP`,
        legend: "Cluster",
      }),
    );
    await draw("celltype_composition", compositionFigure(typeOf, types, clusterOf, clusters));
    if (params.geneFigures > 0) {
      const rates = await openRates(context.earlier(0, ".."));
      const telling = tellingGenes(
        await read("cells/membership"),
        await read("genes/profile"),
        typeOf,
        types.length,
        await read("genes/reliable"),
        params.geneFigures,
      );
      for (const gene of telling) {
        await draw(
          `spatial_${fileName(genes[gene])}`,
          valuesOnTissue(panel, shapes, rates.column(gene), {
            title: genes[gene],
            subtitle: "inferred rate, expected counts of a cell",
            unit: "Rate",
          }),
        );
      }
    }
    log(`Figures: ${drawn.join(", ")}.`);
  },
});

/** Gene names hold characters that file systems refuse. */
function fileName(gene: string): string {
  return gene.replace(/[^\w.-]/g, "_");
}
