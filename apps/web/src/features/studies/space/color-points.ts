import type { StudySpaceAnswer } from "@stipple/contract/routes/studies";
import { NO_TYPE, type StudyPoints } from "@stipple/contract/study-points";

export const COLORINGS = ["sample", "condition", "type", "cluster"] as const;
export type Coloring = (typeof COLORINGS)[number];

export interface ColoredPoints {
  legend: { name: string; color: string }[];
  /** Place in the legend of each point; the legend's length where there is none. */
  of: Uint16Array;
}

/** What the points are colored by. O(points). */
export function colorPoints(
  { samples, conditions, types, clusters }: StudySpaceAnswer,
  { cluster, type }: Pick<StudyPoints, "cluster" | "type">,
  by: Coloring,
): ColoredPoints {
  if (by === "type") {
    return { legend: types, of: type.map((one) => (one === NO_TYPE ? types.length : one)) };
  }
  if (by === "cluster") {
    return { legend: clusters.map(({ color }, at) => ({ name: `${at}`, color })), of: cluster };
  }
  const of = new Uint16Array(cluster.length);
  let from = 0;
  samples.forEach(({ points, condition }, at) => {
    const place = by === "sample" ? at : conditions.findIndex(({ name }) => name === condition);
    of.fill(place < 0 ? conditions.length : place, from, from + points);
    from += points;
  });
  return { legend: by === "sample" ? samples : conditions, of };
}
