import type { Box } from "./point-grid.ts";

/** The box with a margin on every side, as a share of its size. */
export function widened({ minX, minY, maxX, maxY }: Box, share: number): Box {
  const [x, y] = [share * (maxX - minX), share * (maxY - minY)];
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}

/** The box with a margin of `by` units on every side. */
export function grown({ minX, minY, maxX, maxY }: Box, by: number): Box {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by };
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    outer.minX <= inner.minX &&
    outer.minY <= inner.minY &&
    outer.maxX >= inner.maxX &&
    outer.maxY >= inner.maxY
  );
}

export function area({ minX, minY, maxX, maxY }: Box): number {
  return (maxX - minX) * (maxY - minY);
}

export function scaledBox({ minX, minY, maxX, maxY }: Box, factor: number): Box {
  return {
    minX: minX * factor,
    minY: minY * factor,
    maxX: maxX * factor,
    maxY: maxY * factor,
  };
}
