import { enableCompileCache } from "node:module";
import type { StepNumber } from "@stipple/contract";
import type { RunRequest } from "@stipple/pipeline";
import { endWithParent } from "./end-with-parent.ts";
import type { FromStepProcess, StepOrder, StepOutcome, ToStepProcess } from "./step-messages.ts";

/** The process in which one pipeline step runs. It ends with its worker. */
endWithParent();

// The eight processes of a run load the same code; the cache halves the loading time.
enableCompileCache();
const { analysis, CancelledError } = await import("@stipple/pipeline");
const { outcomeOf } = await import("./step-faults.ts");
const { knownInputs, neededByChecks, needsOf, ownFiles } = await import("./step-needs.ts");

const cancellation = new AbortController();
const provided = Promise.withResolvers<void>();

process.on("message", (message: ToStepProcess) => {
  switch (message.kind) {
    case "order":
      void carryOut(message.order);
      break;
    case "provided":
      provided.resolve();
      break;
    case "cancel":
      cancellation.abort();
      provided.reject(new CancelledError());
  }
});
// Canceling may come before anyone waits.
provided.promise.catch(() => undefined);
tell({ kind: "ready" });

async function carryOut(order: StepOrder): Promise<void> {
  let outcome: StepOutcome;
  let detail: string | undefined;
  try {
    outcome = { kind: "done", steps: await work(order) };
  } catch (error) {
    outcome = outcomeOf(order.step, error);
    if (outcome.kind === "failed") detail = error instanceof Error ? error.stack : String(error);
  }
  // The channel is flushed before the process ends.
  process.send?.({ kind: "outcome", outcome, ...(detail ? { detail } : {}) }, () =>
    process.exit(0),
  );
}

async function work(order: StepOrder): Promise<StepNumber[]> {
  const request: RunRequest = {
    input: order.input,
    known: await knownInputs(order),
    ...ownFiles(order),
    results: order.results,
    settings: order.settings,
    parameters: order.parameters,
    threads: order.threads,
    signal: cancellation.signal,
    listener: {
      stepProgress: (_step, fraction) => tell({ kind: "progress", fraction }),
      log: (line) => tell({ kind: "log", line }),
    },
  };
  if (order.task === "plan") {
    const planned = await analysis.plan(order.step, request);
    const needs = await neededByChecks(order, planned);
    if (needs.inputs.length > 0) {
      tell({ kind: "needs", needs });
      await provided.promise;
      await analysis.check(planned, request);
    }
    return planned;
  }
  tell({ kind: "needs", needs: await needsOf(order) });
  await provided.promise;
  await analysis.runStep(order.step, request);
  return [order.step];
}

function tell(message: FromStepProcess): void {
  process.send?.(message);
}
