import { afterAll, describe, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import { CancelledError } from "../../errors.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { umap, type UmapOptions } from "./umap.ts";

/** Three well-separated groups in ten dimensions; cell i belongs to group i % 3. */
function threeGroups(nCells: number): Matrix<Float32Array> {
  const random = new Random(3);
  const data = Float32Array.from(
    { length: nCells * 10 },
    (_, i) => random.normal() + (i % 10 === Math.floor(i / 10) % 3 ? 12 : 0),
  );
  return { nRows: nCells, nCols: 10, data };
}

const tasks = openTasks({ threads: 1 });
afterAll(() => tasks[Symbol.asyncDispose]());

function options(more: Partial<UmapOptions> = {}): UmapOptions {
  return {
    others: { tasks, signal: new AbortController().signal },
    neighbors: 15,
    minDist: 0.3,
    maxDirect: 50_000,
    seed: 1,
    progress: () => undefined,
    ...more,
  };
}

/** Fraction of cells that are nearer to their own group's center than to any other. */
function separation({ nRows, data }: Matrix<Float32Array>): number {
  const centers = [0, 1, 2].map((group) => {
    const members = Array.from({ length: nRows }, (_, i) => i).filter((i) => i % 3 === group);
    const mean = (axis: number): number =>
      members.reduce((sum, i) => sum + data[2 * i + axis], 0) / members.length;
    return [mean(0), mean(1)];
  });
  let right = 0;
  for (let i = 0; i < nRows; i++) {
    const distances = centers.map(([x, y]) => Math.hypot(data[2 * i] - x, data[2 * i + 1] - y));
    if (distances.indexOf(Math.min(...distances)) === i % 3) right++;
  }
  return right / nRows;
}

describe("umap", () => {
  it("keeps groups apart and gives the same embedding for the same seed", async () => {
    const cells = threeGroups(300);
    const first = await umap(cells, options());
    expect(separation(first)).toBeGreaterThan(0.98);
    expect((await umap(cells, options())).data).toEqual(first.data);
  });

  it("places cells beyond the sketch near similar cells", async () => {
    const embedding = await umap(threeGroups(600), options({ maxDirect: 150 }));
    expect(embedding.nRows).toBe(600);
    expect(separation(embedding)).toBeGreaterThan(0.98);
  });

  it("gives the same layout and placement on any number of threads", async () => {
    const cells = threeGroups(4500);
    const few = { maxDirect: 4200 };
    await using tasks = openTasks({ threads: 2 });
    const others = { tasks, signal: new AbortController().signal };
    const told: number[] = [];
    const progress = (fraction: number): unknown => told.push(fraction);
    const { data } = await umap(cells, options({ ...few, others, progress }));
    expect(data).toEqual((await umap(cells, options(few))).data);
    expect(told.at(-1)).toBe(1);
  });

  it.each([1, 3, 20])("works with %i cells", async (nCells) => {
    const { data } = await umap(threeGroups(nCells), options());
    expect(data).toHaveLength(2 * nCells);
    expect(data.every(Number.isFinite)).toBe(true);
  });

  it("stops when canceled", async () => {
    const controller = new AbortController();
    const running = umap(
      threeGroups(300),
      options({ others: { tasks, signal: controller.signal } }),
    );
    controller.abort();
    await expect(running).rejects.toBeInstanceOf(CancelledError);
  });
});
