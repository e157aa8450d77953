/** Genes under the names that markers and references know them by. */
export interface PlainGenes {
  id: string[];
  symbol: string[];
  /** The genomes that preceded names, each once. */
  prefixes: string[];
}

/** Cell Ranger puts the genome before names in references of several: "GRCh38_CD3D", or "GRCh38______CD3D" with more. */
const AFTER_GENOME = /^([A-Za-z][\w.-]*?)(_{3,}|_)([^_].*)$/;
/** A single underscore is common in names, so it counts only after one of these. */
const ASSEMBLY =
  /^(refdata-.+|GRC[a-z]+\d+|hg\d\d|mm(9|10|39)|T2T-?CHM13|mRatBN7\.2|Rnor_?6(\.0)?|rn[67]|Sscrofa11\.1|Mmul_?10|BDGP6|TAIR10|CanFam3\.1)(-\w+)*$/i;

/** Removes the genome in front of IDs and symbols. O(genes). */
export function plainGenes(ids: readonly string[], symbols: readonly string[]): PlainGenes {
  const prefixes = new Set<string>();
  const plain = (name: string): string => {
    const [, genome = "", separator = "", rest = ""] = AFTER_GENOME.exec(name) ?? [];
    if (genome === "" || (separator === "_" && !ASSEMBLY.test(genome))) return name;
    prefixes.add(genome);
    return rest;
  };
  return { id: ids.map(plain), symbol: symbols.map(plain), prefixes: [...prefixes] };
}
