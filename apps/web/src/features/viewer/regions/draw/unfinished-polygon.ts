/** Corners of a polygon that is not closed yet survive a closed tab. */
const PREFIX = "stipple.polygon";

/** Full-resolution px: x and y of each corner; none if nothing is kept or storage is blocked. */
export function unfinishedPolygon(projectId: string): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`${PREFIX}.${projectId}`) ?? "[]");
    return Array.isArray(kept) && kept.length % 2 === 0 && kept.every(Number.isFinite) ? kept : [];
  } catch {
    return [];
  }
}

export function keepUnfinishedPolygon(projectId: string, corners: readonly number[]): void {
  const key = `${PREFIX}.${projectId}`;
  try {
    if (corners.length > 0) localStorage.setItem(key, JSON.stringify(corners));
    else localStorage.removeItem(key);
  } catch {
    // Blocked or full: the page still has it.
  }
}
