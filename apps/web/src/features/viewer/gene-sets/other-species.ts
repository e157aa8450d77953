type Style = "human" | "mouse";

/** Names enough to tell how they are written. */
const MIN_NAMES = 10;
const CLEARLY = 0.7;

/** How most of these symbols are written: CD3E as in human, Cd3e as in mouse; null if neither, or too few. */
function styleOf(names: readonly string[]): Style | null {
  // Ensembl IDs and numbers tell nothing.
  const symbols = names.filter((name) => /^[a-z]{2}/i.test(name) && !/^ens[a-z]*\d{6}/i.test(name));
  if (symbols.length < MIN_NAMES) return null;
  const human = symbols.filter((name) => name === name.toUpperCase()).length;
  const mouse = symbols.filter((name) => /^[A-Z][a-z0-9-]*[a-z]/.test(name)).length;
  if (human >= CLEARLY * symbols.length) return "human";
  return mouse >= CLEARLY * symbols.length ? "mouse" : null;
}

/** The species as which names are written, where the sample's genes are written as of another; null otherwise. */
export function otherSpecies(
  names: readonly string[],
  genes: readonly string[],
): { list: Style; sample: Style } | null {
  const [list, sample] = [styleOf(names), styleOf(genes)];
  return list && sample && list !== sample ? { list, sample } : null;
}
