/** Columns named for what people named: letters, digits, and "_"; names that differ only in other characters get numbers. */
export function plainColumns(
  names: readonly string[],
  columnOf: (plain: string) => string,
): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll(/[^\p{L}\p{N}]+/gu, "_");
    let column = columnOf(plain);
    for (let number = 2; taken.has(column); number++) column = columnOf(`${plain}_${number}`);
    taken.add(column);
    return column;
  });
}
