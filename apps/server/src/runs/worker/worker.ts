import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { RunServices } from "../services.ts";
import { HEARTBEAT_MS, openLeases } from "./leases.ts";
import { registerAnalyzeProject } from "./analyze-project.ts";
import { startEngine } from "../queue/engine.ts";
import { openGate } from "./gate.ts";

export interface RunningWorker {
  id: string;
  /**
   * Takes nothing more, waits up to `patienceMs` for the current step, and leaves its run to another worker or its own
   * successor: immediately if that step has ended, otherwise within seconds.
   */
  stop(patienceMs: number): Promise<void>;
}

export async function startWorker(services: RunServices): Promise<RunningWorker> {
  const { logger, workers, database, runs } = services;
  const id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const leases = openLeases({ database, workerId: id, logger });
  const gate = openGate();
  registerAnalyzeProject(services, { leases, gate });
  // Before the queue hands us anything: the death of an unregistered worker would go unnoticed.
  await workers.beat(id);
  const engine = startEngine(services, id);

  const requeueRunsOf = async (gone: string): Promise<void> => {
    for (const runId of await runs.requeue(gone)) {
      logger.warn({ runId, worker: gone }, "taking over the run of a lost worker");
    }
  };
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await workers.beat(id);
      const taken = await leases.extend();
      if (taken.length > 0) {
        // We were silent for too long and count as dead: restart from a clean state.
        logger.fatal({ runs: taken }, "another worker has taken our run: exiting to be restarted");
        process.exit(1);
      }
      await workers.buryGone(id, (gone) => requeueRunsOf(gone));
    } catch (error) {
      logger.warn({ err: error }, "heartbeat failed");
    } finally {
      beating = false;
    }
  };
  void beat();
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS);

  return {
    id,
    async stop(patienceMs) {
      const engineStopped = engine.stop(patienceMs);
      const isDone = await gate.close(patienceMs);
      await engineStopped;
      clearInterval(heartbeat);
      // Nothing of them runs here anymore, so others need not wait to notice that we are gone.
      if (isDone) await letGo();
      else logger.warn("the current step took too long and will restart on another worker");
      await workers.leave(id);
    },
  };

  async function letGo(): Promise<void> {
    const left = await runs.requeue(id);
    await database.db
      .updateTable("runs")
      .set({ worker: null, lease_until: null })
      .where("worker", "=", id)
      .execute();
    for (const runId of left) logger.info({ runId }, "run handed to another worker");
  }
}
