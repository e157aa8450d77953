import * as z from "zod";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix } from "../../fields.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { MarkerTable } from "../../statistical-facts.ts";
import { defineStep } from "../../step.ts";
import { workingImagePath } from "../1-optical-decomposition/working-image.ts";
import { openRates } from "../4-vector-transformation/rates.ts";
import { drawFigures } from "./figures/draw-figures.ts";
import { tissuePanel } from "../../figures/tissue-panel.ts";
import { findMarkers } from "./cell-markers/find-markers.ts";
import { statisticsFigures } from "./figures/list-statistics.ts";
import { clusterGroups, typeGroups } from "./groups.ts";
import { analyseInSpace, type SpaceResult } from "./spatial-statistics/analyse-in-space.ts";
import { geneValues } from "./spatial-statistics/gene-values.ts";
import { testedCells } from "./spatial-statistics/tested-cells.ts";
import { partOf } from "./spatial-statistics/work.ts";
import { writeMarkers, writeSpatialTables } from "./spatial-statistics/write-tables.ts";
import { tellingGenes } from "./telling-genes.ts";
import { umap } from "./umap.ts";
import { writeViewer } from "./viewer/write-viewer.ts";

export const projectionAnalysis = defineStep({
  number: 6,
  name: "Projection Analysis & Visualization",
  weight: 15,
  version: 3,
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
    figureSidePx: z.int().min(100).max(8000).default(2400),
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
    const { markers, aucs, space } = await analyse();
    const path = await workingImagePath(context);
    const image = path === null ? null : await openTissueImage(path);

    await writeViewer(
      context.output("viewer"),
      {
        image,
        facts,
        scale,
        cells: {
          xy,
          typeOf,
          clusterOf,
          observed,
          umap: embedding,
          polygons,
        },
        spots,
        types,
        clusters,
        genes,
        counts,
      },
      signal,
    );
    throwIfCancelled(signal);
    progress(statisticsEnd + 0.1);

    const panel = await tissuePanel(image, facts.scale, [xy, spots], {
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
          markers,
          aucs,
          space,
        }),
      },
      (file) => context.shared(`figures/${file}`),
      (fraction) => {
        progress(statisticsEnd + 0.1 + (0.9 - statisticsEnd) * fraction);
        throwIfCancelled(signal);
      },
    );
    log(`Figures: ${drawn.join(", ")}.`);

    async function analyse(): Promise<StatisticsResult> {
      const work = {
        seed: context.settings.seed,
        signal,
        progress: (fraction: number) => progress(umapEnd + (statisticsEnd - umapEnd) * fraction),
      };
      const tested = testedCells(counts, observed);
      const space = advanced
        ? await analyseInSpace(
            {
              xy,
              micronsPerPixel: scale.micronsPerPixel,
              counts,
              tested,
              reliable,
              geneNames: genes,
              geneSymbols: await read("genes/symbol"),
              species: (await read("sample/typing")).species,
              typeOf,
              types,
              components: await read("cells/X_pca"),
              membership: await read("cells/membership"),
            },
            { ...partOf(work, 0, 0.85), permutations: params.permutations },
          )
        : null;
      const at = (values: Int32Array): Int32Array =>
        Int32Array.from(tested.cells, (cell) => values[cell]);
      const found = await findMarkers(
        geneValues(counts, tested, reliable),
        { cells: tested.cells.length, genes: reliable.reduce((sum, flag) => sum + flag, 0) },
        [
          { groupBy: "cluster", groupOf: at(clusterOf), names: clusters.map(({ name }) => name) },
          { groupBy: "cell_type", groupOf: at(typeOf), names: types.map(({ name }) => name) },
          ...(space?.domainOf && space.statistics.domains
            ? [
                {
                  groupBy: "domain" as const,
                  groupOf: at(space.domainOf),
                  names: space.statistics.domains.names,
                },
              ]
            : []),
        ],
        genes,
        params.markersPerGroup,
        partOf(work, advanced ? 0.85 : 0, 1),
      );
      const markers = found.map(({ table }) => table);
      await context.write("sample/markers", markers);
      await context.write("genes/cluster_auc", found[0].auc);
      await context.write("genes/type_auc", found[1].auc);
      await writeMarkers(markers, context.output);
      log(
        `Markers from the observed counts of ${tested.cells.length} cells and ${markers[0].testedGenes} reliable genes.`,
      );
      if (space) {
        const { statistics, neighbors, domainOf } = space;
        await context.write("cells/neighbors", neighbors);
        if (domainOf) await context.write("cells/domain", domainOf);
        await context.write("sample/spatial_statistics", statistics);
        await writeSpatialTables(statistics, domainOf, context.output);
        for (const note of statistics.notes) context.warn(note);
        log(
          `In space: ${statistics.domains?.count ?? 0} domains, ${statistics.moran?.genes.length ?? 0} genes tested for Moran's I, ${statistics.ligandReceptor?.testedPairs ?? 0} ligand–receptor pairs.`,
        );
      }
      return { markers, aucs: found.map(({ auc }) => auc), space };
    }
  },
});

interface StatisticsResult {
  markers: MarkerTable[];
  /** Of clusters and of types. */
  aucs: Matrix<Float32Array>[];
  space: SpaceResult | null;
}
