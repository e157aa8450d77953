/** Names of genes as one text, as requests and links have them: separated by commas, with a backslash before a comma in a name. */
export function joinedGenes(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\,]/g, "\\$&")).join(",");
}

/** The names in such a text, without empty ones. */
export function genesOf(text: string): string[] {
  const parts = text.match(/(?:\\.|[^\\,])+/g) ?? [];
  return parts.map((part) => part.replaceAll(/\\(.)/g, "$1").trim()).filter(Boolean);
}
