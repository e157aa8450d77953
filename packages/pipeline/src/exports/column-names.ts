/** Columns named for what people named: letters, digits, and "_"; names that differ only in other characters get numbers. */
export function plainColumns(
  names: readonly string[],
  columnOf: (plain: string) => string,
): string[] {
  const plain = names.map((name) => name.replaceAll(/[^\p{L}\p{N}]+/gu, "_"));
  return numbered(plain, columnOf);
}

/** What is made of each name; if that is taken, of the name with a number. */
export function numbered(
  names: readonly string[],
  madeOf: (name: string) => string = (name) => name,
): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let made = madeOf(name);
    for (let number = 2; taken.has(made); number++) made = madeOf(`${name}_${number}`);
    taken.add(made);
    return made;
  });
}
