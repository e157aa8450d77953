import { fork, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STEP_ENVIRONMENT } from "@stipple/pipeline/step-environment";
import { heaviestFunctions, type HeavyFunction } from "./heaviest.ts";

/** Resources used by one step. */
export interface StepCost {
  step: number;
  wallSeconds: number;
  /** CPU time of the process and its descendants. */
  cpuSeconds: number;
  /** Peak resident memory of all of them together, MB. */
  peakMb: number;
  /** Bytes read and written by the step's process. */
  readBytes: number;
  writtenBytes: number;
  /** Mean speed of one core right before and after the step, see `measureSpeed`; missing from older measurements. */
  speed?: number;
  /** Longest time without progress, seconds; missing from older measurements. */
  stillSeconds?: number;
  /** The progress fraction it reported after each twentieth of its time except the last. */
  told: number[];
}

/** A step's reported progress: seconds since it started, and the fraction done. */
export type ProgressTrace = [seconds: number, fraction: number][];

/** The environment in which the product runs its steps. */
const ENVIRONMENT = {
  NODE_COMPILE_CACHE: join(tmpdir(), "stipple-compiled"),
  ...STEP_ENVIRONMENT,
  ...process.env,
};
const POLL_MS = 200;
const TICKS = 100;

/** A step's inputs. */
export interface StepRequest {
  input: string;
  results: string;
  settings: object;
}

function programOf(
  step: number,
  { input, results, settings }: StepRequest,
): [program: string, ...args: string[]] {
  const program = join(import.meta.dirname, "run-step.ts");
  return [program, input, results, JSON.stringify(settings), String(step)];
}

/** Runs a step in a separate process and measures it (Linux). */
export async function measureStep(
  step: number,
  request: StepRequest,
): Promise<{ cost: StepCost; progress: ProgressTrace }> {
  const before = childSeconds();
  const started = performance.now();
  const [program, ...args] = programOf(step, request);
  const child = fork(program, args, { env: ENVIRONMENT });
  let told = { readBytes: 0, writtenBytes: 0, progress: [] as ProgressTrace };
  child.on("message", (message) => (told = message as typeof told));
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, treeMb(child.pid!))), POLL_MS);
  await ended(child, step);
  clearInterval(watch);
  const wallSeconds = (performance.now() - started) / 1000;
  const { progress, ...moved } = told;
  const stillSeconds = longestStandstill(progress);
  const cost = { step, wallSeconds, cpuSeconds: childSeconds() - before, peakMb, ...moved };
  return { cost: { ...cost, stillSeconds, told: toldOf(progress, wallSeconds) }, progress };
}

/** Reruns a step under `perf`, which slows it slightly; returns the functions that used the most CPU time. */
export async function profileStep(step: number, request: StepRequest): Promise<HeavyFunction[]> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-profile-"));
  try {
    return await heaviestFunctions(programOf(step, request), join(folder, "samples"), {
      env: ENVIRONMENT,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess, step: number): Promise<void> {
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  if (code !== 0) throw new Error(`Step ${step} ended with ${code}`);
}

const TIMES = 20;

function toldOf(progress: ProgressTrace, wallSeconds: number): number[] {
  // Process startup is part of its time.
  const until = wallSeconds - (progress.at(-1)?.[0] ?? wallSeconds);
  return Array.from({ length: TIMES - 1 }, (_, i) => {
    const at = ((i + 1) / TIMES) * wallSeconds - until;
    const fraction = progress.findLast(([seconds]) => seconds <= at)?.[1] ?? 0;
    return Number(fraction.toFixed(3));
  });
}

/** Longest time between moves of the progress bar, which moves for every half a percent of a step. */
function longestStandstill(progress: ProgressTrace): number {
  let [moved, reached, longest] = [0, 0, 0];
  for (const [seconds, fraction] of progress) {
    if (fraction < 1 && fraction < reached + 0.005) continue;
    longest = Math.max(longest, seconds - moved);
    [moved, reached] = [seconds, fraction];
  }
  return longest;
}

/** CPU seconds of all exited children and their descendants. */
function childSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Resident memory of a process and its descendants, MB. */
function treeMb(root: number): number {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]));
      resident.set(Number(name), Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // The process has exited in the meantime.
    }
  }
  let sum = 0;
  for (const pid of parents.keys()) {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) {
      if (at === root) {
        sum += resident.get(pid)!;
        break;
      }
    }
  }
  return sum;
}
