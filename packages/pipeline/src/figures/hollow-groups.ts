import { MAX_COLORS } from "./palette.ts";

/**
 * Groups drawn hollow, because colors alone no longer distinguish them: all but the `MAX_COLORS` largest of those that
 * have cells. Flags by index.
 */
export function hollowGroups(groups: readonly { count: number }[]): boolean[] {
  const bySize = [...groups.keys()]
    .filter((index) => groups[index].count > 0)
    .sort((a, b) => groups[b].count - groups[a].count || a - b);
  const hollow = groups.map(() => false);
  for (const index of bySize.slice(MAX_COLORS)) hollow[index] = true;
  return hollow;
}

/** Fill color of a hollow shape. */
export function lightened(color: readonly [number, number, number]): [number, number, number] {
  const pale = (value: number): number => Math.round(value + 0.78 * (255 - value));
  return [pale(color[0]), pale(color[1]), pale(color[2])];
}
