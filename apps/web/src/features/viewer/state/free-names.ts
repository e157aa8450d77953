import { LONGEST_ANNOTATION_NAME } from "@stipple/contract/annotation-limits";
import { shortened } from "@stipple/contract/shortened";

/** The first of "List 1", "List 2" … that is free. */
export function firstFreeName(taken: readonly string[], name: (number: number) => string): string {
  for (let number = 1; ; number++) if (!taken.includes(name(number))) return name(number);
}

/** The name, shortened to what is kept, or with a number behind it if it is taken. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const ending = number === 1 ? "" : ` (${number})`;
    const tried = `${shortened(name, LONGEST_ANNOTATION_NAME - ending.length)}${ending}`;
    if (!taken.has(tried)) return tried;
  }
}

/** A name without line ends and other characters that names may not have. */
export function oneLine(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  return shortened(line, LONGEST_ANNOTATION_NAME);
}

/** Whether a name has what is searched for in it. */
export function isNamed(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.trim().toLowerCase());
}
