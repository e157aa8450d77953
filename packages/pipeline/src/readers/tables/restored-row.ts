/**
 * A row of data as it was before a program took it for the names of columns: R puts an X before numbers and dots
 * for dashes, and programs number equal names (0, 0.1, 0.2 or 0...2, 0...3). `next`: the row after it.
 */
export function restoredRow(names: readonly string[], next: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name, i) => {
    const hasDashes = next[i]?.includes("-") && !next[i].includes(".") && !name.includes("-");
    if (hasDashes && /[a-z]/i.test(name.slice(1))) return name.replaceAll(".", "-");
    const known = name
      .replace(/\.\.\.\d+$/, "")
      .replace(/^X\.(?=\d)/, "-")
      .replace(/^X(?=\d)/, "");
    const [, base = "", copy] = /^(.*)\.(\d+)$/.exec(known) ?? [];
    const times = seen.get(base) ?? 0;
    const original = copy !== undefined && times > 0 && Number(copy) === times ? base : known;
    seen.set(original, (seen.get(original) ?? 0) + 1);
    return original;
  });
}
