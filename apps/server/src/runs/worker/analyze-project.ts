import { DBOS } from "@dbos-inc/dbos-sdk";
import type { RunServices } from "../services.ts";
import { untilDatabaseAnswers } from "../../db/database.ts";
import { ANALYZE_PROJECT } from "../queue/queue.ts";
import { AnalysisJob, type WorkerParts } from "./analysis-job.ts";
import { finishRun, noteRunEnd } from "../results/finish-run.ts";

/**
 * Registers the durable workflow of one run: plan, each pipeline step, verdict. Each is a checkpoint: a worker that
 * takes over the run continues with the one in progress, from what has been published. A step replaces its output
 * atomically once it has succeeded, so repeating a step is harmless.
 */
export function registerAnalyzeProject(services: RunServices, worker: WorkerParts): void {
  const { holds } = worker;
  const job = new AnalysisJob(services, worker);
  DBOS.registerWorkflow(
    async (runId: string): Promise<void> => {
      const hold = await untilDatabaseAnswers(() => holds.take(runId));
      if (!hold) return;
      try {
        const plan = await durably("plan", () => job.inTurn(runId, () => job.plan(hold)));
        if (plan === null) return;
        let outcome = plan;
        const steps = plan.kind === "done" ? plan.steps : [];
        for (const step of steps) {
          if (outcome.kind !== "done") break;
          outcome = await durably(`step ${step}`, () =>
            job.inTurn(runId, () => job.step(hold, step, step === steps.at(-1))),
          );
        }
        const verdict = outcome;
        await durably("finish", () => finishRun(services, hold, verdict));
      } finally {
        await job.tidy(runId);
        await untilDatabaseAnswers(() => noteRunEnd(services, runId));
        await untilDatabaseAnswers(() => holds.release(runId));
      }
    },
    { name: ANALYZE_PROJECT },
  );
}

/** A durable step that waits while the database is unavailable. */
function durably<T>(name: string, work: () => Promise<T>): Promise<T> {
  return DBOS.runStep(() => untilDatabaseAnswers(work), { name });
}
