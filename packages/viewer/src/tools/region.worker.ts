import { pointTree } from "@stipple/numerics/point-tree";
import { polygonArea } from "@stipple/numerics/polygon-area";
import { cellsOf, type CellSet } from "../cells/cell-set.ts";
import { pointGrid, type PointGrid } from "../geometry/point-grid.ts";
import type { Shape } from "../geometry/shape.ts";
import { cellsInRing, cellsInShape } from "./shape-cells.ts";

/** What is asked of every cell. */
export type RegionQuestion =
  { ring: Float64Array } | { inside: Shape } | { fromBorder: Shape } | { fromNearest: CellSet };

/** First the view's positions, once; then questions, each of which gets an answer. */
export type RegionRequest = { positions: Float32Array } | { id: number; question: RegionQuestion };
export interface RegionAnswer {
  id: number;
  found: CellSet | Float32Array;
}

let positions: Float32Array = new Float32Array();
let grid: PointGrid | undefined;

self.addEventListener("message", ({ data }: MessageEvent<RegionRequest>) => {
  if ("positions" in data) {
    positions = data.positions;
    grid = undefined;
    return;
  }
  const found = answer(data.question);
  const { buffer } = "bits" in found ? found.bits : found;
  self.postMessage({ id: data.id, found }, { transfer: [buffer as ArrayBuffer] });
});

function answer(question: RegionQuestion): CellSet | Float32Array {
  if ("ring" in question) return cellsInRing(positions, question.ring);
  if ("inside" in question) {
    return cellsInShape(positions, (grid ??= pointGrid(positions)), question.inside);
  }
  if ("fromBorder" in question) return ofCells(polygonArea(question.fromBorder).signedDistance);
  const chosen = cellsOf(question.fromNearest);
  const points = new Float32Array(2 * chosen.length);
  chosen.forEach((cell, at) => points.set(positions.subarray(2 * cell, 2 * cell + 2), 2 * at));
  return ofCells(pointTree(points).distance);
}

function ofCells(measure: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: positions.length / 2 }, (_, cell) =>
    measure(positions[2 * cell]!, positions[2 * cell + 1]!),
  );
}
