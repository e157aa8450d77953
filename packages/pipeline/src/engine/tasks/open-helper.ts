import type { StepDefinition } from "../../step.ts";
import { shareMemory } from "./arrays.ts";
import type { Assignment } from "./assignment.ts";
import { decode, encode } from "./codec.ts";
import { openLocalThreads } from "./local-threads.ts";
import { machineKind } from "./machine-kind.ts";
import { findFiles, type Places } from "./named-files.ts";
import { shareOut } from "./share-out.ts";

/** Runs batches of tasks for another machine. Threads and their state are kept from batch to batch. */
export interface Helper extends AsyncDisposable {
  /**
   * Does one batch. `common.read` is called if this call's common part is new here. Throws if the requesting machine
   * is of a different kind or has another version of the step, so that the last bit could differ.
   */
  carryOut(
    batch: { common: { id: string; read(): Promise<Uint8Array> }; inputs: Uint8Array },
    places: Places,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
}

export function openHelper(
  steps: readonly Pick<StepDefinition, "number" | "version" | "tasks">[],
  threadCount: number,
): Helper {
  const threads = openLocalThreads(threadCount);
  let last: { id: string; assignment: Assignment } | null = null;

  async function assignmentOf(common: {
    id: string;
    read(): Promise<Uint8Array>;
  }): Promise<Assignment> {
    if (last?.id !== common.id) {
      last = null;
      const assignment = decode<Assignment>(await common.read());
      if (assignment.machine !== machineKind()) {
        throw new Error(`The tasks come from a different kind of machine: ${assignment.machine}`);
      }
      last = {
        id: common.id,
        assignment: { ...assignment, shared: shareMemory(assignment.shared) },
      };
    }
    return last.assignment;
  }

  return {
    async carryOut({ common, inputs: bytes }, places, signal) {
      const {
        step: number,
        version,
        task: name,
        files: named,
        shared,
      } = await assignmentOf(common);
      const step = steps.find((each) => each.number === number);
      const task = step?.tasks.find((each) => each.name === name);
      if (!task || step?.version !== version) {
        throw new Error(`This program has no task ${name} in version ${version} of step ${number}`);
      }
      const files = findFiles(named, places);
      // Arrays of a decoded value share one buffer, which would otherwise be copied in full with each array.
      const inputs = shareMemory(decode<unknown[]>(bytes));
      const results = await shareOut(
        {
          count: inputs.length,
          here: {
            threads: threadCount,
            lanes: 2 * threadCount,
            run: (index, ending) =>
              threads.run(task, { shared, files, input: inputs[index] }, ending),
          },
          elsewhere: null,
        },
        { signal },
      );
      return encode(results);
    },
    [Symbol.asyncDispose]: () => threads.close(),
  };
}
