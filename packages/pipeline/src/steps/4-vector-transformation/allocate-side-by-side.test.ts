import { expect, it } from "vitest";
import { openTasks } from "../../engine/tasks/open-tasks.ts";
import { sharingCells } from "../../model/sharing-cells.ts";
import { Random } from "../../numerics/random.ts";
import { transpose } from "../../numerics/sparse.ts";
import { allocateSideBySide } from "./allocate-side-by-side.ts";
import { allocateCounts } from "./allocation.ts";
import { syntheticTissue } from "./synthetic-tissue.ts";

const k = 5;

it("gives every UMI to the same cell by threads, spot after spot, as all together", async () => {
  const { counts, overlap, nCells, nGenes } = syntheticTissue({
    seed: 4,
    sideUm: 600,
    nGenes: 60,
    nFeatures: 4,
  });
  const random = new Random(2);
  const drawn = (length: number): Float32Array =>
    Float32Array.from({ length }, () => (random.uniform() < 0.2 ? 0 : random.gamma(0.5)));
  // Cells of the spot that holds most of each; the first spot has none, and some cells have no spot.
  const spotOf = Int32Array.from({ length: nCells }, (_, cell) => cell % counts.nRows || -1);
  const model = {
    overlap: sharingCells({
      scale: { spotShape: "disc" },
      segmentation: { method: "network" },
      overlap,
      observed: new Uint8Array(nCells).fill(1),
      spotOf,
    }),
    membership: drawn(nCells * k),
    profile: drawn(k * nGenes),
    k,
  };
  const byGene = transpose(counts);
  const together = await allocateCounts(byGene, model);
  expect(together.unassigned.some((count) => count > 0)).toBe(true);
  expect(together.counts.data.length).toBeGreaterThan(1_000);
  await using tasks = openTasks({ threads: 2 });
  const options = {
    tasks,
    signal: new AbortController().signal,
    progress: () => undefined,
    pause: () => Promise.resolve(),
    worthThreads: 0,
    blockEntries: 200,
  };
  expect(await allocateSideBySide(counts, byGene, model, options)).toEqual(together);
});
