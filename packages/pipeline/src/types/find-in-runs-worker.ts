import { throwIfLeft } from "../engine/tasks/left-task.ts";
import type { SearchRun, TypeSearch } from "./find-in-runs-task.ts";
import { findTypes, type FoundTypes } from "./find-types.ts";

/** Runs in a worker thread. */
export default function work(
  { data, sample, done }: TypeSearch,
  { seed, place }: SearchRun,
): Promise<FoundTypes | null> {
  return findTypes(data, sample, seed, {
    progress: (fraction) => (done[place] = fraction),
    pause: () => {
      throwIfLeft();
      return Promise.resolve();
    },
  });
}
