/**
 * What an object of QuPath is: "annotation", "cell", "detection", "tile"; null for those of other programs. Until version
 * 0.3, QuPath wrote it as the id: "PathCellObject".
 */
export function objectTypeOf({
  id,
  properties,
}: {
  id?: unknown;
  properties?: unknown;
}): string | null {
  const { objectType } = (properties ?? {}) as { objectType?: unknown };
  if (typeof objectType === "string") return objectType;
  return /^Path([A-Z][a-z]+)Object$/.exec(String(id))?.[1]?.toLowerCase() ?? null;
}
