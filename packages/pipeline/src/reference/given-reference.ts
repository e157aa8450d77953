import type { ReferenceFacts } from "../facts.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { guessSpecies } from "../species/guess-species.ts";
import type { StepContext } from "../step.ts";
import { readReference, type Reference } from "./read-reference.ts";

/** The reference given with a sample (`byGene`: nGenes × nSpots counts); null if there is none. */
export async function givenReference(
  context: Pick<StepContext, "files" | "settings" | "read" | "readIfAny" | "signal">,
  byGene: SparseMatrix,
): Promise<Reference | null> {
  const { files, settings, read, readIfAny, signal } = context;
  if (!files.reference) return null;
  const [symbols, ids] = [await read("genes/symbol"), await read("genes/id")];
  const recorded = (await readIfAny("sample/species"))?.species;
  const { indptr } = byGene;
  return readReference({
    file: files.reference,
    labelColumn: settings.referenceLabels,
    symbols,
    ids,
    species: settings.species ?? recorded ?? guessSpecies(symbols, ids),
    counted: Uint8Array.from(symbols, (_, gene) => (indptr[gene + 1] > indptr[gene] ? 1 : 0)),
    signal,
  });
}

/** What a report says of a reference. */
export function factsOf({ labels, genes, description }: Reference): ReferenceFacts {
  return {
    labels: labels.length,
    genes: genes.length,
    ...(description && { kept: description }),
  };
}
