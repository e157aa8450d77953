import type { SpeciesFacts, TypingReport } from "../facts.ts";
import type { Species } from "./guess-species.ts";

/** Which species' markers name the types, and what a reader should know about that. */
export interface TypingSpecies {
  /** Null: it must be guessed from the genes. */
  species: Species | null;
  report: Pick<TypingReport, "speciesName" | "organism" | "speciesNote">;
}

/**
 * Combines what the genes tell with what the user set. Markers are known only for human and mouse, so other species and
 * mixtures need a reference; a species that the user set decides which markers are used, but not what the genes are.
 * `facts`: null where nothing was recorded.
 */
export function typingSpecies(
  facts: SpeciesFacts | null,
  given: "human" | "mouse" | undefined,
  hasReference: boolean,
): TypingSpecies {
  const species = given ?? facts?.species ?? null;
  const found = facts?.species ?? "unknown";
  const organism =
    found === "human" || found === "mouse" ? found : found === "unknown" ? (given ?? null) : null;
  const note = facts && noteOf(facts, given, hasReference);
  return {
    species,
    report: {
      ...(facts && { speciesName: facts.name, organism }),
      ...(note && { speciesNote: note }),
    },
  };
}

function noteOf(
  { species, name, evidence }: SpeciesFacts,
  given: "human" | "mouse" | undefined,
  hasReference: boolean,
): string | null {
  const genes = `the genes are those of ${name ?? "another species"} by ${evidence}`;
  if (given !== undefined && species !== "unknown" && species !== given) {
    return hasReference ? null : `Markers of ${given} were used, as set, although ${genes}.`;
  }
  if (given !== undefined || hasReference) return null;
  if (species === "other") {
    return `Types need a reference for this species: ${genes}, and there are markers only for human and mouse; add labeled single cells of it (h5ad), or set the species whose markers to use.`;
  }
  if (species === "mixed") {
    return `Types need a reference with cells of each species: ${genes}, and markers cannot name such cells; add labeled single cells (h5ad), or set the species whose markers to use.`;
  }
  return null;
}
