import { confidenceOf, type TypingWay } from "../../cell-types/confidence.ts";
import { nameCells, withhold, type ChosenTypes, type Named } from "../../cell-types/name-cells.ts";
import { labelByCounts, typeByCounts } from "../../cell-types/type-by-counts.ts";
import { pause } from "../../engine/pause.ts";
import { MARKER_SETS, setsNamed } from "../../markers/index.ts";
import { typeColors, UNKNOWN } from "../../markers/type-colors.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { TypingReport } from "../../facts.ts";
import { factsOf } from "../../reference/given-reference.ts";
import type { Reference } from "../../reference/read-reference.ts";
import { guessSpecies, type Species } from "../../species/guess-species.ts";
import type { FittedTypes } from "../../types/fit-types.ts";
import { genesOf, indexSymbols } from "../../types/resolve-sets.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";

interface TypingResult {
  /** Index into `names` for each cell. */
  cellType: Int32Array;
  /** Probability that the name is right, 0–1; NaN for "Unknown". */
  confidence: Float32Array;
  /** Margin of the posterior over that of the next best type, 0–1; 0 for "Unknown". */
  margin: Float32Array;
  /** Types that occur, most frequent first; "Unknown" last if present. */
  names: string[];
  /** #RRGGBB, by the type's class: see `typeColors`. */
  colors: string[];
  report: TypingReport;
}

/** What names rest on, for judging their confidence. */
export interface NameBasis {
  way: TypingWay;
  sets: readonly Named[];
  /** nCells × (sets + 1), the last of none. */
  posterior: Float32Array;
  lookGain: number | null;
}

/**
 * Assigns cell types of the catalog, or labels of a reference: docs/methods/5-cluster-analysis.md. Cells with counts of
 * their own (bins, whole spots) are typed by these, others by the types that step 4 fitted to the spots. Cells are Unknown
 * if there are neither: with too few spots, or none of the catalog's genes.
 * @throws CancelledError once the signal is aborted.
 */
export async function assignTypes(input: TypingInput, options: TypingOptions): Promise<NamedCells> {
  const { ownCounts, reference, fitted } = input;
  if (ownCounts && reference) return byCountsOfLabels(input, reference, ownCounts, options);
  if (ownCounts) return (await byCounts(input, ownCounts, options)) ?? unnamed(input);
  return fitted ? byFit(input, fitted) : unnamed(input);
}

type NamedCells = TypingResult & { basis: NameBasis };

function byFit(input: TypingInput, { report, posterior }: FittedTypes): NamedCells {
  const { species, tissue, tissueScores, types, reference } = report;
  const names = types.map(({ name }) => name);
  const sets = reference ? labelSets(names) : setsNamed(names);
  const way = reference ? "reference" : "fit";
  const basis = { way, sets, posterior, lookGain: input.lookGain } as const;
  return named(input, basis, {
    ...(reference
      ? { method: "reference", markersFound: {}, reference }
      : {
          method: "markers",
          markersFound: Object.fromEntries(
            types.map(({ name, markers }) => [name, markers.map((gene) => input.symbols[gene])]),
          ),
        }),
    species,
    tissue,
    tissueScores,
  });
}

/** The catalog's types by the cells' own counts; null if the sample has none of the catalog's genes. */
async function byCounts(
  input: TypingInput,
  counts: SparseMatrix,
  options: TypingOptions,
): Promise<NamedCells | null> {
  const { symbols, tissue, nucleated, looks } = input;
  const species = speciesOf(input);
  const typed = await typeByCounts(
    { counts, symbols, species, tissue, nucleated, looks },
    { ...options, pause: () => pause(options.signal) },
  );
  if (!typed) return null;
  const index = indexSymbols(symbols);
  return named(input, ofCounts(typed.types, typed.posterior), {
    method: "markers",
    markersFound: Object.fromEntries(
      MARKER_SETS.map(({ name, markers }) => [
        name,
        markers.filter((symbol) => genesOf(symbol, species, index).length > 0),
      ]),
    ),
    species,
    tissue: typed.tissue,
  });
}

/** A reference's labels by the cells' own counts. */
async function byCountsOfLabels(
  input: TypingInput,
  reference: Reference,
  counts: SparseMatrix,
  options: TypingOptions,
): Promise<NamedCells> {
  const posterior = await labelByCounts({ counts, looks: input.looks }, reference, {
    ...options,
    pause: () => pause(options.signal),
  });
  return named(input, ofCounts(labelSets(reference.labels), posterior), {
    method: "reference",
    markersFound: {},
    reference: factsOf(reference),
    species: speciesOf(input),
    tissue: input.tissue ?? "unknown",
  });
}

function ofCounts(sets: readonly Named[], posterior: Float32Array): NameBasis {
  return { way: "counts", sets, posterior, lookGain: null };
}

function named(
  input: TypingInput,
  basis: NameBasis,
  report: Omit<TypingReport, "unknownFraction">,
): NamedCells {
  const { way, sets, posterior, lookGain } = basis;
  const chosen = nameCells(posterior, sets, (likely) => confidenceOf(way, likely, lookGain));
  if (input.withheld) withhold(chosen, input.withheld);
  return { ...typingResult(chosen, { ...sourcesOf(input), ...report }), basis };
}

function speciesOf({ species, symbols, ids }: TypingInput): Species {
  return species ?? guessSpecies(symbols, ids);
}

function unnamed(input: TypingInput): NamedCells {
  const { nCells, reference } = input;
  return named(input, ofCounts([], new Float32Array(nCells).fill(1)), {
    method: reference ? "reference" : "markers",
    ...(reference && { reference: factsOf(reference) }),
    markersFound: {},
    species: speciesOf(input),
    tissue: input.tissue ?? "unknown",
    tissueScores: {},
  });
}

function sourcesOf({
  species,
  tissue,
}: TypingInput): Pick<TypingReport, "speciesSource" | "tissueSource"> {
  return {
    speciesSource: species ? "given" : "guessed",
    tissueSource: tissue ? "given" : "guessed",
  };
}

/** Numbers the occurring types by frequency and completes the report. */
export function typingResult(
  { type, confidence, margin, names }: ChosenTypes,
  report: Omit<TypingReport, "unknownFraction">,
): TypingResult {
  const counts = new Float64Array(names.length);
  let unknown = 0;
  for (const t of type) {
    if (t >= 0) counts[t]++;
    else unknown++;
  }
  const order = [...counts.keys()]
    .filter((t) => counts[t] > 0)
    .sort((a, b) => counts[b] - counts[a] || a - b);
  const rank = new Int32Array(names.length);
  order.forEach((t, i) => (rank[t] = i));
  const given = order.map((t) => names[t]);
  const all = unknown > 0 ? [...given, UNKNOWN] : given;
  const markersFound = Object.fromEntries(
    Object.entries(report.markersFound).filter(([name]) => given.includes(name)),
  );
  return {
    cellType: type.map((t) => (t >= 0 ? rank[t] : given.length)),
    confidence: confidence.map((value, cell) => (type[cell] >= 0 ? value : NaN)),
    margin,
    names: all,
    colors: typeColors(all),
    report: {
      ...report,
      markersFound,
      unknownFraction: type.length > 0 ? unknown / type.length : 0,
    },
  };
}

/** A reference's labels: each is its own lineage. */
function labelSets(labels: readonly string[]): Named[] {
  return labels.map((name) => ({ name, lineage: name }));
}
