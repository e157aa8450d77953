/** The box around points. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The box around points, x and y alternating. */
export function boxOf(points: ArrayLike<number>): Box {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let p = 0; p < points.length; p += 2) {
    left = Math.min(left, points[p]!);
    right = Math.max(right, points[p]!);
    top = Math.min(top, points[p + 1]!);
    bottom = Math.max(bottom, points[p + 1]!);
  }
  return { left, right, top, bottom };
}

/** Which boxes overlap or touch another one. O(n log n), and the pairs that share a stretch of x. */
export function boxesThatMeet(boxes: readonly Box[]): boolean[] {
  const meets = boxes.map(() => false);
  const order = [...boxes.keys()].sort((a, b) => boxes[a]!.left - boxes[b]!.left);
  order.forEach((a, at) => {
    const { right, top, bottom } = boxes[a]!;
    for (let next = at + 1; next < order.length; next++) {
      const b = order[next]!;
      if (boxes[b]!.left > right) break;
      if (boxes[b]!.top <= bottom && boxes[b]!.bottom >= top) meets[a] = meets[b] = true;
    }
  });
  return meets;
}
