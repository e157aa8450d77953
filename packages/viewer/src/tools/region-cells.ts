import { boxOf } from "@stipple/numerics/boxes";
import type { CellSet } from "../cells/cell-set.ts";

/** The region's bounding box is divided into this many rows and columns of squares. */
const SIDE = 512;
/**
 * Distance, in squares, within which a line touches a neighboring square: far above rounding error, far below a square.
 */
const SLACK = 1e-6;

const OUTSIDE = 0;
const INSIDE = 1;
const CROSSED = 2;

/** Numbers per edge: lower y, upper y, x at the lower y, dx/dy, and +1 or −1 for its direction. */
const EDGE = 5;

/**
 * The cells inside a drawn region. `positions`: x, y of every cell; `ring`: x, y of the region's vertices, the last
 * joined to the first. Where the line crosses itself, the nonzero winding rule applies, so that overlapping ends leave
 * no hole. NaN positions are outside. Squares the line does not touch are classified as a whole, in O(cells); only
 * cells in the others are tested against the edges of their row.
 */
export function cellsInRing(positions: Float32Array, ring: Float64Array): CellSet {
  const nCells = positions.length / 2;
  const bits = new Uint8Array(Math.ceil(nCells / 8));
  const { left, right, top, bottom } = boxOf(ring);
  if (!(right > left && bottom > top)) return { bits, count: 0 };
  const acrossUnit = SIDE / (right - left);
  const downUnit = SIDE / (bottom - top);
  const squares = new Float64Array(ring.length);
  for (let at = 0; at < ring.length; at += 2) {
    squares[at] = (ring[at]! - left) * acrossUnit;
    squares[at + 1] = (ring[at + 1]! - top) * downUnit;
  }
  const rows = edgesByRow(squares);
  const states = squareStates(squares, rows);
  let count = 0;
  for (let cell = 0; cell < nCells; cell++) {
    const x = (positions[2 * cell]! - left) * acrossUnit;
    const y = (positions[2 * cell + 1]! - top) * downUnit;
    if (!(x >= 0 && x <= SIDE && y >= 0 && y <= SIDE)) continue;
    // Same as `rowOf`, for points known to be in the box.
    const row = y === SIDE ? SIDE - 1 : y | 0;
    const state = states[row * SIDE + (x === SIDE ? SIDE - 1 : x | 0)];
    if (state === OUTSIDE || (state === CROSSED && !windsAround(rows, row, x, y))) continue;
    bits[cell >> 3]! |= 1 << (cell & 7);
    count += 1;
  }
  return { bits, count };
}

/** Row (or column) of a coordinate given in squares, clamped to the box. */
function rowOf(coordinate: number): number {
  return Math.min(SIDE - 1, Math.max(0, Math.floor(coordinate)));
}

/** The edges that reach into each row, row by row. `starts`: SIDE + 1 edge offsets. */
interface RowEdges {
  starts: Uint32Array;
  edges: Float64Array;
}

function eachEdge(
  ring: Float64Array,
  take: (x0: number, y0: number, x1: number, y1: number) => void,
): void {
  for (let at = 0; at < ring.length; at += 2) {
    const next = at + 2 === ring.length ? 0 : at + 2;
    take(ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!);
  }
}

/** Horizontal edges are skipped: no horizontal scan line crosses them. */
function edgesByRow(ring: Float64Array): RowEdges {
  const starts = new Uint32Array(SIDE + 1);
  eachEdge(ring, (_x0, y0, _x1, y1) => {
    if (y0 === y1) return;
    const last = rowOf(Math.max(y0, y1));
    for (let row = rowOf(Math.min(y0, y1)); row <= last; row++) starts[row + 1]! += 1;
  });
  for (let row = 0; row < SIDE; row++) starts[row + 1]! += starts[row]!;
  const edges = new Float64Array(EDGE * starts[SIDE]!);
  const free = starts.slice();
  eachEdge(ring, (x0, y0, x1, y1) => {
    if (y0 === y1) return;
    const slope = (x1 - x0) / (y1 - y0);
    const up = y0 < y1;
    const edge = up ? [y0, y1, x0, slope, 1] : [y1, y0, x1, slope, -1];
    const last = rowOf(edge[1]!);
    for (let row = rowOf(edge[0]!); row <= last; row++) edges.set(edge, EDGE * free[row]!++);
  });
  return { starts, edges };
}

function windsAround({ starts, edges }: RowEdges, row: number, x: number, y: number): boolean {
  let winding = 0;
  const end = EDGE * starts[row + 1]!;
  for (let at = EDGE * starts[row]!; at < end; at += EDGE) {
    if (y < edges[at]! || y >= edges[at + 1]!) continue;
    if (x < edges[at + 2]! + (y - edges[at]!) * edges[at + 3]!) winding += edges[at + 4]!;
  }
  return winding !== 0;
}

/** State of every square, row by row: crossed by the line, or entirely inside or outside. */
function squareStates(ring: Float64Array, rows: RowEdges): Uint8Array {
  const states = new Uint8Array(SIDE * SIDE);
  eachEdge(ring, (x0, y0, x1, y1) => {
    const last = rowOf(Math.max(y0, y1) + SLACK);
    for (let row = rowOf(Math.min(y0, y1) - SLACK); row <= last; row++) {
      const [from, to] = reachInRow(x0, y0, x1, y1, row);
      states.fill(CROSSED, row * SIDE + rowOf(from - SLACK), row * SIDE + rowOf(to + SLACK) + 1);
    }
  });
  for (let row = 0; row < SIDE; row++) {
    let state: number = CROSSED;
    for (let column = 0; column < SIDE; column++) {
      const at = row * SIDE + column;
      if (states[at] === CROSSED) state = CROSSED;
      else {
        // The state can change only at a crossed square.
        if (state === CROSSED)
          state = windsAround(rows, row, column + 0.5, row + 0.5) ? INSIDE : OUTSIDE;
        states[at] = state;
      }
    }
  }
  return states;
}

/** Minimum and maximum x of the part of an edge within a row. */
function reachInRow(x0: number, y0: number, x1: number, y1: number, row: number): [number, number] {
  const low = Math.min(y0, y1);
  const high = Math.max(y0, y1);
  if (high - low <= SLACK) return [Math.min(x0, x1), Math.max(x0, x1)];
  const slope = (x1 - x0) / (y1 - y0);
  const xAt = (y: number) => x0 + (Math.min(high, Math.max(low, y)) - y0) * slope;
  const above = xAt(row - SLACK);
  const below = xAt(row + 1 + SLACK);
  return [Math.min(above, below), Math.max(above, below)];
}
