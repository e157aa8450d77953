/** The first of "List 1", "List 2" … that is free. */
export function firstFreeName(taken: readonly string[], name: (number: number) => string): string {
  for (let number = 1; ; number++) if (!taken.includes(name(number))) return name(number);
}
