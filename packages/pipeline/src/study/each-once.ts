/** Parts of file names with a number where one is there already, in any case. */
export function eachOnce(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let once = name;
    for (let n = 2; taken.has(once.toLowerCase()); n++) once = `${name}_${n}`;
    taken.add(once.toLowerCase());
    return once;
  });
}
