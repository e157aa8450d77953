import { randomUUID } from "node:crypto";
import { bytesOf, shareMemory } from "./arrays.ts";
import { throwIfCancelled } from "../../errors.ts";
import type { Assignment } from "./assignment.ts";
import { decode, encode } from "./codec.ts";
import { WORTH, type Batch, type Helpers } from "./helpers.ts";
import { openLocalThreads } from "./local-threads.ts";
import { machineKind } from "./machine-kind.ts";
import { nameFiles, type Places } from "./named-files.ts";
import { shareOut, type Runners } from "./share-out.ts";
import type { Task, TaskCall, Tasks } from "./task.ts";

/** What other machines need to know about the step whose tasks they run. */
export interface Sharing {
  helpers: Helpers;
  places: Places;
  step: number;
  version: number;
}

/** Batches that may come back undone before a step stops asking for help. */
const PATIENCE = 3;

/** Runs tasks on local threads and, with helpers, on other machines. Closing it ends the threads. */
export function openTasks(parts: {
  threads: number;
  sharing?: Sharing | undefined;
}): Tasks & AsyncDisposable {
  const count = Math.max(1, parts.threads);
  const threads = openLocalThreads(count);
  const elsewhere = parts.sharing ? machinesElsewhere(parts.sharing, count) : () => null;
  return {
    parallel: count + (parts.sharing ? 1 : 0),
    map<S, I, O>(
      task: Task<S, I, O>,
      call: TaskCall<S, I>,
      { signal, progress }: Parameters<Tasks["map"]>[2],
    ): Promise<O[]> {
      const { inputs, files = {} } = call;
      const shared = shareMemory(call.shared);
      const runners: Runners<O> = {
        count: inputs.length,
        here: {
          threads: count,
          lanes: 2 * count,
          run: (index, ending) =>
            threads.run(task, { shared, files, input: inputs.at(index) }, ending, {
              areOwn: inputs.areOwn,
            }) as Promise<O>,
        },
        elsewhere: elsewhere<O>(task, call),
      };
      return shareOut(runners, { signal, progress });
    },
    async *inOrder<S, I, O>(
      task: Task<S, I, O>,
      { inputs, files = {}, shared: common }: TaskCall<S, I>,
      { signal }: { signal: AbortSignal },
    ): AsyncGenerator<O> {
      const shared = shareMemory(common);
      const ending = new AbortController();
      const underWay: Promise<O>[] = [];
      try {
        for (let next = 0; next < inputs.length || underWay.length > 0;) {
          throwIfCancelled(signal);
          while (next < inputs.length && underWay.length < 2 * count) {
            const order = { shared, files, input: inputs.at(next++) };
            const result = threads.run(task, order, AbortSignal.any([signal, ending.signal]));
            // Errors surface when its turn comes.
            result.catch(() => undefined);
            underWay.push(result as Promise<O>);
          }
          yield await underWay.shift()!.catch((error: unknown) => {
            throwIfCancelled(signal);
            throw error;
          });
        }
      } finally {
        ending.abort();
      }
    },
    [Symbol.asyncDispose]: () => threads.close(),
  };
}

/** Other machines for the calls of one step; null for a call whose files they cannot get. */
function machinesElsewhere(
  { helpers, places, step, version }: Sharing,
  threads: number,
): <O>(task: Task, call: TaskCall) => Runners<O>["elsewhere"] {
  const worth = { ...WORTH, ...helpers.worth };
  let undone = 0;
  return <O>(task: Task, call: TaskCall): Runners<O>["elsewhere"] => {
    const files = nameFiles(call.files ?? {}, places);
    if (!files) return null;
    let common: Batch["common"] | undefined;
    let isWorthIt = true;
    return {
      async free(secondsLeft) {
        const isMuch =
          secondsLeft >= worth.secondsLeft &&
          bytesOf(call.shared) <= secondsLeft * worth.bytesPerSecond;
        return isMuch && isWorthIt && undone < PATIENCE ? helpers.free() : 0;
      },
      batchSize: (secondsEach) =>
        Math.max(1, Math.floor((worth.batchSeconds * threads) / secondsEach)),
      async run(indices, secondsEach, signal) {
        const inputs = indices.map((index) => call.inputs.at(index));
        isWorthIt &&= bytesOf(inputs) <= indices.length * secondsEach * worth.bytesPerSecond;
        if (!isWorthIt) return null;
        const assignment: Assignment = {
          machine: machineKind(),
          step,
          version,
          task: task.name,
          files,
          shared: call.shared,
        };
        common ??= { id: randomUUID(), bytes: encode(assignment) };
        const batch = { common, inputs: encode(inputs), files: Object.values(files) };
        const answer = await helpers.send(batch, signal).catch(() => null);
        if (answer) return decode<O[]>(answer);
        // A batch finished here in the meantime says nothing about the other machine.
        if (!signal.aborted) undone++;
        return null;
      },
    };
  };
}
