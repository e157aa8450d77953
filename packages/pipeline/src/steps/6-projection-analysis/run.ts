import type { Matrix } from "@stipple/numerics/matrices";
import { progressParts } from "../../engine/progress-parts.ts";
import { throwIfCancelled } from "../../errors.ts";
import {
  drawFigures,
  embeddingFigures,
  geneFigures,
  tissueFigures,
  type FigureOrder,
} from "../../figures/cells/draw-figures.ts";
import { tissuePanel } from "../../figures/tissue-panel.ts";
import { countRows } from "../../model/row-noun.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { StepContext } from "../../step.ts";
import { statisticsFigures } from "./figures/list-statistics.ts";
import { genesOfTypes } from "./genes-of-types.ts";
import { readSample, type GroupedSample } from "./read-sample.ts";
import { runStatistics, type StatisticsResult } from "./run-statistics.ts";
import type { ProjectionParameters } from "./step.ts";
import { umap } from "./umap.ts";
import { viewerContent } from "./viewer/viewer-content.ts";
import { writeViewer } from "./viewer/write-viewer.ts";

type Context = StepContext<ProjectionParameters>;

/** Computes the embedding, markers, and spatial statistics, and writes the viewer files and figures. */
export async function run(context: Context): Promise<void> {
  const { params, settings, read, progress, signal, log, tasks } = context;
  const { seed } = settings;
  const advanced = settings.analysisType === "advanced";
  // Share of the step's time taken by each part.
  const [ofUmap, ofStatistics, ofGround, ofFigures, ofView, ofEmbedding] = progressParts(
    advanced ? [0.28, 0.4, 0.02, 0.15, 0.1, 0.05] : [0.46, 0.1, 0.04, 0.2, 0.12, 0.08],
    progress,
  );
  const sample = await readSample(context);
  // Runs on worker threads while this thread tests markers and draws.
  const components = await read("cells/X_pca");
  const laidOut = umap(components, { ...params, seed, others: context, signal, progress: ofUmap });
  // A rejection is handled at the await below.
  laidOut.catch(() => undefined);
  const work = { ...params, seed, signal, progress: ofStatistics, tasks };
  const statistics = await runStatistics(context, sample, work);
  const files = {
    pathOf: (file: string) => context.shared(`figures/${file}`),
    darkPathOf: (file: string) => context.output(`dark/${file}`),
    ...{ tasks, signal },
  };
  const image = await openWorkingImage(context);
  try {
    const figures = await figuresOnTissue(context, sample, statistics, image);
    ofGround(1);
    const drawing = drawFigures(figures, { ...files, progress: ofFigures });
    // A rejection is handled at the await below.
    drawing.catch(() => undefined);
    // Needs everything except the cell positions in the UMAP, which may still be computing.
    const computed = { image, umap: laidOut, space: statistics.space };
    const content = await viewerContent(context, sample, computed);
    await writeViewer(context.output("viewer"), content, signal, ofView);
    ofView(1);
    const drawn = await drawing;
    const embedding = await laidOut;
    await writeEmbedding(context, sample, embedding);
    throwIfCancelled(signal);
    const embedded = embeddingFigures(embedding, sample);
    const ofLayout = await drawFigures(embedded, { ...files, progress: ofEmbedding });
    log(`Figures: ${[...ofLayout, ...drawn].join(", ")}.`);
  } finally {
    image?.close();
  }
  progress(1);
}

/** Figures of everything but the UMAP. */
async function figuresOnTissue(
  { params, read, signal }: Context,
  sample: GroupedSample,
  statistics: StatisticsResult,
  image: TissueImage | null,
): Promise<FigureOrder[]> {
  const ground = image && { image, scale: sample.image.scale };
  const panel = await tissuePanel(ground, sample.image, await read("spots/xy"), {
    longSidePx: params.figureSidePx,
    micronsPerPixel: sample.scale.micronsPerPixel,
    signal,
  });
  const rates = await read("cells/rate");
  const shown = genesOfTypes(
    await read("cells/membership"),
    await read("genes/profile"),
    sample.typeOf,
    sample.types.length,
    sample.reliable,
    params.geneFigures,
  );
  const maps = shown.map((gene) => ({
    name: sample.genes[gene],
    values: () => rates.column(gene),
  }));
  const content = { ...sample, panel, shapes: sample };
  return [
    ...tissueFigures(content),
    ...statisticsFigures({ ...content, ...statistics }),
    ...geneFigures(panel, sample, maps),
  ];
}

async function writeEmbedding(
  { params: { maxDirect }, write, log }: Context,
  { rows, xy: { nRows } }: GroupedSample,
  embedding: Matrix<Float32Array>,
): Promise<void> {
  await write("cells/X_umap", embedding);
  log(
    nRows > maxDirect
      ? `UMAP of ${maxDirect.toLocaleString("en-US")} sampled ${rows}s; the other ${(nRows - maxDirect).toLocaleString("en-US")} are placed among them.`
      : `UMAP of ${countRows(nRows, rows)}.`,
  );
}
