import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { STORED, type StoredName } from "./damage/stored-files.ts";
import type { Case, Format, Outcome } from "./formats.ts";
import { processorTimeOf } from "./processor-time.ts";

const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/stipple-fuzz", import.meta.url));
const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
/** Limit on CPU time per file, and on memory (MAX_MB). */
const HANG_MS = 5_000;
/** Wall-time limit, reached if other programs occupy the CPUs or if the reader waits for nothing. */
const TIMEOUT_MS = 30_000;
const MAX_MB = 1_024;
const START_MS = 300_000;
/** The child process is restarted after this many files, so that leftovers of one file are not blamed on the next. */
const FILES_A_CHILD = 2_000;
const MANY_FILES = 100;

export interface Failure extends Case, Outcome {}

export interface FormatReport {
  files: number;
  /** With the content of the whole file. */
  read: number;
  /** With other content. */
  otherwise: number;
  refused: number;
  /** Maximum CPU time of a file. */
  slowestMs: number;
  peakMb: number;
  failures: Failure[];
  /** Reader functions called, if requested. */
  called: string[];
}

/** Files that are reported together: all of a format, or those with damaged values of one way to store them. */
export interface Series {
  name: string;
  format: Format;
  stored?: StoredName;
}

/** Files of these formats, mutated anywhere. */
export function mutatedFiles(formats: readonly Format[]): Series[] {
  return formats.map((format) => ({ name: format, format }));
}

/** Files stored in these ways, with changed values behind a valid header. */
export function damagedFiles(names: readonly StoredName[]): Series[] {
  return names.map((name) => ({ name, format: STORED[name].format, stored: name }));
}

/** Reads `files` files of each series in a separate process, and counts the outcomes. */
export async function runFuzz(
  series: readonly Series[],
  {
    files,
    seed,
    first = 0,
    called = false,
  }: { files: number; seed: number; first?: number; called?: boolean },
  each: (failure: Failure) => void = () => undefined,
): Promise<Record<string, FormatReport>> {
  const reports: Record<string, FormatReport> = {};
  let child: Child | null = null;
  try {
    for (const { name, format, stored } of series) {
      const report: FormatReport = {
        files: 0,
        read: 0,
        otherwise: 0,
        refused: 0,
        slowestMs: 0,
        peakMb: 0,
        failures: [],
        called: [],
      };
      reports[name] = report;
      for (let index = first; index < first + files; index++) {
        if (child === null || child.files >= FILES_A_CHILD) {
          child?.end();
          child = await Child.start(called);
        }
        const one: Case = { format, index, seed, ...(stored && { stored }) };
        let outcome = await child.read(one);
        if (outcome.kind === "hang" || outcome.kind === "memory") {
          // Retry once: another program may have slowed the machine, so only a repeated failure counts.
          child.end();
          child = await Child.start(called);
          outcome = await child.read(one);
        }
        report.files++;
        report.slowestMs = Math.max(report.slowestMs, outcome.ms);
        report.peakMb = Math.max(report.peakMb, outcome.peakMb);
        const { kind } = outcome;
        const mayDiffer = kind === "read otherwise" && !(stored && STORED[stored].isChecked);
        if (mayDiffer) report.otherwise++;
        else if (kind === "read" || kind === "refused") report[kind]++;
        if (mayDiffer || kind === "read" || kind === "refused") {
          if (outcome.isSpent) {
            child.end();
            child = null;
          }
          continue;
        }
        const failure = { ...one, ...outcome };
        report.failures.push(failure);
        each(failure);
        child.end();
        child = null;
      }
      if (called && child) report.called = await child.called();
      // Use a fresh process per format to measure its peak memory, unless there are too few files to matter.
      if (files < MANY_FILES) continue;
      child?.end();
      child = null;
    }
  } finally {
    child?.end();
  }
  return reports;
}

/** A process that reads files. */
class Child {
  files = 0;
  readonly #process: ChildProcess;
  #words = "";

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#words = (this.#words + text).slice(-1_000);
    });
  }

  static async start(notesCalls: boolean): Promise<Child> {
    const started = fork(CHILD, notesCalls ? ["--called"] : [], {
      execArgv: ["--max-old-space-size=768"],
      // HDF5 crashes the process often; the compile cache halves the startup time of the next one.
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child = new Child(started);
    const signal = AbortSignal.timeout(START_MS);
    await Promise.race([
      once(started, "message", { signal }),
      once(started, "exit", { signal }).then(() => {
        throw new Error(`the reading process did not start: ${child.#words}`);
      }),
    ]);
    return child;
  }

  read(one: Case): Promise<Outcome> {
    this.files++;
    const start = performance.now();
    return new Promise((resolve) => {
      const finish = (outcome: Partial<Outcome> & Pick<Outcome, "kind" | "detail">): void => {
        clearInterval(timer);
        this.#process.off("message", answered);
        this.#process.off("exit", ended);
        resolve({ ms: performance.now() - start, peakMb: 0, ...outcome });
      };
      const answered = (outcome: Outcome): void => {
        if (outcome.peakMb <= MAX_MB) finish(outcome);
        else finish({ ...outcome, kind: "memory", detail: `${Math.round(outcome.peakMb)} MB` });
      };
      const ended = (code: number | null, signal: string | null): void =>
        finish({ kind: "crash", detail: `${signal ?? code}: ${this.#words}` });
      const usedBefore = this.#cpuMs();
      const timer = setInterval(() => {
        const waited = performance.now() - start;
        const used = this.#cpuMs() - usedBefore;
        if (used <= HANG_MS && waited <= TIMEOUT_MS) return;
        finish({
          kind: "hang",
          detail: `no end after ${Math.round(used)} ms of a processor, ${Math.round(waited)} ms in all`,
        });
      }, 250);
      this.#process.once("message", answered);
      this.#process.once("exit", ended);
      this.#process.send(one, (error) => {
        if (error) ended(null, String(error));
      });
    });
  }

  #cpuMs(): number {
    return processorTimeOf(this.#process.pid);
  }

  async called(): Promise<string[]> {
    this.#process.send("called");
    const [functions] = (await once(this.#process, "message")) as [string[]];
    return functions;
  }

  end(): void {
    this.#process.kill("SIGKILL");
  }
}
