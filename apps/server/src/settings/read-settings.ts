import { INTERNAL, SECTIONS, type Setting } from "./settings.ts";

type Sections = typeof SECTIONS;
type Union<T> = T[keyof T];
/** All sections' settings in one object. */
type Settings = {
  [S in keyof Sections]: (settings: Sections[S]) => void;
}[keyof Sections] extends (settings: infer All) => void
  ? All
  : never;
/** Every setting's value. */
export type Values = {
  [K in keyof Settings]: Settings[K] extends Setting<infer T, infer F> ? T | F : never;
};

export const SETTINGS: ReadonlyMap<string, Setting<unknown, unknown>> = new Map(
  Object.values(SECTIONS).flatMap((section: Union<Sections>) => Object.entries(section)),
);

/** The settings are invalid; the message describes each fault in a sentence. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Reads every setting once; an empty one counts as not set, so that `.env` files may keep blank lines. */
export function readSettings(environment: NodeJS.ProcessEnv): Values {
  const faults: string[] = [];
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("STIPPLE_") || SETTINGS.has(name) || INTERNAL.includes(name)) continue;
    const near = nearest(name);
    faults.push(
      `${name} is not a setting of Stipple${near ? `: did you mean ${near}?` : "."} All are listed in docs/settings.md.`,
    );
  }
  const values: Record<string, unknown> = {};
  for (const [name, { kind, fallback, secret }] of SETTINGS) {
    const text = environment[name];
    if (text === undefined || text === "") {
      values[name] = fallback;
      continue;
    }
    values[name] = kind.parse(text);
    if (values[name] === undefined) {
      faults.push(`${name} must be ${kind.says}${secret ? "" : `, not "${text}"`}.`);
    }
  }
  if (faults.length > 0) throw new SettingsError(faults.join("\n"));
  return values as Values;
}

/** The setting that a mistyped name is closest to, if any is close. */
function nearest(name: string): string | undefined {
  const [best] = [...SETTINGS.keys()]
    .map((known) => ({ known, edits: editDistance(name, known) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= 4 ? best.known : undefined;
}

/** Levenshtein's distance. O(length of a × length of b). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
