import { CELL_EVIDENCE, IMAGE_QUALITIES } from "@stipple/contract";
import type { Field, FieldKey, SparseMatrix } from "../../fields.ts";
import type { HeldRates } from "../../model/rates.ts";
import type { AnalysisSettings } from "../../settings.ts";
import type { SpotEvidence } from "../../types/anchored-types.ts";
import type { Species } from "../../species/guess-species.ts";
import type { Tissue } from "../../markers/marker-set.ts";
import type { SampleSignals } from "./confidence.ts";
import type { StepContext } from "../../step.ts";
import type { FitThreads } from "../../types/fit-together.ts";
import type { FittedTypes } from "../../types/fit-types.ts";
import type { CellRates } from "./gene-statistics.ts";
import type { ObservedSpots } from "../../types/group-rates.ts";
import { featuresOnThread } from "../../types/typing-features-task.ts";
import type { FeatureFields, TypingFeatures } from "../../types/typing-features.ts";

type Read = <K extends FieldKey>(key: K) => Promise<Field<K>>;

const POOR_IMAGE = [
  "blurred",
  "dark",
  "pen",
] as const satisfies readonly (typeof IMAGE_QUALITIES)[number][];

const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

export interface TypingInput extends CellRates {
  nCells: number;
  /** Gene symbols as in the input (nGenes); may contain duplicates. */
  symbols: readonly string[];
  ids: readonly string[];
  /** 1 = expression of this gene is reliable at the cell level. */
  reliable: Uint8Array;
  /** Inferred expression, one gene over all cells. */
  rates: { column(gene: number): Float32Array };
  /** Cluster of each cell, 0 … nClusters − 1. */
  clusters: Int32Array;
  nClusters: number;
  /** Evidence from the spots on the cells; without it, types are scored in each cell separately. */
  spots?: SpotEvidence | undefined;
  /** Types that step 4 fitted to the spots, if it did. */
  fitted?: FittedTypes | undefined;
  /** Counts allocated to the cells, nCells × nGenes, if these are mostly the cells' own: on bins. */
  ownCounts?: SparseMatrix | undefined;
  /** Spot counts, which must support the names; without them, every name is kept. */
  counted?: ObservedSpots | undefined;
  /** Other signals for the confidence of names; required with `counted`. */
  sample?: SampleSignals | undefined;
  /** 1 = the cell must have no type. */
  withheld?: Uint8Array | undefined;
  /** Whether cells were found by their nuclei, which makes types without a nucleus doubtful. */
  nucleated?: boolean | undefined;
  /** Guessed if omitted. */
  species?: Species | undefined;
  tissue?: Exclude<Tissue, "any"> | undefined;
}

export interface TypingOptions {
  signal: AbortSignal;
  progress(fraction: number): void;
  /** Worker threads; none by default. */
  others?: FitThreads | undefined;
  /** For evaluating values other than the defaults. */
  temperature?: number | undefined;
  floor?: number | undefined;
  clusterShare?: number | undefined;
}

/** Input for typing, except the clusters. `features` are those of {@link readTypingFeatures}, `fitted` of {@link readFittedTypes}. */
export async function typingInput(
  read: Read,
  settings: Pick<AnalysisSettings, "tissue" | "seed"> & { species?: Species | undefined },
  {
    typeBeyondReach,
    features,
    fitted,
  }: {
    typeBeyondReach: boolean;
    features: TypingFeatures | undefined;
    fitted?: FittedTypes | undefined;
  },
): Promise<Omit<TypingInput, "clusters" | "nClusters" | "rates"> & { rates: HeldRates }> {
  const rates = await read("cells/rate");
  // Read these fields once and share them, because they take gigabytes on a large slide.
  const byGene = await read("genes/spots");
  const evidence = await read("cells/evidence");
  const overlap = await read("spots/cells");
  const quality = await read("cells/image_quality");
  const { seed } = settings;
  const bins = (await read("sample/scale")).spotShape === "square";
  const nucleated = (await read("sample/segmentation")).method !== "spot_level";
  const poor = new Set(POOR_IMAGE.map((word) => IMAGE_QUALITIES.indexOf(word)));
  return {
    nCells: rates.nCells,
    symbols: await read("genes/symbol"),
    ids: await read("genes/id"),
    reliable: await read("genes/reliable"),
    species: settings.species,
    tissue: settings.tissue,
    rates,
    spots: features && {
      ...features,
      overlap,
      byGene,
      efficiency: await read("spots/efficiency"),
      seed,
    },
    fitted,
    counted: {
      overlap,
      byGene,
      observed: await read("cells/observed"),
      seed,
    },
    sample: {
      lookGain: (await read("sample/expression")).morphologyGain,
      spots: spotsWithCells(overlap),
      bins,
      poorImage: quality.map((code) => (poor.has(code) ? 1 : 0)),
    },
    withheld: typeBeyondReach
      ? undefined
      : Uint8Array.from(evidence, (code) => (code === BEYOND_REACH ? 1 : 0)),
    nucleated,
    ownCounts: bins && nucleated ? await read("cells/counts") : undefined,
  };
}

/** The types that step 4 fitted; undefined if it did not or found none. */
export async function readFittedTypes(
  readIfAny: StepContext["readIfAny"],
): Promise<FittedTypes | undefined> {
  const report = await readIfAny("sample/type_fit");
  const posterior = await readIfAny("cells/type_posterior");
  const ofHalves = await readIfAny("cells/type_posterior_of_halves");
  if (!report || !posterior || !ofHalves) return undefined;
  return { report, posterior: posterior.data, ofHalves: ofHalves.data };
}

/**
 * Features of the cells for typing; with threads, computed on one in large samples. They are used even if looks say
 * little about rates, because types fitted to the spots still beat scores of rates. Undefined if spots are used as
 * cells.
 */
export async function readTypingFeatures(
  read: Read,
  others?: FitThreads,
): Promise<TypingFeatures | undefined> {
  if ((await read("sample/segmentation")).method === "spot_level") return undefined;
  const fields: FeatureFields = {
    features: await read("cells/features"),
    featureNames: await read("features/name"),
    spotComponents: await read("spots/X_pca"),
    nearSpot: await read("cells/near_spot"),
    nearWeight: await read("cells/near_weight"),
  };
  return featuresOnThread(fields, others);
}

function spotsWithCells({ nRows, indptr }: SparseMatrix): number {
  let spots = 0;
  for (let s = 0; s < nRows; s++) if (indptr[s + 1] > indptr[s]) spots += 1;
  return spots;
}
