import { unmetRequirements, type PlatformId } from "@stipple/contract";

/** The files without which a workflow cannot start, by their usual names. */
export function missingInputs(platform: PlatformId, filled: ReadonlySet<string>): string[] {
  return unmetRequirements(platform, filled).flatMap(({ missing, otherwise }) => {
    const names = missing.map(({ fileName }) => fileName);
    return otherwise ? [`${inWords(names)} (or ${otherwise})`] : names;
  });
}

function inWords(names: readonly string[]): string {
  return names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
}
