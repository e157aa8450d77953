import { sideBySide } from "../engine/side-by-side.ts";
import { throwIfCancelled } from "../errors.ts";
import type { AnchoredData } from "./anchored-fit.ts";
import {
  findTypes,
  type FitOptions,
  type FoundTypes,
  type SampledCandidates,
} from "./find-types.ts";
import { defineTask } from "@stipple/tasks/task";
import { throwIfLeft } from "@stipple/tasks/left-task";

/** Cells × features × candidates above which threads are worth starting. */
const WORTH_THREADS = 2e6;

/**
 * Independent runs of {@link findTypes}, one per seed; runs that find nothing are left out. With threads, this thread
 * does the first run while they do the others: with more runs than processors, all still end at about the same time.
 * Results are bit-identical either way.
 */
export async function findInRuns(
  data: AnchoredData,
  sample: SampledCandidates,
  seeds: readonly number[],
  options: FitOptions,
): Promise<FoundTypes[]> {
  const { others, pause, progress } = options;
  const cost = data.phi.data.length * sample.candidates.length;
  const runs: (FoundTypes | null)[] = [];
  if (others && seeds.length > 1 && others.tasks.isWorth(cost, WORTH_THREADS)) {
    const { tasks, signal } = others;
    const done = new Float32Array(new SharedArrayBuffer(4 * seeds.length));
    const told = (fraction: number): void => {
      done[0] = fraction;
      progress?.(done.reduce((a, b) => a + b, 0) / seeds.length);
    };
    const inputs = seeds.slice(1).map((seed, i) => ({ seed, place: i + 1 }));
    const call = { shared: { data, sample, done }, inputs };
    const [ofThreads, own] = await sideBySide(signal, [
      (either) => tasks.map(findTypesOnThread, call, { signal: either }),
      (either) =>
        findTypes(data, sample, seeds[0], {
          pause: async () => {
            await pause?.();
            throwIfCancelled(either);
          },
          progress: told,
        }),
    ]);
    runs.push(own, ...ofThreads);
  } else {
    for (const [run, seed] of seeds.entries()) {
      const found = await findTypes(data, sample, seed, {
        pause,
        progress: (fraction) => progress?.((run + fraction) / seeds.length),
      });
      runs.push(found);
    }
  }
  return runs.filter((run) => run !== null);
}

/** Runs in a worker thread. `done`: progress of each run, in memory shared between threads. */
export function findInRun(
  { data, sample, done }: { data: AnchoredData; sample: SampledCandidates; done: Float32Array },
  { seed, place }: { seed: number; place: number },
): Promise<FoundTypes | null> {
  return findTypes(data, sample, seed, {
    progress: (fraction) => (done[place] = fraction),
    pause: throwIfLeft,
  });
}

// ONNX Runtime is native code.
const findTypesOnThread = defineTask(import.meta.url, findInRun, { isNative: true });
