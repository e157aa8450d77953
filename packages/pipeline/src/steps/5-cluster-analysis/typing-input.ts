import { CELL_EVIDENCE } from "@stipple/contract";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Tissue } from "../../markers/marker-set.ts";
import type { AnalysisSettings } from "../../settings.ts";
import type { Reference } from "../../reference/read-reference.ts";
import type { Species } from "../../species/guess-species.ts";
import { designMatrix, ownFeatures, type Columns } from "../../model/cell-features.ts";
import { evidenceOf } from "../../model/evidence.ts";
import type { StepContext } from "../../step.ts";
import type { FittedTypes } from "../../types/fit-types.ts";

const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

export interface TypingInput {
  nCells: number;
  /** Gene symbols as in the input (nGenes); may contain duplicates. */
  symbols: readonly string[];
  ids: readonly string[];
  /** A reference whose labels are the types. */
  reference?: Reference | null | undefined;
  /** Types that step 4 fitted to the spots, if it did. */
  fitted?: FittedTypes | undefined;
  /** Counts, nCells × nGenes, if these are mostly the cells' own: on bins, or if rows are whole spots. */
  ownCounts?: SparseMatrix | undefined;
  /** How much looks add to the correlation with held-out spots; null if not tested. */
  lookGain: number | null;
  /** 1 = the cell must have no type. */
  withheld?: Uint8Array | undefined;
  /** Whether cells were found by their nuclei, which makes types without a nucleus doubtful. */
  nucleated: boolean;
  /** How cells with counts of their own look, after a column of ones; null if others, or if rows are whole spots. */
  looks: Columns | null;
  /** Guessed if omitted. */
  species?: Species | undefined;
  tissue?: Exclude<Tissue, "any"> | undefined;
}

export interface TypingOptions {
  signal: AbortSignal;
  progress(fraction: number): void;
}

export async function typingInput(
  { read, readIfAny }: Pick<StepContext, "read" | "readIfAny">,
  settings: Pick<AnalysisSettings, "tissue"> & { species?: Species | undefined },
  { typeBeyondReach }: { typeBeyondReach: boolean },
): Promise<TypingInput> {
  const evidence = await read("cells/evidence");
  const { shared, ofCells } = evidenceOf(
    await read("sample/segmentation"),
    await read("sample/scale"),
  );
  return {
    nCells: evidence.length,
    symbols: await read("genes/symbol"),
    ids: await read("genes/id"),
    species: settings.species,
    tissue: settings.tissue,
    fitted: await readFittedTypes(readIfAny),
    ownCounts: shared ? undefined : await read("cells/counts"),
    lookGain: (await read("sample/expression")).morphologyGain,
    withheld: typeBeyondReach
      ? undefined
      : Uint8Array.from(evidence, (code) => (code === BEYOND_REACH ? 1 : 0)),
    nucleated: ofCells,
    looks: ofCells && !shared ? await readLooks(read) : null,
  };
}

async function readLooks(read: StepContext["read"]): Promise<Columns | null> {
  const features = await read("cells/features");
  const own = ownFeatures(features, await read("features/name"));
  return own.nCols === 0 ? null : designMatrix(features.nRows, [own]);
}

/** The types that step 4 fitted; undefined if it did not or found none. */
async function readFittedTypes(
  readIfAny: StepContext["readIfAny"],
): Promise<FittedTypes | undefined> {
  const report = await readIfAny("sample/type_fit");
  const posterior = await readIfAny("cells/type_posterior");
  return report && posterior ? { report, posterior: posterior.data } : undefined;
}
