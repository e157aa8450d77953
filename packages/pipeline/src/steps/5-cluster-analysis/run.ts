import { counted } from "@stipple/contract/counted";
import { rounded, writeTable } from "../../exports/csv/table.ts";
import { pause } from "../../engine/pause.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import type { NeighborOptions } from "@stipple/numerics/neighbors/find-neighbors";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { givenReference } from "../../reference/given-reference.ts";
import type { StepContext } from "../../step.ts";
import { assignTypes } from "./assign-types.ts";
import { cellComponents } from "./cell-components.ts";
import type { ClusterParameters } from "./step.ts";
import { typingInput } from "./typing-input.ts";
import { writeProportions } from "./reference/write-proportions.ts";
import { clusterMarkers } from "./cluster-markers.ts";
import { typingSpecies } from "../../species/typing-species.ts";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { rowNoun, type RowNoun } from "../../model/row-noun.ts";
import { CLUSTERS, ENOUGH } from "../../model/constants.ts";

const MARKER_COLUMNS = [
  ...["cluster", "gene", "mean_rate", "mean_rate_others"],
  ...["log2_fold_change", "reliable", "heldout_pcc"],
];
/** Fraction of the clustering progress for the neighbor search. */
const OF_NEIGHBORS = 0.3;

/** Clusters cells by expression and names them with markers or a reference. */
export async function run(context: StepContext<ClusterParameters>): Promise<void> {
  const rows = rowNoun(
    await context.read("sample/segmentation"),
    await context.read("sample/scale"),
  );
  const membership = await context.read("cells/membership");
  const profile = await context.read("genes/profile");
  const reliable = await context.read("genes/reliable");
  const usable = usableGenes(reliable, profile);
  const totals = timesPrototypes(membership.data, prototypeTotals(profile.data, membership.nCols));
  const components = await writeComponents(context, usable, totals);
  const { cluster, nClusters } = await writeClusters(context, components, rows);
  const { markersPerCluster } = context.params;
  const markers = clusterMarkers(
    membership,
    profile,
    cluster,
    nClusters,
    usable,
    markersPerCluster,
  );
  const names = await context.read("genes/name");
  const heldout = await context.read("genes/heldout_pcc");
  const path = context.output("cluster_markers.csv");
  await writeTable(
    path,
    MARKER_COLUMNS,
    markers.map(({ cluster, gene, mean, others, log2FoldChange }) => [
      ...[cluster, names[gene], mean.toPrecision(4), others.toPrecision(4)],
      ...[log2FoldChange.toFixed(3), String(reliable[gene] === 1), rounded(heldout[gene], 3)],
    ]),
  );
  await nameTypes(context);
}

async function writeComponents(
  context: StepContext<ClusterParameters>,
  usable: Uint8Array,
  totals: Float64Array,
): Promise<Matrix<Float32Array>> {
  const { params, settings, signal } = context;
  const stored = await context.read("cells/rate");
  // Counts stay in memory while iterating over cells and are freed before other fields are read, because they take
  // gigabytes on a large slide.
  const counts = await context.read(stored.evidence.spotCounts);
  const components = await cellComponents(stored.holding(counts), {
    nComponents: params.components,
    usable,
    maxGenes: params.maxGenes,
    totals,
    seed: settings.seed,
    signal,
    progress: (fraction) => context.progress(0.4 * fraction),
    shared: { tasks: context.tasks, parts: stored.parts, spotCounts: counts },
  });
  await context.write("cells/X_pca", components);
  context.giveBack(counts);
  return components;
}

async function writeClusters(
  context: StepContext<ClusterParameters>,
  components: Matrix<Float32Array>,
  rows: RowNoun,
): Promise<{ cluster: Int32Array; nClusters: number }> {
  const { params, settings, signal } = context;
  const found = await clusterCells(components, {
    ...params,
    others: { ...context, signal },
    seed: settings.seed,
    searched: (fraction) => context.progress(0.4 + OF_NEIGHBORS * 0.25 * fraction),
    reached: (fraction) => {
      context.progress(0.4 + 0.25 * fraction);
      return pause(signal);
    },
  });
  context.progress(0.65);
  context.log(`${counted(found.cluster.length, rows)} in ${counted(found.nClusters, "cluster")}.`);
  await context.write("cells/cluster", found.cluster);
  return found;
}

async function nameTypes(context: StepContext<ClusterParameters>): Promise<void> {
  const { params, settings, signal } = context;
  const { species, report: speciesReport } = typingSpecies(
    await context.readIfAny("sample/species"),
    settings.species,
    context.files.reference !== null && context.files.reference !== undefined,
  );
  if (speciesReport.speciesNote) context.warn(speciesReport.speciesNote);
  const typing = await typingInput(context, { ...settings, species: species ?? undefined }, params);
  const byGene = await context.read("genes/spots");
  const reference = await givenReference(context, byGene);
  const types = await assignTypes(
    { ...typing, reference },
    { signal, progress: (fraction) => context.progress(0.7 + 0.3 * fraction) },
  );
  const proportions = await writeProportions(context, byGene, reference);
  await context.write("cells/cell_type", types.cellType);
  await context.write("cells/confidence", types.confidence);
  await context.write("cells/type_margin", types.margin);
  await context.write("types/name", types.names);
  await context.write("types/color", types.colors);
  await context.write("sample/typing", {
    ...types.report,
    ...speciesReport,
    speciesSource: settings.species ? "given" : "guessed",
    ...(proportions && { proportions }),
  });
  context.log(
    `Types (${types.report.method === "reference" ? "from the reference" : `${speciesReport.speciesName ?? types.report.species}, ${types.report.tissue}`}): ${types.names.slice(0, 6).join(", ")}${types.names.length > 6 ? " …" : ""}; ${(types.report.unknownFraction * 100).toFixed(1)}% unknown.`,
  );
}

/** Reliable genes or, if there are too few, every gene that is expressed at all. */
function usableGenes(reliable: Uint8Array, profile: Matrix<Float32Array>): Uint8Array {
  if (reliable.reduce((sum, value) => sum + value, 0) >= ENOUGH.GENES) return reliable;
  const usable = new Uint8Array(profile.nCols);
  for (let j = 0; j < profile.nRows; j++) {
    for (let g = 0; g < profile.nCols; g++)
      if (profile.data[j * profile.nCols + g] > 0) usable[g] = 1;
  }
  return usable;
}

async function clusterCells(
  components: Matrix<Float32Array>,
  options: NeighborOptions & {
    neighbors: number;
    resolution: number;
    maxSketch: number;
    seed: number;
    reached(fraction: number): Promise<void>;
  },
): Promise<{ cluster: Int32Array; nClusters: number }> {
  const all = Uint32Array.from({ length: components.nRows }, (_, cell) => cell);
  if (all.length < CLUSTERS.MIN_CELLS) return { cluster: new Int32Array(all.length), nClusters: 1 };
  const sketch = sketchOf(all, options.maxSketch, new Random(options.seed));
  return graphClusters(components, sketch, all, {
    others: options.others,
    searched: options.searched,
    neighbors: Math.min(options.neighbors, Math.max(3, Math.floor(all.length / 4))),
    resolution: options.resolution,
    reached: options.reached,
  });
}
