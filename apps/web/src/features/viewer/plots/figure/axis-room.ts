import { TYPE } from "./draw-plot.ts";
import { shortened, textWidth } from "@stipple/viewer/figure";

/** Rotation of the labels above the columns of a matrix. */
export const TURN_DEGREES = -60;
const RISE = Math.sin((-TURN_DEGREES * Math.PI) / 180);
const RUN = Math.cos((TURN_DEGREES * Math.PI) / 180);

/** Labels shortened to fit next to a drawing, and the margin they need, px. */
export interface AxisRoom {
  labels: string[];
  margin: number;
}

/** Left margin for labels of at most `most` px. */
export function roomAtLeft(names: readonly string[], most: number): AxisRoom {
  const labels = names.map((name) => shortened(name, most, TYPE));
  return { labels, margin: Math.ceil(widest(labels)) + 12 };
}

/** Left margin for names of at most `most` px over second lines, which get `more` px more. */
export function roomForTwoLines(
  names: readonly string[],
  second: readonly string[],
  [most, more]: readonly [number, number],
): AxisRoom {
  const { labels } = roomAtLeft(names, most);
  const { margin } = roomAtLeft([...labels, ...second], most + more);
  return { labels: labels.map((label, row) => `${label}\n${second[row]}`), margin };
}

/** Top margin for rotated labels of at most `most` px, and right margin for the end of the last one. */
export function roomAbove(names: readonly string[], most: number): AxisRoom & { right: number } {
  const labels = names.map((name) => shortened(name, most, TYPE));
  const longest = widest(labels);
  return {
    labels,
    margin: Math.ceil(longest * RISE) + 16,
    right: Math.ceil(textWidth(labels.at(-1) ?? "", TYPE) * RUN) + 4,
  };
}

function widest(labels: readonly string[]): number {
  return Math.max(0, ...labels.map((label) => textWidth(label, TYPE)));
}
