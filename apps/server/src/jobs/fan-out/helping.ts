import { fork, type ChildProcess } from "node:child_process";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { sql } from "kysely";
import type { Context } from "../../context.ts";
import { openWorkspaces, type Workspace } from "../../outputs/workspace.ts";
import { LimitedProcess } from "../limits.ts";
import type { FromTaskProcess, TaskOrder, TaskOutcome, ToTaskProcess } from "./task-messages.ts";
import { PIPELINE_TASK } from "./task-queue.ts";

const TASK_PROCESS = fileURLToPath(new URL("./task-process.ts", import.meta.url));
/** How often the helper looks whether its work is still wanted. */
const LOOK_EVERY_MS = 500;
/** How long tasks may take to notice that they are to stop. */
const STOP_PATIENCE_MS = 1_000;
/** How long a run's files and process are kept for its next batch. */
const KEEP_MS = 2 * 60_000;
const DAY_SECONDS = 24 * 3600;

/** A worker's help for others. */
export interface Helping extends AsyncDisposable {
  /** Stops helping immediately, until the pause is disposed of: this worker has its own run. */
  pause(): Promise<Disposable>;
}

/** What is kept from batch to batch of one run. */
interface Kept extends AsyncDisposable {
  runId: string;
  workspace: Workspace;
  folder: string;
  child: ChildProcess;
  commonIds: Set<string>;
}

/** Registers the durable workflow of one batch: fetch, do, store the result. */
export function registerPipelineTask(context: Context): Helping {
  const { config, database, logger, scratch, storage, uploads } = context;
  const workspaces = openWorkspaces(context, join(scratch.folder, "help"));
  let kept: Kept | undefined;
  let letGo: NodeJS.Timeout | undefined;
  let current: { controller: AbortController; over: Promise<unknown> } | undefined;
  let batches = 0;
  let pauses = 0;

  async function forget(): Promise<void> {
    clearTimeout(letGo);
    const last = kept;
    kept = undefined;
    await last?.[Symbol.asyncDispose]();
  }

  /** Whether the worker that asked still has the run, and still wants the batch. */
  async function isWanted(order: TaskOrder, workflowId: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from runs, dbos.workflow_status
      where runs.id = ${order.runId} and runs.lease = ${order.token} and runs.status = 'running'
        and workflow_uuid = ${workflowId} and dbos.workflow_status.status = 'PENDING'`.execute(
      database.db,
    );
    return rows.length > 0;
  }

  async function keepFor(runId: string): Promise<Kept | null> {
    if (kept?.runId === runId && kept.child.connected) return kept;
    await forget();
    const run = await database.db
      .selectFrom("runs")
      .select("project_id")
      .where("id", "=", runId)
      .executeTakeFirst();
    if (!run) return null;
    const inputs = await uploads.inputs(run.project_id);
    const workspace = await workspaces.open(runId, run.project_id, inputs);
    const folder = join(scratch.folder, "help", runId, "tasks");
    await mkdir(folder, { recursive: true });
    const child = await startProcess(config.stepMemoryMb);
    const limited = new LimitedProcess(child, {
      memoryMb: config.stepMemoryMb,
      seconds: DAY_SECONDS,
    });
    kept = {
      runId,
      workspace,
      folder,
      child,
      commonIds: new Set(),
      async [Symbol.asyncDispose]() {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill("SIGKILL");
          await new Promise((resolve) => child.once("exit", resolve));
        }
        limited[Symbol.dispose]();
        await workspaces.remove(runId);
      },
    };
    return kept;
  }

  async function work(order: TaskOrder, signal: AbortSignal): Promise<TaskOutcome> {
    const place = await keepFor(order.runId);
    if (!place) return null;
    const { workspace, folder, child } = place;
    const id = ++batches;
    const named = (where: string) =>
      order.files.filter((file) => file.in === where).map(({ path }) => path);
    const needs = { inputs: named("input"), files: named("results") };
    let fetchedBytes = await workspace.provide(needs, signal);
    const common = { id: order.common.id, path: join(folder, order.common.id) };
    if (!place.commonIds.has(common.id)) {
      await storage.fetchTo(order.common.key, common.path, signal);
      place.commonIds.add(common.id);
      fetchedBytes += (await stat(common.path)).size;
    }
    const [inputs, result] = [join(folder, `inputs-${id}`), join(folder, `result-${id}`)];
    await storage.fetchTo(order.inputs, inputs, signal);
    fetchedBytes += (await stat(inputs)).size;
    signal.throwIfAborted();
    const places = { input: workspace.input, results: workspace.results };
    const started = performance.now();
    const reason = await doneBy(
      child,
      { kind: "batch", id, common, inputs, result, places, threads: config.threads },
      signal,
    );
    const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
    logger.info({ runId: order.runId, fetchedBytes, seconds, reason }, "helped with a batch");
    signal.throwIfAborted();
    if (reason !== undefined) return null;
    await storage.putFile(order.result, result);
    await rm(inputs);
    return { fetchedBytes };
  }

  async function carryOut(order: TaskOrder, workflowId: string): Promise<TaskOutcome> {
    const controller = new AbortController();
    const looking = setInterval(() => {
      isWanted(order, workflowId).then(
        (wanted) => !wanted && controller.abort(),
        () => undefined,
      );
    }, LOOK_EVERY_MS);
    try {
      if (!(await isWanted(order, workflowId)) || pauses > 0) return null;
      const over = work(order, controller.signal);
      current = { controller, over };
      return await over;
    } catch (error) {
      if (!controller.signal.aborted) {
        logger.warn({ err: error, runId: order.runId }, "could not help with a batch");
      }
      await forget();
      return null;
    } finally {
      clearInterval(looking);
      current = undefined;
      clearTimeout(letGo);
      letGo = setTimeout(() => void forget(), KEEP_MS);
    }
  }

  DBOS.registerWorkflow(
    (order: TaskOrder): Promise<TaskOutcome> => {
      const id = DBOS.workflowID!;
      return DBOS.runStep(() => carryOut(order, id), { name: "batch" });
    },
    { name: PIPELINE_TASK },
  );

  async function stop(): Promise<void> {
    current?.controller.abort();
    await current?.over.catch(() => undefined);
    await forget();
  }
  return {
    async pause() {
      pauses++;
      await stop();
      return { [Symbol.dispose]: () => void pauses-- };
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function startProcess(memoryMb: number): Promise<ChildProcess> {
  const child = fork(TASK_PROCESS, {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The process for tasks ended with ${code}`)));
  });
  return child;
}

/** Runs a batch in the process. Returns why it was not done, if so. */
function doneBy(
  child: ChildProcess,
  message: ToTaskProcess & { kind: "batch" },
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let killer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      if (child.connected) child.send({ kind: "stop", id: message.id }, () => undefined);
      killer = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
    };
    const end = (reason?: string): void => {
      clearTimeout(killer);
      signal.removeEventListener("abort", stop);
      child.off("message", hear);
      child.off("exit", exit);
      resolve(reason);
    };
    const hear = (answer: FromTaskProcess): void => {
      if (answer.kind === "ended" && answer.id === message.id) end(answer.reason);
    };
    const exit = (code: number | null): void => end(`The process ended with ${code}`);
    if (!child.connected) return end("The process has ended");
    child.on("message", hear);
    child.once("exit", exit);
    signal.addEventListener("abort", stop, { once: true });
    child.send(message, () => undefined);
  });
}
