import type { SpeciesFacts } from "../facts.ts";
import { ANY_ENSEMBL, HUMAN, MOUSE, OTHER_SPECIES, type KnownSpecies } from "./known-species.ts";

/** "mixed": genes of several species; "other": a species without markers of its own. */
export type Species = "human" | "mouse" | "mixed" | "other" | "unknown";

/** With fewer informative genes, or a smaller majority of them, the species is unknown. */
const MIN_GENES = 5;
const MAJORITY = 0.7;
/** Each species of a mixture has at least this share of the genes. */
const MIXED = 0.1;

const ALL: readonly KnownSpecies[] = [HUMAN, MOUSE, ...OTHER_SPECIES];
const UNLISTED = "another species";

/** Genes by the names that the file or a reference gives them, without prefixes of genomes. */
export interface NamedGenes {
  symbol: readonly string[];
  id: readonly string[];
  /** The genome of each gene, if the file says so. */
  genome?: readonly string[] | undefined;
}

/**
 * The species by gene IDs, else by the names of genomes, else by the case of symbols: all capitals in human (CD3D,
 * MT-CO1), one capital in mouse (Cd3d, mt-Co1). Symbols without two consecutive letters are uninformative. Other
 * mammals use human capitals and rats those of mice, so symbols alone can mislead. O(genes).
 */
export function recognizeSpecies({ symbol, id, genome = [] }: NamedGenes): SpeciesFacts {
  const byId = bySpecies(id, ({ ids }) => ids, "gene IDs", ANY_ENSEMBL);
  if (byId) return byId;
  const byGenome = bySpecies(
    genome.filter((name) => name !== ""),
    ({ genomes }) => genomes,
    "the genome",
    null,
  );
  if (byGenome) return byGenome;
  const bySymbol = bySpecies(symbol, ({ symbols, ids }) => symbols ?? ids, "gene symbols", null);
  if (bySymbol) return bySymbol;
  const human = symbol.filter((name) =>
    /^[A-Z][A-Z0-9]*[A-Z][A-Z0-9]*(-|$|\d|[A-Z])/.test(name),
  ).length;
  const mouse = symbol.filter((name) => /^([A-Z][a-z]|mt-[A-Z])/.test(name)).length;
  const species = majority(human, mouse);
  return species === "unknown"
    ? { species, name: null, evidence: null }
    : { species, name: species, evidence: "the case of gene symbols" };
}

/** The species by symbols and IDs alone. */
export function guessSpecies(symbols: readonly string[], ids: readonly string[]): Species {
  return recognizeSpecies({ symbol: symbols, id: ids }).species;
}

/** The species of most names that a pattern recognizes; null if it recognizes too few. `what`: what the names are. */
function bySpecies(
  names: readonly string[],
  patternOf: (species: KnownSpecies) => RegExp | undefined,
  what: string,
  otherwise: RegExp | null,
): SpeciesFacts | null {
  const counts = new Map<string, number>();
  const examples = new Map<string, string>();
  let all = 0;
  let last: KnownSpecies | undefined;
  for (const name of names) {
    // Neighbors in the list are usually of one species.
    if (!last || !patternOf(last)?.test(name)) {
      last = ALL.find((one) => patternOf(one)?.test(name));
    }
    const species = last?.name ?? (otherwise?.test(name) ? UNLISTED : undefined);
    if (species === undefined) continue;
    all++;
    counts.set(species, (counts.get(species) ?? 0) + 1);
    if (!examples.has(species)) examples.set(species, name);
  }
  if (all < MIN_GENES) return null;
  const present = [...counts].filter(([, count]) => count >= MIXED * all).map(([name]) => name);
  const evidence = `${what} (${present.map((name) => examples.get(name)).join(", ")})`;
  if (present.length > 1) return { species: "mixed", name: present.join(" and "), evidence };
  const [name = UNLISTED] = present;
  const species = name === "human" || name === "mouse" ? name : "other";
  return { species, name: name === UNLISTED ? null : name, evidence };
}

function majority(human: number, mouse: number): "human" | "mouse" | "unknown" {
  const all = human + mouse;
  if (all < MIN_GENES) return "unknown";
  if (human >= MAJORITY * all) return "human";
  return mouse >= MAJORITY * all ? "mouse" : "unknown";
}
