import { fork, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { FromStepProcess, StepOrder, StepOutcome, ToStepProcess } from "./step-messages.ts";

const STEP_PROCESS = fileURLToPath(new URL("./step-process.ts", import.meta.url));
/** How long a step may take to notice that it is cancelled before its process is killed. */
const CANCEL_PATIENCE_MS = 2_000;

export interface StepListener {
  progress(fraction: number): void;
  log(line: string): void;
  /** Details of an unexpected failure, for our own log. */
  failure(detail: string): void;
}

/**
 * Runs a pipeline step in a process of its own, so that it can be killed, cannot take the worker down and gives
 * all its memory back. The outcome is data; the promise rejects only when the process cannot be started.
 */
export async function runInProcess(
  order: StepOrder,
  options: { memoryMb: number; signal: AbortSignal; listener: StepListener },
): Promise<StepOutcome> {
  const { signal, listener } = options;
  if (signal.aborted) return { kind: "cancelled" };
  const child = fork(STEP_PROCESS, {
    execArgv: [`--max-old-space-size=${options.memoryMb}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  void sacrificeFirst(child);
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  let killer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    say(child, { kind: "cancel" });
    killer = setTimeout(() => child.kill("SIGKILL"), CANCEL_PATIENCE_MS);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await new Promise<StepOutcome>((resolve, reject) => {
      let outcome: StepOutcome | undefined;
      child.on("message", (message: FromStepProcess) => {
        switch (message.kind) {
          case "ready":
            say(child, { kind: "order", order });
            break;
          case "progress":
            listener.progress(message.fraction);
            break;
          case "log":
            listener.log(message.line);
            break;
          case "outcome":
            outcome = message.outcome;
            if (message.detail) listener.failure(message.detail);
        }
      });
      child.once("error", reject);
      child.once("exit", (code, ended) => {
        if (outcome) return resolve(outcome);
        if (signal.aborted) return resolve({ kind: "cancelled" });
        listener.failure(
          `The process of step ${order.step} ended with ${ended ?? code}: ${complaint}`,
        );
        resolve({ kind: "failed", fault: "server", message: suddenEnd(order, ended, complaint) });
      });
    });
  } finally {
    clearTimeout(killer);
    signal.removeEventListener("abort", cancel);
  }
}

function say(child: ChildProcess, message: ToStepProcess): void {
  // The process may be gone already; its exit tells the rest.
  if (child.connected) child.send(message, () => undefined);
}

function suddenEnd(order: StepOrder, signal: NodeJS.Signals | null, complaint: string): string {
  const outOfMemory = signal === "SIGKILL" || /out of memory|Allocation failed/i.test(complaint);
  return outOfMemory
    ? `Step ${order.step} needed more memory than the server has. Your analysis was not counted; finished steps are kept.`
    : `Step ${order.step} ended unexpectedly. Your analysis was not counted; please try again.`;
}

/** When memory runs out, Linux should end the step and not the worker or the database. Elsewhere there is no such file. */
async function sacrificeFirst(child: ChildProcess): Promise<void> {
  await writeFile(`/proc/${child.pid}/oom_score_adj`, "800").catch(() => undefined);
}
