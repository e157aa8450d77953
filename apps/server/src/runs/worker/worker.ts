import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngine } from "../queue/engine.ts";
import type { RunServices } from "../services.ts";
import { registerAnalyzeProject } from "./analyze-project.ts";
import { openHolds } from "./holds.ts";
import { openTurnOfSteps } from "./turn-of-steps.ts";
import { HEARTBEAT_MS } from "./workers.ts";

export interface RunningWorker {
  id: string;
  /**
   * Takes nothing more, waits up to `timeoutMs` for the current step, and leaves its run to another worker or its own
   * successor: immediately if that step has ended, otherwise within seconds.
   */
  stop(timeoutMs: number): Promise<void>;
}

export async function startWorker(services: RunServices): Promise<RunningWorker> {
  const { logger, workers, database, runs } = services;
  const id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const stopping = new AbortController();
  /** We were silent for too long and count as dead: restart from a clean state. */
  const restart = (runId?: string): void => {
    // What we have handed over ourselves may be taken at once.
    if (stopping.signal.aborted) return;
    logger.fatal({ runId }, "another worker has taken over from us: exiting to be restarted");
    process.exit(1);
  };
  const turn = openTurnOfSteps();
  const holds = openHolds({ database, workerId: id, onTaken: restart });
  registerAnalyzeProject(services, { holds, turn });
  // Before the queue hands us anything: the death of an unregistered worker would go unnoticed.
  await workers.join(id);
  const engine = startEngine(services, id);
  const beating = beat(stopping.signal);

  async function beat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await workers.beat(id))) restart();
        await workers.evictDead(id, takeOver);
      } catch (error) {
        logger.warn({ err: error }, "heartbeat failed");
      }
      await sleep(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async function takeOver(gone: string): Promise<void> {
    for (const runId of await runs.requeue(gone)) {
      logger.warn({ runId, worker: gone }, "taking over the run of a lost worker");
    }
  }

  return {
    id,
    async stop(timeoutMs) {
      const engineStopped = engine.stop(timeoutMs);
      const isDone = await turn.close(timeoutMs);
      await engineStopped;
      stopping.abort();
      await beating;
      // Nothing of them runs here anymore, so others need not wait to notice that we are gone.
      if (isDone) await releaseRuns();
      else logger.warn("the current step took too long and will restart on another worker");
      await workers.leave(id);
    },
  };

  async function releaseRuns(): Promise<void> {
    const left = await runs.requeue(id);
    await database.db.updateTable("runs").set({ worker: null }).where("worker", "=", id).execute();
    for (const runId of left) logger.info({ runId }, "run handed to another worker");
  }
}
