import { InputError } from "../errors.ts";
import type { SampleSums } from "./sum-sample.ts";

/** Samples that share fewer of their genes than this were measured with other panels or references. */
const MIN_SHARED = 0.75;

/** A sample with its name in the study. */
export interface NamedSums {
  name: string;
  sums: SampleSums;
}

export interface SharedGenes {
  id: string[];
  name: string[];
  /** For each sample, the index of every shared gene in it. */
  at: Int32Array[];
}

/**
 * The genes that all samples have, by ID, in the order of the first. Throws {@link InputError} for samples of other species
 * or with other genes.
 */
export function sharedGenes(
  samples: readonly { name: string; sums: Pick<SampleSums, "species" | "genes"> }[],
): SharedGenes {
  const [first, ...others] = samples;
  if (!first || others.length === 0) {
    throw new InputError("A study compares at least two samples: add samples to it.");
  }
  const indices = samples.map(
    ({ sums }) => new Map(sums.genes.id.map((id, gene) => [id, gene] as const)),
  );
  for (const { name, sums } of others) {
    const known = sums.species !== null && first.sums.species !== null;
    if (!known || sums.species === first.sums.species) continue;
    throw new InputError(
      `${first.name} is ${first.sums.species} and ${name} is ${sums.species}: compare samples of one species.`,
    );
  }
  const { id, name } = first.sums.genes;
  const kept = id.flatMap((gene, at) => (indices.every((own) => own.has(gene)) ? [at] : []));
  for (const [i, { name: other, sums }] of samples.entries()) {
    const largest = Math.max(id.length, sums.genes.id.length);
    const shared = id.filter((gene) => indices[i].has(gene)).length;
    if (shared >= MIN_SHARED * largest) continue;
    throw new InputError(
      `${first.name} and ${other} share ${shared.toLocaleString("en-US")} of ${largest.toLocaleString("en-US")} genes: compare samples measured with the same genes.`,
    );
  }
  return {
    id: kept.map((at) => id[at]),
    name: kept.map((at) => name[at]),
    at: indices.map((own) => Int32Array.from(kept, (gene) => own.get(id[gene])!)),
  };
}
