import { counted } from "@stipple/contract/counted";
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
import type { LegendEntry } from "../../figures/legend.ts";
import { tissuePanel } from "../../figures/tissue-panel.ts";
import { UNKNOWN } from "../../markers/type-colors.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { StepContext } from "../../step.ts";
import { statisticsFigures } from "./figures/list-statistics.ts";
import { readSample, type GroupedSample } from "./read-sample.ts";
import { runStatistics, type StatisticsResult } from "./run-statistics.ts";
import type { ProjectionParameters } from "./step.ts";
import { umap } from "./umap.ts";
import { writeViewer, type ViewerContent } from "./viewer/write-viewer.ts";
import { readCellProteins } from "../../model/cell-proteins.ts";
import { domainGroups, spotClusterGroups } from "../../model/groups.ts";
import type { SpaceResult } from "./spatial-statistics/analyze-in-space.ts";

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
  const laidOut = umap(components, { ...params, seed, others: context, progress: ofUmap });
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
    sample.types,
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
    ...geneFigures(panel, sample, sample.rows, maps),
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
      : `UMAP of ${counted(nRows, rows)}.`,
  );
}

/** What the interactive view shows of a sample: what has been computed, and what earlier steps wrote. */
export async function viewerContent(
  context: StepContext,
  sample: GroupedSample,
  computed: { image: TissueImage | null; umap: Promise<Matrix>; space: SpaceResult | null },
): Promise<ViewerContent> {
  const { read } = context;
  const { xy, polygons, typeOf, clusterOf, observed } = sample;
  const { image, umap, space } = computed;
  const spotClusterOf = await read("spots/cluster");
  return {
    image,
    fluorescence: context.settings.staining === "if",
    facts: sample.image,
    scale: sample.scale,
    types: sample.types,
    clusters: sample.clusters,
    domains: domainGroups(space?.statistics.domains ?? null),
    spotClusters: spotClusterGroups(spotClusterOf),
    counts: sample.counts,
    cells: {
      ...{ xy, umap, polygons, typeOf, clusterOf, observed },
      domainOf: space?.domainOf ?? null,
      nuclei: await read("nuclei/polygon"),
      evidence: await read("cells/evidence"),
      imageQuality: await read("cells/image_quality"),
      areaUm2: await read("cells/area_um2"),
      nucleusAreaUm2: await read("cells/nucleus_area_um2"),
      confidence: await read("cells/confidence"),
      typeMargin: await read("cells/type_margin"),
      rateCv: await read("cells/rate_cv"),
    },
    spots: {
      xy: await read("spots/xy"),
      array: await read("spots/array"),
      clusterOf: spotClusterOf,
      totalCounts: await read("spots/total_counts"),
    },
    proteins: await readCellProteins(context),
    genes: {
      names: sample.genes,
      reliable: sample.reliable,
      heldoutPcc: await read("genes/heldout_pcc"),
      rateCv: await read("genes/rate_cv"),
      rateSource: await read("genes/rate_source"),
      unassigned: await read("genes/unassigned"),
    },
  };
}

/**
 * For each of the `count` largest cell types, the reliable gene whose mean rate stands out most from the next
 * highest type, by the difference of log(rate + floor); Unknown is no type, but may be the next highest. Returns
 * fewer genes if types share one or have none that stands out. Means per type need only the sums of M: O(nCells · nPrototypes + nTypes · nPrototypes ·
 * nGenes).
 */
function genesOfTypes(
  membership: Matrix<Float32Array>,
  profile: Matrix<Float32Array>,
  typeOf: Int32Array,
  types: readonly LegendEntry[],
  reliable: Uint8Array,
  count: number,
): number[] {
  const [nTypes, nPrototypes, nGenes] = [types.length, membership.nCols, profile.nCols];
  const sizes = new Float64Array(nTypes);
  const shares = new Float64Array(nTypes * nPrototypes);
  for (let cell = 0; cell < membership.nRows; cell++) {
    const type = typeOf[cell];
    if (type < 0) continue;
    sizes[type] += 1;
    for (let k = 0; k < nPrototypes; k++) {
      shares[type * nPrototypes + k] += membership.data[cell * nPrototypes + k];
    }
  }
  const present = [...sizes.keys()]
    .filter((type) => sizes[type] >= 5)
    .sort((a, b) => sizes[b] - sizes[a]);
  if (present.length < 2) return [];
  const means = new Float64Array(nTypes * nGenes);
  for (const type of present) {
    for (let k = 0; k < nPrototypes; k++) {
      const share = shares[type * nPrototypes + k] / sizes[type];
      for (let gene = 0; gene < nGenes; gene++) {
        means[type * nGenes + gene] += share * profile.data[k * nGenes + gene];
      }
    }
  }
  const genes: number[] = [];
  for (const type of present.filter((of) => types[of].name !== UNKNOWN).slice(0, count)) {
    let [best, bestGap] = [-1, 0];
    for (let gene = 0; gene < nGenes; gene++) {
      if (!reliable[gene] || genes.includes(gene)) continue;
      let other = 0;
      for (const rival of present) {
        if (rival !== type) other = Math.max(other, means[rival * nGenes + gene]);
      }
      const mean = means[type * nGenes + gene];
      // The floor excludes genes that hardly any cell expresses; using the mean favors genes that are visible
      // on the map.
      const gap = Math.log((mean + 0.02) / (other + 0.02));
      if (gap > bestGap) [best, bestGap] = [gene, gap];
    }
    if (best >= 0) genes.push(best);
  }
  return genes;
}
