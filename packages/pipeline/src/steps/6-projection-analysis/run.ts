import { progressParts } from "../../engine/progress-parts.ts";
import { throwIfCancelled } from "../../errors.ts";
import type { StepContext } from "../../step.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import {
  drawFigures,
  embeddingFigures,
  geneFigures,
  tissueFigures,
} from "../../figures/cells/draw-figures.ts";
import { tissuePanel } from "../../figures/tissue-panel.ts";
import { statisticsFigures } from "./figures/list-statistics.ts";
import { readCellProteins } from "../../model/cell-proteins.ts";
import { clusterGroups, domainGroups, spotClusterGroups, typeGroups } from "../../model/groups.ts";
import { runStatistics } from "./run-statistics.ts";
import { genesOfTypes } from "./genes-of-types.ts";
import type { ProjectionParameters } from "./step.ts";
import { umap } from "./umap.ts";
import { writeViewer } from "./viewer/write-viewer.ts";
import { countRows, rowNoun } from "../../model/row-noun.ts";

/** Computes the embedding, markers, and spatial statistics, and writes the viewer files and figures. */
export async function run(context: StepContext<ProjectionParameters>): Promise<void> {
  const { params, read, progress, signal, log } = context;
  const advanced = context.settings.analysisType === "advanced";
  // Share of the step's time taken by each part.
  const [ofUmap, ofStatistics, ofGround, ofFigures, ofView, ofEmbedding] = progressParts(
    advanced ? [0.28, 0.4, 0.02, 0.15, 0.1, 0.05] : [0.46, 0.1, 0.04, 0.2, 0.12, 0.08],
    progress,
  );
  const xy = await read("cells/xy");
  const nCells = xy.nRows;
  const scale = await read("sample/scale");
  const rows = rowNoun(await read("sample/segmentation"), scale);
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
  // Runs on worker threads while this thread tests markers and draws.
  const laidOut = umap(await read("cells/X_pca"), {
    ...params,
    seed: context.settings.seed,
    others: context,
    signal,
    progress: ofUmap,
  });
  // A rejection is handled at the await below.
  laidOut.catch(() => undefined);
  const statistics = await runStatistics(
    context,
    {
      rows,
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
      progress: ofStatistics,
      tasks: context.tasks,
    },
  );
  const spotClusterOf = await read("spots/cluster");
  const image = await openWorkingImage(context);

  const ground = image ? { image, scale: facts.scale } : null;
  const panel = await tissuePanel(ground, facts, spots, {
    longSidePx: params.figureSidePx,
    micronsPerPixel: scale.micronsPerPixel,
    signal,
  });
  ofGround(1);
  const rates = await read("cells/rate");
  const shown = genesOfTypes(
    await read("cells/membership"),
    await read("genes/profile"),
    typeOf,
    types.length,
    reliable,
    params.geneFigures,
  );
  const shapes = { polygons, xy };
  const groups = { rows, typeOf, types, clusterOf, clusters };
  const files = {
    pathOf: (file: string) => context.shared(`figures/${file}`),
    darkPathOf: (file: string) => context.output(`dark/${file}`),
    tasks: context.tasks,
    signal,
  };
  const drawing = drawFigures(
    [
      ...tissueFigures({ panel, shapes, ...groups }),
      ...statisticsFigures({ rows, panel, shapes, types, genes, ...statistics }),
      ...geneFigures(
        panel,
        shapes,
        shown.map((gene) => ({ name: genes[gene], values: () => rates.column(gene) })),
      ),
    ],
    { ...files, progress: ofFigures },
  );

  // A rejection is handled at the await below.
  drawing.catch(() => undefined);
  // Needs everything except the cell positions in the UMAP, which may still be computing.
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
      spotClusters: spotClusterGroups(spotClusterOf),
      counts,
      cells: {
        xy,
        umap: laidOut,
        polygons,
        nuclei: await read("nuclei/polygon"),
        typeOf,
        clusterOf,
        domainOf: statistics.space?.domainOf ?? null,
        observed,
        evidence: await read("cells/evidence"),
        imageQuality: await read("cells/image_quality"),
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
      proteins: await readCellProteins(context),
      genes: {
        names: genes,
        reliable,
        heldoutPcc: await read("genes/heldout_pcc"),
        rateCv: await read("genes/rate_cv"),
        rateSource: await read("genes/rate_source"),
        unassigned: await read("genes/unassigned"),
      },
    },
    signal,
    ofView,
  );
  ofView(1);
  const drawn = await drawing;
  const embedding = await laidOut;
  await context.write("cells/X_umap", embedding);
  log(
    nCells > params.maxDirect
      ? `UMAP of ${params.maxDirect.toLocaleString("en-US")} sampled ${rows}s; the other ${(nCells - params.maxDirect).toLocaleString("en-US")} are placed among them.`
      : `UMAP of ${countRows(nCells, rows)}.`,
  );
  throwIfCancelled(signal);
  image?.close();
  const ofLayout = await drawFigures(embeddingFigures(embedding, groups), {
    ...files,
    progress: ofEmbedding,
  });
  log(`Figures: ${[...ofLayout, ...drawn].join(", ")}.`);
  progress(1);
}
