/** Types of features that 10x writes. */
const TYPES = new Set([
  "",
  "Gene Expression",
  "Antibody Capture",
  "CRISPR Guide Capture",
  "Multiplexing Capture",
  "Antigen Capture",
  "Custom",
  "Peaks",
]);
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Control characters, and what bytes that are no ASCII look like. */
const UNREADABLE = /[\p{Cc}\u0080-\u00FF\uFFFD]/u;
/** Ensembl's IDs of genes, also behind the name of a genome and with a version. */
const ENSEMBL = /^((?:\w+_)?ENS[A-Z]{0,6}G)\d{11}(?:\.\d+)?(?:_PAR_Y)?$/;
/** Values of fewer features are looked at as mistakes. */
const RARE = 0.01;

/**
 * What cannot have been written so in a list of features, such as the type "Gene Exprexsion", which would make a gene
 * something else; null if there is nothing. Lists of names rarely have a checksum. O(features).
 */
export function faultOfFeatures(
  ids: readonly string[],
  symbols: readonly string[],
  types: readonly (string | undefined)[],
  genomes: readonly (string | undefined)[] = [],
): string | null {
  const odd = (list: readonly (string | undefined)[], isOdd: (text: string) => boolean): string =>
    list.find((text) => text !== undefined && isOdd(text)) ?? "";
  const unreadable =
    odd(ids, (id) => !PRINTABLE.test(id)) ||
    odd(symbols, (symbol) => UNREADABLE.test(symbol)) ||
    odd([...types, ...genomes], (text) => !PRINTABLE.test(text));
  if (unreadable) return `has the unreadable name "${unreadable}" among its features`;
  const nearType = oddType(types);
  if (nearType !== null) return `has a feature of the type "${nearType}"`;
  const nearGenome = nearMiss(genomes);
  if (nearGenome !== null) return `has a feature of the genome "${nearGenome}"`;
  return oddId(ids);
}

function oddType(types: readonly (string | undefined)[]): string | null {
  const { rare, common } = byFrequency(types);
  const odd = (type: string): boolean =>
    !TYPES.has(type) &&
    (/gene|expres|ession/i.test(type) ||
      [...TYPES].some((known) => known.startsWith(type)) ||
      common.some((other) => isSimilar(type, other) || type.startsWith(other.slice(0, 2))));
  return rare.find(odd) ?? null;
}

/** A rare value as long as a common one and mostly equal to it. */
function nearMiss(values: readonly (string | undefined)[]): string | null {
  const { rare, common } = byFrequency(values);
  return rare.find((value) => common.some((other) => isSimilar(value, other))) ?? null;
}

function byFrequency(values: readonly (string | undefined)[]): {
  rare: string[];
  common: string[];
} {
  const times = new Map<string, number>();
  for (const value of values) if (value) times.set(value, (times.get(value) ?? 0) + 1);
  const most = RARE * values.length;
  const names = [...times.keys()];
  return {
    rare: names.filter((name) => times.get(name)! <= most),
    common: names.filter((name) => times.get(name)! > most),
  };
}

function isSimilar(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal++;
  return 2 * equal >= a.length;
}

/** If nearly all IDs are Ensembl's: one that is nearly so, or listed twice. */
function oddId(ids: readonly string[]): string | null {
  const others: string[] = [];
  const seen = new Set<string>();
  const prefixes = new Map<string, string>();
  let repeated: string | null = null;
  for (const id of ids) {
    const [, prefix] = ENSEMBL.exec(id) ?? [];
    if (prefix === undefined) others.push(id);
    else {
      if (seen.has(id)) repeated ??= id;
      seen.add(id);
      if (!prefixes.has(prefix)) prefixes.set(prefix, id);
    }
  }
  if (others.length > RARE * ids.length) return null;
  if (repeated !== null) return `lists the gene ${repeated} twice`;
  const near = others.find((id) =>
    [...prefixes].some(
      ([prefix, example]) =>
        id.startsWith(prefix) || (id.length === example.length && isNearId(id, example)),
    ),
  );
  return near === undefined ? null : `has a gene with the ID "${near}"`;
}

/** Whether most characters are as in an ID: its letters, and digits where it has digits. */
function isNearId(id: string, example: string): boolean {
  let alike = 0;
  for (let i = 0; i < id.length; i++) {
    const [a, b] = [id[i], example[i]];
    if (a === b || (/\d/.test(a) && /\d/.test(b))) alike++;
  }
  return 2 * alike >= id.length;
}
