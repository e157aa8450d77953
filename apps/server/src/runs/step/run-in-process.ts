import { fork, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { LimitedProcess, saysOutOfMemory, type StepLimits, type SuddenEnd } from "./limits.ts";
import { notProvided } from "./step-faults.ts";
import type { FromStepProcess, StepOrder, StepOutcome, ToStepProcess } from "./step-messages.ts";
import type { StepNeeds } from "./step-needs.ts";

const STEP_PROCESS = fileURLToPath(new URL("./step-process.ts", import.meta.url));
/**
 * How long a canceled step may take to notice before its process is killed. All work must stop within 2 s; the worker
 * may take half a second to learn of the cancellation, and a busy machine as long to act on both.
 */
const CANCEL_TIMEOUT_MS = 1_000;
/** How often a step that was killed from outside is retried. */
const TRIES_AFTER_KILL = 2;

export interface StepListener {
  progress(fraction: number): void;
  log(line: string): void;
  /** Details of an unexpected failure, for our own log. */
  failure(detail: string): void;
}

/**
 * Runs a pipeline step in a separate process, so that it can be killed, cannot crash the worker, and releases all its
 * memory. The outcome is data; the promise rejects only if the process cannot be started.
 */
export async function runInProcess(order: StepOrder, options: Options): Promise<StepOutcome> {
  for (let killed = 1; ; killed++) {
    const outcome = await attempt(order, options);
    if (outcome !== "killed") return outcome;
    if (killed > TRIES_AFTER_KILL) return failure(order, "killed", options.limits);
    options.listener.log("The step was stopped by another program and is starting again.");
  }
}

interface Options {
  limits: StepLimits;
  signal: AbortSignal;
  listener: StepListener;
  /** Fetches the files that the step requests. Stops writing, and ends, soon after the signal is aborted. */
  provide(needs: StepNeeds, signal: AbortSignal): Promise<void>;
}

/** "killed" when someone else ended the process, so that trying again makes sense. */
async function attempt(order: StepOrder, options: Options): Promise<StepOutcome | "killed"> {
  const { signal, listener, limits } = options;
  if (signal.aborted) return { kind: "cancelled" };
  const child = fork(STEP_PROCESS, {
    execArgv: [`--max-old-space-size=${limits.memoryMb}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  void sacrificeFirst(child);
  using limited = new LimitedProcess(child, limits);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  let killer: NodeJS.Timeout | undefined;
  const isOver = new AbortController();
  let providing: Promise<void> | undefined;
  const cancel = (): void => {
    say(child, { kind: "cancel" });
    killer = setTimeout(() => child.kill("SIGKILL"), CANCEL_TIMEOUT_MS);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await new Promise<StepOutcome | "killed">((resolve, reject) => {
      let outcome: StepOutcome | undefined;
      child.on("message", (message: FromStepProcess) => {
        switch (message.kind) {
          case "ready":
            say(child, { kind: "order", order });
            break;
          case "needs":
            providing = options
              .provide(message.needs, AbortSignal.any([signal, isOver.signal]))
              .then(
                () => say(child, { kind: "provided" }),
                (error: unknown) => {
                  if (signal.aborted || isOver.signal.aborted) return;
                  listener.failure(
                    error instanceof Error ? (error.stack ?? error.message) : String(error),
                  );
                  outcome = notProvided(order.step, error);
                  child.kill("SIGKILL");
                },
              );
            break;
          case "progress":
            listener.progress(message.fraction);
            break;
          case "log":
            listener.log(message.line);
            break;
          case "outcome":
            outcome ??= orOutOfMemory(order, message.outcome, message.detail, limits);
            if (message.detail) listener.failure(message.detail);
        }
      });
      child.once("error", reject);
      // Not "exit": the process's error output may arrive after that.
      child.once("close", (code, byWhat) => {
        if (outcome) return resolve(outcome);
        if (signal.aborted) return resolve({ kind: "cancelled" });
        listener.failure(
          `The process of step ${order.step} ended with ${byWhat ?? code}: ${stderr}`,
        );
        const why = limited.suddenEnd(byWhat, stderr);
        resolve(why === "killed" ? why : failure(order, why, limits));
      });
    });
  } finally {
    clearTimeout(killer);
    signal.removeEventListener("abort", cancel);
    // Nothing may be written anymore once the caller takes the step's folders away.
    isOver.abort();
    await providing;
  }
}

function say(child: ChildProcess, message: ToStepProcess): void {
  // The process may be gone already; its exit tells the rest.
  if (child.connected) child.send(message, () => undefined);
}

/** A step that could not get memory may have noticed it itself. */
function orOutOfMemory(
  order: StepOrder,
  outcome: StepOutcome,
  detail: string | undefined,
  limits: StepLimits,
): StepOutcome {
  return outcome.kind === "failed" && outcome.fault === "server" && saysOutOfMemory(detail ?? "")
    ? failure(order, "memory", limits)
    : outcome;
}

function failure(order: StepOrder, why: SuddenEnd, limits: StepLimits): StepOutcome {
  return { kind: "failed", fault: "server", cause: why, message: ended(order, why, limits) };
}

function ended({ step }: StepOrder, why: SuddenEnd, { memoryMb, seconds }: StepLimits): string {
  switch (why) {
    case "memory":
      return `Step ${step} needed more memory than the ${(memoryMb / 1024).toFixed(1)} GB that a step may use on this server. Finished steps are kept.`;
    case "time":
      return `Step ${step} was stopped after ${(seconds / 3600).toFixed(1)} hours, many times longer than a sample of this size takes. Finished steps are kept.`;
    case "killed":
      return `Another program on the server ended step ${step} ${TRIES_AFTER_KILL + 1} times. Please resume from this step.`;
    case "crashed":
      return `Step ${step} ended unexpectedly. Please try again.`;
  }
}

/**
 * When memory runs out, Linux should kill the step rather than the worker or the database. The file does not exist on
 * other systems.
 */
async function sacrificeFirst(child: ChildProcess): Promise<void> {
  await writeFile(`/proc/${child.pid}/oom_score_adj`, "800").catch(() => undefined);
}
