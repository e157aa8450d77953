/** Choices of a run as they are stored. */
interface Choices {
  settings: Record<string, unknown>;
  parameters: Record<string, Record<string, unknown>>;
}

/** Settings' values that earlier versions offered. */
const SETTINGS: Readonly<Record<string, readonly unknown[]>> = { segmentation: ["classical"] };
/** Parameters that earlier versions had: step, name, and the name within a group. */
const PARAMETERS: readonly (readonly string[])[] = [
  ["morphological-analysis", "nuclei", "method"],
  ["morphological-analysis", "nuclei", "classical"],
];

/**
 * Stored choices without those that no longer exist, so that an old project can run again, and the names of what was
 * left out. Only for stored choices: new ones are refused like any unknown name.
 */
export function withoutRetired<C extends Choices>(choices: C): { choices: C; retired: string[] } {
  const kept = structuredClone(choices);
  const retired: string[] = [];
  for (const [name, values] of Object.entries(SETTINGS)) {
    if (!values.includes(kept.settings[name])) continue;
    retired.push(`${name}=${String(kept.settings[name])}`);
    delete kept.settings[name];
  }
  for (const path of PARAMETERS) {
    const group = path.slice(0, -1).reduce<unknown>(memberOf, kept.parameters);
    const name = path.at(-1)!;
    if (memberOf(group, name) === undefined) continue;
    retired.push(path.join("."));
    delete (group as Record<string, unknown>)[name];
  }
  return { choices: kept, retired };
}

function memberOf(group: unknown, name: string): unknown {
  return typeof group === "object" && group !== null
    ? (group as Record<string, unknown>)[name]
    : undefined;
}
