import type { SpeciesFacts } from "../../facts.ts";
import type { Genes } from "../../readers/counts/count-matrix.ts";
import { recognizeSpecies } from "../../species/guess-species.ts";
import { inUsualCase, lackSymbols, symbolsOfIds } from "../../species/symbols-of-ids.ts";

export interface NamedGenes {
  /** As the results call genes: as the file does, or by symbol where the file has only IDs. Unique. */
  name: string[];
  /** As markers and references call them. */
  symbol: string[];
  species: SpeciesFacts;
  /** For the log. */
  notes: string[];
}

/** Names a sample's genes and says what species they are from. O(genes). */
export async function nameGenes({ id, symbol, genome }: Genes): Promise<NamedGenes> {
  const notes: string[] = [];
  const plain = plainGenes(id, symbol);
  if (plain.prefixes.length > 0) {
    notes.push(
      `Names of genes start with the genome (${plain.prefixes.join(", ")}); markers and references are matched without it.`,
    );
  }
  const species = recognizeSpecies({
    id: plain.id,
    symbol: plain.symbol,
    genome: genome ?? plain.prefixes.flatMap((prefix) => genesOf(prefix, symbol)),
  });
  if (species.name !== null) {
    notes.push(`Species: ${species.name}, by ${species.evidence}.`);
  }
  if (!lackSymbols(plain.symbol)) {
    const usual = await usualSymbols(plain.symbol, species);
    if (usual) {
      notes.push(
        `Gene symbols are not in the case of ${species.name} ones; markers and references are matched as if they were.`,
      );
    }
    return { name: uniqueNames(symbol), symbol: usual ?? plain.symbol, species, notes };
  }
  const { symbols, found } = await symbolsOfIds(plain.symbol);
  notes.push(
    `The counts have no gene symbols; ${found} of ${symbols.length} Ensembl IDs were given one (org.Hs.eg.db 3.16.0 for human, Visium probes for mouse), and the others keep their ID.`,
  );
  return {
    name: uniqueNames(plain.prefixes.length > 1 ? symbol : symbols),
    symbol: symbols,
    species,
    notes,
  };
}

async function usualSymbols(
  symbols: readonly string[],
  { species }: SpeciesFacts,
): Promise<string[] | null> {
  return species === "human" || species === "mouse" ? inUsualCase(symbols, species) : null;
}

/** The prefix once for each gene that has it. */
function genesOf(prefix: string, symbols: readonly string[]): string[] {
  return symbols.filter((name) => name.startsWith(prefix)).map(() => prefix);
}

/** Genes under the names that markers and references know them by. */
interface PlainGenes {
  id: string[];
  symbol: string[];
  /** The genomes that preceded names, each once. */
  prefixes: string[];
}

/** Cell Ranger puts the genome before names in references of several: "GRCh38_CD3D", or "GRCh38______CD3D" with more. */
const AFTER_GENOME = /^([A-Za-z][\w.-]*?)(_{3,}|_)([^_].*)$/;
/** A single underscore is common in names, so it counts only after one of these. */
const ASSEMBLY =
  /^(human|mouse|refdata-.+|GRC[a-z]+\d+|hg\d\d|mm(9|10|39)|T2T-?CHM13|mRatBN7\.2|Rnor_?6(\.0)?|rn[67]|Sscrofa11\.1|Mmul_?10|BDGP6|TAIR10|CanFam3\.1)(-\w+)*$/i;

/** Removes the genome in front of IDs and symbols. O(genes). */
function plainGenes(ids: readonly string[], symbols: readonly string[]): PlainGenes {
  const prefixes = new Set<string>();
  const plain = (name: string): string => {
    const [, genome = "", separator = "", rest = ""] = AFTER_GENOME.exec(name) ?? [];
    if (genome === "" || (separator === "_" && !ASSEMBLY.test(genome))) return name;
    prefixes.add(genome);
    return rest;
  };
  return { id: ids.map(plain), symbol: symbols.map(plain), prefixes: [...prefixes] };
}

/**
 * Makes symbols unique as anndata does: the first keeps its name; later ones get -1, -2, …, skipping names
 * already in use. O(n).
 */
export function uniqueNames(symbols: readonly string[]): string[] {
  const taken = new Set(symbols);
  const seen = new Map<string, number>();
  return symbols.map((symbol) => {
    const count = seen.get(symbol);
    if (count === undefined) {
      seen.set(symbol, 0);
      return symbol;
    }
    let next = count + 1;
    while (taken.has(`${symbol}-${next}`)) next++;
    seen.set(symbol, next);
    const name = `${symbol}-${next}`;
    taken.add(name);
    return name;
  });
}
