import type { Landmark } from "@stipple/contract/routes/registration";

/** Landmarks that are not kept on the server yet survive a closed tab. */
const PREFIX = "stipple.landmarks";

export function draftOf(projectId: string): Landmark[] | null {
  try {
    return JSON.parse(localStorage.getItem(`${PREFIX}.${projectId}`) ?? "null") as
      Landmark[] | null;
  } catch {
    return null;
  }
}

export function keepDraft(projectId: string, landmarks: readonly Landmark[] | null): void {
  const key = `${PREFIX}.${projectId}`;
  if (landmarks) localStorage.setItem(key, JSON.stringify(landmarks));
  else localStorage.removeItem(key);
}
