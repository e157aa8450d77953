import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import type { StepContext } from "@stipple/pipeline";
import { analysisSettings } from "@stipple/pipeline/settings";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { readTruth, type KnownTissue } from "@stipple/tissue";
import { calibrationError } from "@stipple/tissue/metrics/calibration";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import { rightNames } from "../judged-tissues/right-names.ts";
import { worthOf, type Correlations } from "../judged-tissues/worth.ts";
import { rendered, trueLabels, type RenderedTissue } from "./rendered-tissues.ts";
import { broadClasses, matchedOneToOne, scoreNames } from "./score-names.ts";

type ReadField = StepContext["read"];

const MATCH_UM = 6;

/** Accuracy of the names of a tissue's cells. */
export interface NamedTissue {
  name: string;
  /** The guessed tissue, and how types were determined. */
  way: string;
  genes: number;
  /** Number of true cells. */
  cells: number;
  /** Macro-F1 over all true cells: of lineages, of types, and of our clusters matched one-to-one to either. */
  broad: number;
  types: number;
  clustersBroad: number;
  clustersTypes: number;
  /** Macro-F1 of types when each cell gets the label whose mean true cell is most similar to the spots around it. */
  bestProfile: number;
  unknown: number;
  /** Of the named cells: share whose name is right, or a coarser one that includes it, and mean confidence. */
  right: number;
  confidence: number;
  calibrationError: number;
  cpuSeconds: number;
  /** Accuracy of single-cell rates compared with the controls; null if not requested. */
  rates: Correlations | null;
}

export interface RenderedOptions {
  verbose: boolean;
  /** Also score the rates. */
  rates: boolean;
  /** How hard nuclei are to find: 1 as in real sections, 0 not at all. */
  imageDifficulty: number;
}

/** Analyzes a tissue up to the types unless already done; renames its cells and compares the names with the truth. */
export async function nameRendered(
  work: string,
  given: RenderedTissue,
  { verbose, rates, imageDifficulty }: RenderedOptions,
): Promise<NamedTissue> {
  const { tissue, results } = await rendered(work, given, imageDifficulty);
  const read: ReadField = (key) => readResult(results, key);
  const settings = analysisSettings.parse({ platform: "visium", staining: "h_and_e" });
  const clusters = await read("cells/cluster");
  const readIfAny: StepContext["readIfAny"] = (key) => readResultIfAny(results, key);
  const input = await typingInput({ read, readIfAny }, settings, { typeBeyondReach: false });
  const start = process.cpuUsage();
  const found = await assignTypes(input, {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const { user, system } = process.cpuUsage(start);
  const truth = await readTruth(tissue);
  const xy = await read("cells/xy");
  const matched = matchByCenter(truth.xy, xy.data, MATCH_UM / truth.parameters.umPerPx);
  const labels = await trueLabels(given);
  const names = Array.from(matched, (cell) =>
    cell < 0 ? null : found.names[found.cellType[cell]],
  );
  const { types, broad, unknown } = scoreNames(truth.type, names, labels);
  const trueNames = truth.type.map((kind) => labels.labelOf[kind]);
  const broadOf = broadClasses([...new Set(trueNames)].map((label) => labels.classes[label]));
  const trueClasses = trueNames.map((label) => broadOf(labels.classes[label]));
  const groups = Array.from(matched, (cell) => (cell < 0 ? null : clusters[cell]));
  const best = await bestProfiles(truth, trueNames, read, matched);
  const named = [...matched.keys()].filter(
    (cell) => names[cell] !== null && names[cell] !== "Unknown",
  );
  const isRight = rightNames(labels.accepted, trueNames, found.names);
  const right = named.map((cell) => isRight(trueNames[cell], names[cell]!));
  const confidence = named.map((cell) => found.confidence[matched[cell]]);
  const mean = (values: readonly number[]): number =>
    values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  if (verbose) {
    report(given.name, trueNames, names, types.perLabel, broad.perLabel);
    console.log(found.basis?.way, found.report.tissue, JSON.stringify(found.report.markersFound));
  }
  return {
    name: given.name,
    way: `${found.report.tissue}, ${found.basis?.way ?? "none"}`,
    genes: truth.genes.length,
    cells: truth.nCells,
    broad: broad.macroF1,
    types: types.macroF1,
    clustersBroad: matchedOneToOne(trueClasses, groups),
    clustersTypes: matchedOneToOne(trueNames, groups),
    bestProfile: scoreByLabel(trueNames, best),
    unknown,
    right: mean(right.map(Number)),
    confidence: mean(confidence),
    calibrationError: calibrationError(confidence, right),
    cpuSeconds: (user + system) / 1e6,
    rates: rates ? (await worthOf(truth, { tissue, results }, matched)).judged : null,
  };
}

export const HEADINGS =
  "| cells | tissue, way | macro-F1 broad | types | unknown | clusters 1:1 broad | types | best profile | right of named | confidence | calibration error | CPU s |";

/** A table row under {@link HEADINGS}. */
export function rowOf(named: NamedTissue): string {
  const figures = [
    named.broad,
    named.types,
    named.unknown,
    named.clustersBroad,
    named.clustersTypes,
    named.bestProfile,
    named.right,
    named.confidence,
    named.calibrationError,
  ].map((value) => value.toFixed(3));
  return `| ${[named.name, named.way, ...figures, named.cpuSeconds.toFixed(1)].join(" | ")} |`;
}

function scoreByLabel(labels: readonly string[], given: readonly (string | null)[]): number {
  const own = new Map(labels.map((label) => [label, label]));
  let sum = 0;
  for (const label of own.keys()) {
    let [hits, said, count] = [0, 0, 0];
    labels.forEach((known, i) => {
      if (known === label) count++;
      if (given[i] === label) said++;
      if (known === label && given[i] === label) hits++;
    });
    sum += (2 * hits) / Math.max(1, said + count);
  }
  return sum / own.size;
}

/** For each cell, the label whose mean cell is most similar to the spots around it, by correlation of log shares. */
async function bestProfiles(
  truth: KnownTissue,
  labels: readonly string[],
  read: ReadField,
  matched: Int32Array,
): Promise<(string | null)[]> {
  const symbols = await read("genes/symbol");
  const byGene = await read("genes/spots");
  const near = await read("cells/near_spot");
  const weight = await read("cells/near_weight");
  const at = new Map(truth.genes.map(({ symbol }, gene) => [symbol, gene]));
  const genes = [...symbols.keys()].filter((gene) => at.has(symbols[gene]));
  const known = [...new Set(labels)];
  const spots = new Float64Array(byGene.nCols * genes.length);
  genes.forEach((gene, g) => {
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
      spots[byGene.indices[k] * genes.length + g] = byGene.data[k]!;
    }
  });
  const cells = new Float64Array(matched.length * genes.length);
  matched.forEach((cell, i) => {
    if (cell < 0) return;
    for (let k = cell * near.nCols; k < (cell + 1) * near.nCols; k++) {
      const spot = near.data[k];
      if (spot < 0) continue;
      for (let g = 0; g < genes.length; g++) {
        cells[i * genes.length + g] += weight.data[k] * spots[spot * genes.length + g];
      }
    }
  });
  const profiles = new Float64Array(known.length * genes.length);
  labels.forEach((label, i) => {
    const row = known.indexOf(label);
    genes.forEach((gene, g) => {
      profiles[row * genes.length + g] +=
        truth.rates.data[i * truth.rates.nCols + at.get(symbols[gene])!];
    });
  });
  for (const rows of [cells, profiles]) standardize(rows, genes.length);
  return Array.from(matched, (cell, i) => {
    if (cell < 0) return null;
    const scores = known.map((_, row) => {
      let sum = 0;
      for (let g = 0; g < genes.length; g++) {
        sum += cells[i * genes.length + g] * profiles[row * genes.length + g];
      }
      return sum;
    });
    return known[scores.indexOf(Math.max(...scores))];
  });
}

/** Log shares, with each gene centered over the rows and each row then normalized to unit length. */
function standardize(rows: Float64Array, width: number): void {
  const n = rows.length / width;
  const means = new Float64Array(width);
  for (let i = 0; i < n; i++) {
    const row = rows.subarray(i * width, (i + 1) * width);
    const total = row.reduce((a, b) => a + b, 0);
    for (let g = 0; g < width; g++) {
      row[g] = Math.log1p((row[g] / Math.max(1e-12, total)) * 10_000);
      means[g] += row[g] / n;
    }
  }
  for (let i = 0; i < n; i++) {
    const row = rows.subarray(i * width, (i + 1) * width);
    let squares = 0;
    for (let g = 0; g < width; g++) {
      row[g] -= means[g];
      squares += row[g] ** 2;
    }
    for (let g = 0; g < width; g++) row[g] /= Math.sqrt(squares) || 1;
  }
}

function report(
  title: string,
  labels: readonly string[],
  names: readonly (string | null)[],
  types: Record<string, { f1: number; recall: number; precision: number }>,
  broad: Record<string, { f1: number; recall: number; precision: number; count: number }>,
): void {
  console.log(`\n${title}`);
  for (const label of new Set(labels)) {
    const counts = new Map<string, number>();
    let n = 0;
    labels.forEach((own, i) => {
      if (own !== label) return;
      n++;
      const name = names[i] ?? "not found";
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    const list = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8);
    const own = types[label];
    console.log(
      `  ${label} (${n}): recall ${own?.recall.toFixed(2)}, precision ${own?.precision.toFixed(2)}; ${list.map(([name, count]) => `${name} ${count}`).join(", ")}`,
    );
  }
  console.log(
    `  ${Object.entries(broad)
      .map(
        ([name, { recall, precision, count }]) =>
          `${name} (${count}) recall ${recall.toFixed(2)} precision ${precision.toFixed(2)}`,
      )
      .join("; ")}`,
  );
}
