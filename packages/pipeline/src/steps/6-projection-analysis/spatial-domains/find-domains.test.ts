import { expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Tasks } from "@stipple/tasks/task";
import { Random } from "@stipple/numerics/random";
import { QUIET } from "../spatial-statistics/testing/read-reference.ts";
import { findDomains } from "./find-domains.ts";

const SIDE = 18;

/** A square of cells 10 µm apart; nine in ten cells of the left half are of the first type, of the right of the second. */
function twoHalves(): Parameters<typeof findDomains>[0] {
  const random = new Random(5);
  const n = SIDE * SIDE;
  const typeOf = Int32Array.from({ length: n }, (_, i) => {
    const isRight = i % SIDE >= SIDE / 2;
    return random.uniform() < 0.9 === isRight ? 1 : 0;
  });
  return {
    xy: Float64Array.from({ length: 2 * n }, (_, i) =>
      i % 2 === 0 ? 10 * ((i >> 1) % SIDE) : 10 * Math.floor((i >> 1) / SIDE),
    ),
    spacingUm: 10,
    components: {
      nRows: n,
      nCols: 2,
      data: Float32Array.from({ length: 2 * n }, (_, i) => random.normal() + typeOf[i >> 1]),
    },
    membership: {
      nRows: n,
      nCols: 2,
      data: Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === typeOf[i >> 1] ? 0.8 : 0.2)),
    },
    typeOf,
    typeNames: ["left", "right"],
  };
}

it("finds the two halves of a tissue, with the same bits on threads", async () => {
  const run = (threads?: Tasks): ReturnType<typeof findDomains> =>
    findDomains(twoHalves(), { ...QUIET, tasks: threads });
  const found = await run();
  expect(found?.summary.tried.map(({ count }) => count)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(found?.summary.count).toBe(2);
  const { domainOf } = found!;
  const right = domainOf[SIDE - 1];
  const agreeing = domainOf.filter((domain, i) => (domain === right) === i % SIDE >= SIDE / 2);
  expect(agreeing.length / domainOf.length).toBeGreaterThan(0.97);
  await using tasks = openTasks({ threads: 2, anyWork: true });
  expect(await run(tasks)).toEqual(found);
});
