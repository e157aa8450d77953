import { expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Matrix } from "../matrices.ts";
import { Random } from "../random.ts";
import { findNeighbors } from "./find-neighbors.ts";

const K = 7;

function scattered(nRows: number, nCols: number): Matrix<Float32Array> {
  const random = new Random(2);
  const data = Float32Array.from({ length: nRows * nCols }, () => 3 + random.normal());
  // Two points at the same position are neighbors at distance 0, and none is its own neighbor.
  data.copyWithin(400 * nCols, 300 * nCols, 301 * nCols);
  return { nRows, nCols, data };
}

/** By comparing every pair. */
function nearest({ data, nRows, nCols }: Matrix<Float32Array>, row: number): [number, number][] {
  return Array.from({ length: nRows }, (_, other): [number, number] => {
    let sum = 0;
    for (let d = 0; d < nCols; d++) sum += (data[row * nCols + d] - data[other * nCols + d]) ** 2;
    return [other, Math.sqrt(sum)];
  })
    .filter(([other]) => other !== row)
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .slice(0, K);
}

it("finds the neighbors of few points exactly, nearest first", async () => {
  const points = scattered(1500, 5);
  const { indices, distances } = await findNeighbors(points, K);
  for (const row of [0, 300, 400, 777, 1499]) {
    const found = Array.from({ length: K }, (_, j) => [
      indices[row * K + j],
      distances[row * K + j],
    ]);
    expect(found).toEqual(nearest(points, row));
  }
  expect((await findNeighbors(scattered(401, 2), 1000)).k).toBe(400);
});

it("finds nearly all neighbors of many points, and the same ones on threads", async () => {
  const points = scattered(9000, 8);
  const alone = await findNeighbors(points, K);
  let hits = 0;
  for (let row = 0; row < 9000; row += 90) {
    const own = alone.indices.subarray(row * K, (row + 1) * K);
    hits += nearest(points, row).filter(([other]) => own.includes(other)).length;
  }
  expect(hits / (100 * K)).toBeGreaterThan(0.9);
  await using tasks = openTasks({ threads: 2 });
  const signal = new AbortController().signal;
  expect(await findNeighbors(points, K, { others: { tasks, signal } })).toEqual(alone);
});
