import type { SpeciesFacts } from "../../facts.ts";
import type { Genes } from "../../readers/counts/count-matrix.ts";
import { lackSymbols, symbolsOfIds } from "../../species/gene-symbols.ts";
import { recognizeSpecies } from "../../species/guess-species.ts";
import { plainGenes } from "../../species/plain-genes.ts";
import { uniqueNames } from "./unique-names.ts";

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
    return { name: uniqueNames(symbol), symbol: plain.symbol, species, notes };
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

/** The prefix once for each gene that has it. */
function genesOf(prefix: string, symbols: readonly string[]): string[] {
  return symbols.filter((name) => name.startsWith(prefix)).map(() => prefix);
}
