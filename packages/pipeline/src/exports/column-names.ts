/** Bytes of a name in that of a column, which is a folder in Zarr: file systems allow 255. */
const LONGEST = 230;

/**
 * Columns named for what people named: letters, digits, and "_", shortened; names that differ only in the rest get numbers.
 */
export function plainColumns(
  names: readonly string[],
  columnOf: (plain: string) => string,
): string[] {
  const plain = names.map((name) => {
    const bytes = Buffer.from(name.replaceAll(/[^\p{L}\p{N}]+/gu, "_"));
    // As a stream, so that a letter cut in two is left out.
    return new TextDecoder().decode(bytes.subarray(0, LONGEST), { stream: true });
  });
  return numbered(plain, columnOf);
}

/** What is made of each name; if that is taken, in whatever case (SpatialData refuses that), of the name with a number. */
export function numbered(
  names: readonly string[],
  madeOf: (name: string) => string = (name) => name,
): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let made = madeOf(name);
    for (let number = 2; taken.has(made.toLowerCase()); number++)
      made = madeOf(`${name}_${number}`);
    taken.add(made.toLowerCase());
    return made;
  });
}
