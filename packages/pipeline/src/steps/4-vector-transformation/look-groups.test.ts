import { expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import { Random } from "@stipple/numerics/random";
import { lookGroups } from "./look-groups.ts";

const features = (() => {
  const random = new Random(5);
  const nCols = 3;
  // Two kinds of cells.
  const data = Float32Array.from(
    { length: 400 * nCols },
    (_, i) => random.normal() + (Math.floor(i / nCols) % 2 ? 4 : -4),
  );
  return { data, nCols };
})();

it("groups cells on threads as on this one, one grouping per fit", async () => {
  const groups = async (threads: number): ReturnType<typeof lookGroups> => {
    await using tasks = openTasks({ threads, anyWork: true });
    return await lookGroups(features, 2, { seed: 1, tasks, signal: new AbortController().signal });
  };
  const [here, onThreads] = [await groups(1), await groups(2)];
  expect(here.map(({ k }) => k)).toEqual([16, 24]);
  expect(onThreads).toEqual(here);
  // Cells of different kinds share no group.
  const [{ data, k }] = here;
  const groupOf = (cell: number) => {
    const row = data.subarray(cell * k, (cell + 1) * k);
    return row.indexOf(Math.max(...row));
  };
  const [even, odd] = [0, 1].map(
    (first) => new Set(Array.from({ length: 200 }, (_, i) => groupOf(first + 2 * i))),
  );
  expect([...even].filter((group) => odd.has(group))).toEqual([]);
});

it.each([
  ["features", 0],
  ["cells", 3],
])("finds no groups without %s", async (_, nCols) => {
  await using tasks = openTasks({ threads: 2 });
  const options = { seed: 1, tasks, signal: new AbortController().signal };
  expect(await lookGroups({ data: new Float32Array(0), nCols }, 1, options)).toEqual([]);
});
