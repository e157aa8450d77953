import { fitAffine, moved, residual, type Affine } from "@stipple/contract/affine";
import type { Landmark } from "@stipple/contract/routes/registration";

/** Landmarks being edited, and what they were before each change. */
export interface LandmarkEdit {
  landmarks: readonly Landmark[];
  past: readonly (readonly Landmark[])[];
}

export type LandmarkChange =
  | { do: "add"; landmark: Landmark }
  | { do: "set"; at: number; landmark: Landmark }
  | { do: "remove"; at: number }
  | { do: "reset"; to: readonly Landmark[] }
  | { do: "undo" };

export function editLandmarks(edit: LandmarkEdit, change: LandmarkChange): LandmarkEdit {
  const { landmarks, past } = edit;
  if (change.do === "undo") {
    const before = past.at(-1);
    return before ? { landmarks: before, past: past.slice(0, -1) } : edit;
  }
  return { landmarks: changed(landmarks, change), past: [...past, landmarks] };
}

function changed(
  landmarks: readonly Landmark[],
  change: Exclude<LandmarkChange, { do: "undo" }>,
): readonly Landmark[] {
  switch (change.do) {
    case "add":
      return [...landmarks, change.landmark];
    case "set":
      return landmarks.map((one, at) => (at === change.at ? change.landmark : one));
    case "remove":
      return landmarks.filter((_, at) => at !== change.at);
    case "reset":
      return change.to;
  }
}

export const MIN_LANDMARKS = 3;

export interface LandmarkFit {
  /** The affine map; null if there are too few landmarks, or all on a line. */
  map: Affine | null;
  /** Of each landmark from where the map puts it, px; empty without a map. */
  residualsPx: number[];
  /** Root mean square of these. */
  residualPx: number;
}

/** O(landmarks). */
export function fitLandmarks(landmarks: readonly Landmark[]): LandmarkFit {
  const from = landmarks.flatMap((one) => one.from);
  const to = landmarks.flatMap((one) => one.to);
  const map = fitAffine(from, to);
  if (!map) return { map, residualsPx: [], residualPx: 0 };
  const residualsPx = landmarks.map((one) => {
    const [x, y] = moved(map, ...one.from);
    return Math.hypot(x - one.to[0], y - one.to[1]);
  });
  return { map, residualsPx, residualPx: residual(map, from, to) };
}

/** The spot nearest to a place on the image, as the files have it. */
export function nearestSpot(
  spots: readonly number[],
  map: Affine,
  [x, y]: readonly [number, number],
): [number, number] {
  let [best, nearest] = [0, Infinity];
  for (let i = 0; i < spots.length; i += 2) {
    const [u, v] = moved(map, spots[i]!, spots[i + 1]!);
    const distance = (u - x) ** 2 + (v - y) ** 2;
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return [spots[best]!, spots[best + 1]!];
}
