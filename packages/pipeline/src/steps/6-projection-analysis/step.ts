import * as z from "zod";
import { throwIfCancelled } from "../../errors.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { defineStep } from "../../step.ts";
import { workingImagePath } from "../1-optical-decomposition/working-image.ts";
import { openRates } from "../../model/rates.ts";
import { drawFigures } from "./figures/draw-figures.ts";
import { PANEL_SIDE_PX, tissuePanel } from "../../figures/tissue-panel.ts";
import { statisticsFigures } from "./figures/list-statistics.ts";
import { clusterGroups, domainGroups, typeGroups } from "../../model/groups.ts";
import { runStatistics } from "./run-statistics.ts";
import { tellingGenes } from "./telling-genes.ts";
import { umap } from "./umap.ts";
import { writeViewer } from "./viewer/write-viewer.ts";

export const projectionAnalysis = defineStep({
  number: 6,
  name: "Projection Analysis & Visualization",
  weight: 15,
  version: 8,
  reads: [
    "cells/X_pca",
    "cells/xy",
    "cells/polygon",
    "cells/cell_type",
    "cells/cluster",
    "cells/observed",
    "cells/area_um2",
    "cells/nucleus_area_um2",
    "cells/confidence",
    "cells/type_margin",
    "cells/rate_cv",
    "cells/counts",
    "cells/membership",
    "genes/profile",
    "genes/reliable",
    "genes/heldout_pcc",
    "genes/rate_cv",
    "genes/unassigned",
    "types/name",
    "types/color",
    "spots/xy",
    "spots/array",
    "spots/cluster",
    "spots/total_counts",
    "sample/scale",
    "sample/image",
    "genes/name",
    "genes/symbol",
    "sample/typing",
  ],
  writes: [
    "cells/X_umap",
    "sample/markers",
    "genes/cluster_auc",
    "genes/type_auc",
    "cells/neighbors",
    "cells/domain",
    "sample/spatial_statistics",
  ],
  folders: ["figures"],
  params: z.strictObject({
    neighbors: z.int().min(3).max(100).default(15),
    minDist: z.number().min(0).max(1).default(0.3),
    /** Cells that UMAP lays out directly; the others are placed among them. */
    maxDirect: z.int().min(100).default(50_000),
    /** Longer side of the tissue in a figure, px. */
    figureSidePx: z.int().min(100).max(8000).default(PANEL_SIDE_PX),
    /** Genes to draw, at most: one for each of the largest cell types. */
    geneFigures: z.int().min(0).max(50).default(4),
    /** Genes that are listed for every cluster, type and domain. */
    markersPerGroup: z.int().min(1).max(1000).default(100),
    /** Advanced: of cells, in each permutation test; fewer where the sample is very large. */
    permutations: z.int().min(19).max(10_000).default(999),
  }),
  async run(context) {
    const { params, read, progress, signal, log } = context;
    const advanced = context.settings.analysisType === "advanced";
    // What of the step's time the statistics take, after UMAP and before figures.
    const [umapEnd, statisticsEnd] = advanced ? [0.3, 0.7] : [0.5, 0.55];
    const xy = await read("cells/xy");
    const nCells = xy.nRows;
    const embedding = await umap(await read("cells/X_pca"), {
      ...params,
      seed: context.settings.seed,
      threads: context.threads,
      signal,
      progress: (fraction) => progress(umapEnd * fraction),
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
    const counts = await read("cells/counts");
    const reliable = await read("genes/reliable");
    const observed = await read("cells/observed");
    const statistics = await runStatistics(
      context,
      {
        counts,
        observed,
        reliable,
        xy,
        micronsPerPixel: scale.micronsPerPixel,
        genes,
        typeOf,
        types,
        clusterOf,
        clusters,
      },
      {
        ...params,
        seed: context.settings.seed,
        signal,
        progress: (fraction) => progress(umapEnd + (statisticsEnd - umapEnd) * fraction),
      },
    );
    const spotClusterOf = await read("spots/cluster");
    const path = await workingImagePath(context);
    const image = path === null ? null : await openTissueImage(path);

    await writeViewer(
      context.output("viewer"),
      {
        image,
        fluorescence: context.settings.staining === "if",
        facts,
        scale,
        types,
        clusters,
        domains: domainGroups(statistics.space?.statistics.domains ?? null),
        spotClusters: clusterGroups(spotClusterOf),
        counts,
        cells: {
          xy,
          umap: embedding,
          polygons,
          typeOf,
          clusterOf,
          domainOf: statistics.space?.domainOf ?? null,
          observed,
          areaUm2: await read("cells/area_um2"),
          nucleusAreaUm2: await read("cells/nucleus_area_um2"),
          confidence: await read("cells/confidence"),
          typeMargin: await read("cells/type_margin"),
          rateCv: await read("cells/rate_cv"),
        },
        spots: {
          xy: spots,
          array: await read("spots/array"),
          clusterOf: spotClusterOf,
          totalCounts: await read("spots/total_counts"),
        },
        genes: {
          names: genes,
          reliable,
          heldoutPcc: await read("genes/heldout_pcc"),
          rateCv: await read("genes/rate_cv"),
          unassigned: await read("genes/unassigned"),
        },
      },
      signal,
    );
    throwIfCancelled(signal);
    progress(statisticsEnd + 0.1);

    const ground = image ? { image, scale: facts.scale } : null;
    const panel = await tissuePanel(ground, facts, spots, {
      longSidePx: params.figureSidePx,
      micronsPerPixel: scale.micronsPerPixel,
      signal,
    });
    image?.close();
    const rates = await openRates(context.earlier(0, ".."));
    const telling = tellingGenes(
      await read("cells/membership"),
      await read("genes/profile"),
      typeOf,
      types.length,
      reliable,
      params.geneFigures,
    );
    const drawn = await drawFigures(
      {
        panel,
        shapes: { polygons, xy },
        embedding,
        typeOf,
        types,
        clusterOf,
        clusters,
        genes: telling.map((gene) => ({ name: genes[gene], values: () => rates.column(gene) })),
        statistics: statisticsFigures({
          panel,
          shapes: { polygons, xy },
          types,
          genes,
          ...statistics,
        }),
      },
      (file) => context.shared(`figures/${file}`),
      (fraction) => {
        progress(statisticsEnd + 0.1 + (0.9 - statisticsEnd) * fraction);
        throwIfCancelled(signal);
      },
    );
    log(`Figures: ${drawn.join(", ")}.`);
  },
});
