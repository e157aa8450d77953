/** Directions right, down, left, up; the region lies to the right of the walk. */
const STEP_X = [1, 0, -1, 0];
const STEP_Y = [0, 1, 0, -1];
/** The two pixels ahead of a corner, left and right of the walk, relative to that corner. */
const LEFT_X = [0, 0, -1, -1];
const LEFT_Y = [-1, 0, 0, -1];
const RIGHT_X = [0, -1, -1, 0];
const RIGHT_Y = [0, 0, -1, -1];

/**
 * Outer contour of one labeled region as a closed ring (no repeated last point), in pixel coordinates where pixel (x,
 * y) covers [x, x + 1) × [y, y + 1).
 *
 * Walks the pixel edges from `start` (index of the region's first pixel in raster order), keeping to 4-connected
 * pixels, and takes the midpoint of each edge: staircase corners disappear and the ring stays simple. With `meetings`,
 * also takes the corners where three or more regions meet (background counts as one), so that neighbors share their
 * entire border. O(perimeter).
 */
export function traceContour(
  labels: Int32Array,
  width: number,
  height: number,
  label: number,
  start: number,
  options: { meetings?: boolean } = {},
): number[] {
  const at = (x: number, y: number): number =>
    x >= 0 && y >= 0 && x < width && y < height ? labels[y * width + x] : 0;
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && labels[y * width + x] === label;
  const startX = start % width;
  const startY = (start / width) | 0;
  const ring: number[] = [];
  let x = startX;
  let y = startY;
  let direction = 0;
  do {
    ring.push(x + STEP_X[direction] / 2, y + STEP_Y[direction] / 2);
    x += STEP_X[direction];
    y += STEP_Y[direction];
    const leftX = x + LEFT_X[direction];
    const leftY = y + LEFT_Y[direction];
    const rightX = x + RIGHT_X[direction];
    const rightY = y + RIGHT_Y[direction];
    if (options.meetings && isMeeting(at, x, y)) ring.push(x, y);
    if (!inside(rightX, rightY)) direction = (direction + 1) & 3;
    else if (inside(leftX, leftY)) direction = (direction + 3) & 3;
  } while (x !== startX || y !== startY || direction !== 0);
  return ring;
}

/**
 * Whether three or more regions meet at a corner; a region that touches itself diagonally does not count, as its
 * contour would pass the corner twice.
 */
function isMeeting(at: (x: number, y: number) => number, x: number, y: number): boolean {
  const [a, b, c, d] = [at(x - 1, y - 1), at(x, y - 1), at(x - 1, y), at(x, y)];
  if (a === d || b === c) return false;
  return Number(a !== b) + Number(b !== d) + Number(d !== c) + Number(c !== a) > 2;
}
