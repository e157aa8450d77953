import type { Matrix } from "@stipple/numerics/matrices";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import { applyHarmony } from "@stipple/numerics/harmony/harmony";
import { fitHarmony } from "@stipple/numerics/harmony/fit-harmony";
import { pickRows } from "@stipple/numerics/dense";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { openTasks } from "@stipple/tasks/open-tasks";
import { pause } from "../../engine/pause.ts";
import { InputError } from "../../errors.ts";
import { umap } from "../../steps/6-projection-analysis/umap.ts";
import { sharedGenes } from "../shared-genes.ts";
import { jointComponents } from "./joint-components.ts";
import { openSample } from "./open-sample.ts";
import type { SpaceKind, SpaceSample, SpaceSource } from "./space-sample.ts";
import { findNeighbors } from "@stipple/numerics/neighbors/find-neighbors";
import { fullyMixed, LOOKED_AT, meanLisi, ownCondition } from "./mixing.ts";

/** Rows of all samples that Harmony and clusters are fitted to, shared evenly between samples. */
const LANDMARKS = 60_000;
/** Rows laid out by UMAP itself, of all samples. */
const MAX_DIRECT = 50_000;
const MIN_ROWS = 20;
const [NEIGHBORS, MIN_DIST, RESOLUTION] = [15, 0.3, 1];

/** Cells or spots of several samples in one space. Points are those of the samples' `rows`, sample after sample. */
export interface StudySpace {
  kind: SpaceKind;
  /** What was corrected over. */
  over: Over;
  samples: {
    name: string;
    condition: string;
    batch: string;
    /** Of its results, and which of them are placed, ascending. */
    nRows: number;
    rows: Uint32Array;
    nameOf(row: number): string;
  }[];
  nGenes: number;
  components: { before: Matrix<Float32Array>; after: Matrix<Float32Array> };
  /** Two-dimensional, nPoints × 2. */
  umap: { before: Float32Array; after: Float32Array };
  /** Of the corrected space, 0 = the largest. */
  cluster: Int32Array;
  nClusters: number;
  /** Names, and an index into them for each point; null for spots. */
  types: { names: string[]; of: Int32Array } | null;
  mixing: Mixing;
}

export interface EmbedOptions {
  kind: SpaceKind;
  /** By default batches, if each sample names one and there are several; else samples. */
  over?: Over | undefined;
  seed: number;
  signal: AbortSignal;
  threads: number;
  progress(fraction: number, what: string): void;
}

/**
 * Places the cells or spots of several samples in one space by what they express, before and after correction. Slides stay
 * apart in everything spatial: neighbors here are neighbors in expression. Throws {@link InputError}.
 */
export async function embedSamples(
  sources: readonly SpaceSource[],
  options: EmbedOptions,
): Promise<StudySpace> {
  const { kind, seed, signal, progress } = options;
  if (kind.of === "spots" && kind.on === "rate") {
    throw new InputError("Rates are those of cells: place spots by their counts.");
  }
  const samples: SpaceSample[] = [];
  for (const source of sources) samples.push(await openSample(source, kind));
  const shared = sharedGenes(
    samples.map(({ name, species, genes }) => ({ name, sums: { species, genes } })),
  );
  for (const { name, kept } of samples) {
    if (kept.length >= MIN_ROWS) continue;
    throw new InputError(
      `${name} has ${kept.length} ${kind.of} with enough counts, but a joint space needs ${MIN_ROWS} of each sample: leave it out.`,
    );
  }
  const random = new Random(seed);
  const most = Math.ceil(LANDMARKS / samples.length);
  const landmarks = samples.map(({ kept }) => sketchOf(kept, most, random));
  const { components, genes } = await jointComponents(samples, shared, landmarks, {
    ...{ seed, signal },
    reached: (done) => progress(0.4 * done, "Joint components"),
  });
  const points = jointPoints(samples, landmarks, options.over);
  const step = async (done: number, what: string): Promise<void> => {
    progress(done, what);
    await pause(signal);
  };
  const corrected = await correct(components, points, seed, (done) =>
    step(0.4 + 0.2 * done, "Correction"),
  );
  const mixing = await measureMixing({ before: components, after: corrected }, points);
  await step(0.62, "Joint clusters");
  await using tasks = openTasks({ threads: options.threads });
  const others = { tasks, signal };
  const all = Uint32Array.from(points.sampleOf, (_, i) => i);
  const { cluster, nClusters } = await graphClusters(corrected, points.landmarks, all, {
    ...{ others, neighbors: NEIGHBORS, resolution: RESOLUTION },
    reached: (done) => step(0.62 + 0.08 * done, "Joint clusters"),
  });
  const laidOut = (of: Matrix<Float32Array>, from: number): Promise<Matrix<Float32Array>> =>
    umap(of, {
      ...{ neighbors: NEIGHBORS, minDist: MIN_DIST, maxDirect: MAX_DIRECT, seed, others },
      progress: (done) => progress(from + 0.15 * done, "UMAP"),
    });
  const before = (await laidOut(components, 0.7)).data;
  const after = (await laidOut(corrected, 0.85)).data;
  return {
    ...{ kind, mixing, cluster, nClusters, over: points.over, nGenes: genes.length },
    samples: samples.map(({ name, condition, batch, nRows, kept, nameOf }) => ({
      ...{ name, condition, batch, nRows, rows: kept, nameOf },
    })),
    components: { before: components, after: corrected },
    umap: { before, after },
    types: points.types,
  };
}

/** Harmony is fitted to the landmarks; all points move by what it has learned. */
async function correct(
  components: Matrix<Float32Array>,
  { landmarks, groupOf }: JointPoints,
  seed: number,
  reached: (fraction: number) => Promise<void>,
): Promise<Matrix<Float32Array<ArrayBuffer>>> {
  const { nCols } = components;
  const data = pickRows(components.data, nCols, landmarks);
  const fitted = { nRows: landmarks.length, nCols, data };
  const groups = Int32Array.from(landmarks, (point) => groupOf[point]);
  const map = await fitHarmony(fitted, groups, { seed, reached: (done) => reached(0.5 * done) });
  return applyHarmony(map, components, groupOf, (done) => reached(0.5 + 0.5 * done));
}

/** Landmarks at which mixing is measured, among each other. */
const MEASURED = 20_000;

interface BeforeAfter {
  before: number;
  after: number;
}

/** How many samples and types there are in the neighborhood of a point, and how often its own condition. */
export interface Mixing {
  samples: BeforeAfter & { full: number };
  types: BeforeAfter | null;
  ownCondition: BeforeAfter | null;
}

/** Measures the mixing of samples, types, and conditions before and after correction. */
export async function measureMixing(
  components: { before: Matrix<Float32Array>; after: Matrix<Float32Array> },
  { landmarks, sampleOf, types, conditions }: JointPoints,
): Promise<Mixing> {
  const step = Math.ceil(landmarks.length / MEASURED);
  const points = Array.from(landmarks).filter((_, i) => i % step === 0);
  const samples = Int32Array.from(points, (point) => sampleOf[point]);
  const ofTypes = types && Int32Array.from(points, (point) => types.of[point] + 1);
  const measure = async ({ data, nCols }: Matrix<Float32Array>) => {
    const picked = { nRows: points.length, nCols, data: pickRows(data, nCols, points) };
    const near = await findNeighbors(picked, LOOKED_AT);
    return {
      samples: meanLisi(near, samples),
      full: fullyMixed(near, samples),
      types: ofTypes && meanLisi(near, ofTypes),
      condition: ownCondition(near, samples, conditions),
    };
  };
  const [before, after] = [await measure(components.before), await measure(components.after)];
  return {
    samples: { before: before.samples, after: after.samples, full: after.full },
    types: ofTypes && { before: before.types!, after: after.types! },
    ownCondition:
      before.condition === null || after.condition === null
        ? null
        : { before: before.condition, after: after.condition },
  };
}

/** What correction moves onto each other. */
type Over = "batch" | "sample";

/** The kept rows of all samples, sample after sample, by what is known of them beforehand. */
interface JointPoints {
  over: Over;
  sampleOf: Int32Array;
  /** The sample or batch that is corrected over. */
  groupOf: Int32Array;
  conditions: string[];
  types: { names: string[]; of: Int32Array } | null;
  /** Points that stand for all in fits, ascending. */
  landmarks: Uint32Array<ArrayBuffer>;
}

/** `landmarks` holds rows of each sample. */
function jointPoints(
  samples: readonly SpaceSample[],
  landmarks: readonly Uint32Array[],
  asked: Over | undefined,
): JointPoints {
  const batches = [...new Set(samples.map(({ batch }) => batch))];
  const over = asked ?? (batches.length > 1 && !batches.includes("") ? "batch" : "sample");
  const nPoints = samples.reduce((sum, { kept }) => sum + kept.length, 0);
  const [sampleOf, groupOf] = [new Int32Array(nPoints), new Int32Array(nPoints)];
  const chosen: number[] = [];
  let start = 0;
  samples.forEach(({ kept, batch }, s) => {
    sampleOf.fill(s, start, start + kept.length);
    groupOf.fill(over === "batch" ? batches.indexOf(batch) : s, start, start + kept.length);
    const wanted = new Set(landmarks[s]);
    kept.forEach((row, i) => wanted.has(row) && chosen.push(start + i));
    start += kept.length;
  });
  const conditions = samples.map(({ condition }) => condition);
  const types = jointTypes(samples, nPoints);
  return { over, sampleOf, groupOf, conditions, types, landmarks: Uint32Array.from(chosen) };
}

/** Types of the same name are one type. */
function jointTypes(samples: readonly SpaceSample[], nPoints: number): JointPoints["types"] {
  if (samples.some(({ types }) => !types)) return null;
  const names = [...new Set(samples.flatMap(({ types }) => types!.names))].sort();
  const of = new Int32Array(nPoints);
  let point = 0;
  for (const { types, kept } of samples) {
    const codes = types!.names.map((name) => names.indexOf(name));
    for (const row of kept) of[point++] = codes[types!.of[row]] ?? -1;
  }
  return { names, of };
}
