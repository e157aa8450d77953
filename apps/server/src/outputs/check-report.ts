import type { Held, StorageCheck } from "./check.ts";

/** What was done about what a check has found. */
export interface Done {
  isRemoved: boolean;
  /** Whether every object was read. */
  isDeep: boolean;
  /** Keys of repaired objects; null if no repair was asked for. */
  repaired: ReadonlySet<string> | null;
}

/** What a check has found, a line each; the last one sums up. */
export function checkReport(check: StorageCheck, done: Done): string[] {
  const { orphans, unfinished, missing, damaged, objects } = check;
  const leftOver = orphans.length + unfinished.length;
  const faults = [...missing, ...damaged];
  const left = faults.filter(({ key }) => !done.repaired?.has(key)).length;
  const bytes = orphans.reduce((sum, { size }) => sum + size, 0);
  const of = ({ key, holders }: Held): string =>
    ` (${holders.join("; ")})${done.repaired?.has(key) ? ": repaired" : ""}`;
  return [
    ...missing.map((held) => `missing: ${held.key}, ${held.size} bytes${of(held)}`),
    ...damaged.map((held) => `damaged: ${held.key}: ${held.why}${of(held)}`),
    ...orphans.map(({ key, size }) => `orphan: ${key}, ${size} bytes`),
    ...unfinished.map(
      ({ key, startedAt }) => `unfinished upload: ${key}, started ${startedAt.toISOString()}`,
    ),
    faults.length + leftOver === 0
      ? `All is well: ${objects} objects, all referenced and ${done.isDeep ? "read to the end" : "of the right size. Use --deep to read them"}.`
      : [
          `${objects} objects checked.`,
          faults.length > left ? `${faults.length - left} repaired.` : "",
          left > 0 ? `${left} cannot be read: ${remedy(done)}` : "",
          leftOver > 0
            ? `${leftOver} unreferenced (${bytes} bytes)${done.isRemoved ? ": removed." : ": stipple storage check --remove removes them."}`
            : "",
        ]
          .filter((part) => part !== "")
          .join(" "),
  ];
}

/** Users are told on their own, and what they run or upload again repairs the object for everyone who shares it. */
function remedy({ repaired }: Done): string {
  return repaired === null
    ? "stipple storage check --repair --from BACKUP repairs what a backup holds; running the steps or uploading the files again repairs the rest."
    : "running the steps or uploading the files again repairs them.";
}
