import { expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import { standardize } from "../../model/cell-features.ts";
import { transpose } from "@stipple/numerics/sparse";
import { fitExpression, type TissueData } from "./fit-expression.ts";
import { fitSideBySide } from "./fit-side-by-side.ts";
import { learnAhead } from "./learn-ahead.ts";
import { syntheticTissue } from "./testing/synthetic-tissue.ts";

const made = syntheticTissue({ seed: 3, sideUm: 400, nGenes: 40, nFeatures: 6 });
const tissue: TissueData = {
  overlap: made.overlap,
  byGene: transpose(made.counts),
  features: standardize(made.features.data, made.nCells, made.features.nCols),
  looks: [{ data: new Float32Array(2 * made.nCells).fill(0.5), k: 2 }],
  cellsXy: made.cellsXy,
  spotsXy: made.spotsXy,
  spotPca: made.spotPca,
  pitchPx: 100,
  unevenSpots: true,
};
const options = {
  seed: 1,
  prototypes: 4,
  gateGenes: 20,
  gateSteps: 5,
  gateDecay: 0.5,
  rounds: 3,
  priorCells: 5,
  fits: 1,
};

it("gives the same fits on threads as sequentially", async () => {
  const orders = [
    { tissue: 0, weights: { learned: 1, looks: 0, place: 0 }, use: everyButNth(2) },
    { tissue: 0, weights: { learned: 0.5, looks: 0.5, place: 0 }, use: everyButNth(3) },
    { tissue: 0, weights: { learned: 0, looks: 0, place: 1 }, use: everyButNth(4) },
  ];
  function everyButNth(n: number): Uint8Array {
    return Uint8Array.from({ length: made.counts.nRows }, (_, s) => (s % n === 0 ? 0 : 1));
  }
  const alone = await fitSideBySide([tissue], orders, options);
  await using tasks = openTasks({ threads: 2, anyWork: true });
  const signal = new AbortController().signal;
  const others = { tasks, signal };
  expect(await fitSideBySide([tissue], orders, { ...options, others })).toEqual(alone);
  expect(alone[1].models).toHaveLength(2);
  const told: number[] = [];
  await fitSideBySide([tissue], [orders[1]], { ...options, progress: (done) => told.push(done) });
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  // Progress must also advance during gate training, not only at the end.
  expect(told.filter((done) => done > 0.1 && done < 0.8).length).toBeGreaterThan(3);
  expect(told.at(-1)).toBeGreaterThan(0.9);
});

it("gives the same fits from memberships learned ahead", async () => {
  const weights = { learned: 0.6, looks: 0.4, place: 0 };
  const twice = { ...options, fits: 2 };
  await using tasks = openTasks({ threads: 2, anyWork: true });
  const signal = new AbortController().signal;
  const learning = learnAhead(tissue, twice, { tasks, signal })!;
  const learned = learning.memberships;
  expect(learned).toHaveLength(2);
  expect(await fitExpression(tissue, weights, { ...twice, learned })).toEqual(
    await fitExpression(tissue, weights, twice),
  );
  expect(learning.done()).toBeGreaterThan(0.4);
  // Too little work for threads, or nothing to learn from.
  await using wary = openTasks({ threads: 2 });
  expect(learnAhead(tissue, twice, { tasks: wary, signal })).toBeUndefined();
  const features = { data: new Float32Array(0), nCols: 0 };
  const blind = learnAhead({ ...tissue, features }, twice, { tasks, signal });
  expect(blind).toBeUndefined();
});
