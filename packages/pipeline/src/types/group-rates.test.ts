import { expect, it } from "vitest";
import { openTasks } from "../engine/tasks/open-tasks.ts";
import { Random } from "@stipple/numerics/random";
import { relativeRates, relativeRatesInTurns, spotShares } from "./group-rates.ts";
import { spotsOfWholeCells } from "./testing/spots-of-whole-cells.ts";

it("divides a spot's capture among the groups of its cells and lists only those", () => {
  const overlap = {
    nRows: 3,
    nCols: 4,
    indptr: Uint32Array.of(0, 3, 3, 5),
    indices: Uint32Array.of(0, 1, 2, 3, 0),
    data: Float32Array.of(1, 2, 1, 3, 1),
  };
  const byGene = {
    nRows: 1,
    nCols: 3,
    indptr: Uint32Array.of(0, 2),
    indices: Uint32Array.of(0, 2),
    data: Float32Array.of(5, 2),
  };
  const spots = { overlap, byGene, observed: new Uint8Array(4).fill(1), seed: 0 };
  const { share, totals, all } = spotShares(spots, Int32Array.of(4, 0, 4, 2), 5);
  expect([...share.indptr]).toEqual([0, 2, 2, 4]);
  expect([...share.indices]).toEqual([0, 4, 2, 4]);
  expect([...share.data]).toEqual([0.5, 0.5, 0.75, 0.25]);
  expect([[...totals], all]).toEqual([[5, 0, 2], 7]);
});

it("fits the same rates at once, in turns, and on threads", async () => {
  const random = new Random(4);
  const groupOf = Int32Array.from({ length: 300 }, () => random.below(3));
  const spots = spotsOfWholeCells(
    { nSpots: 60, perSpot: 5, nGenes: 40 },
    (gene, cell) => (gene % 3 === groupOf[cell] ? 2 : 0.5),
    random,
  );
  const shares = spotShares(spots, groupOf, 3);
  // More than one task, the last of them smaller.
  const genes = Array.from({ length: 37 }, (_, gene) => gene);
  const rates = relativeRates(spots, shares, genes);
  const told: number[] = [];
  const pause = (fraction: number) => Promise.resolve(void told.push(fraction));
  expect(await relativeRatesInTurns(spots, shares, genes, pause)).toEqual(rates);
  expect(told).toEqual([0, 16 / 37, 32 / 37]);
  await using tasks = openTasks({ threads: 2 });
  const others = { tasks, signal: new AbortController().signal, worthThreads: 0 };
  expect(await relativeRatesInTurns({ ...spots, others }, shares, genes, pause)).toEqual(rates);
  // Raised where it should be.
  expect(rates[0]!).toBeGreaterThan(2 * rates[1]!);
});
