import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { DetectionAnswer, PiecesAnswer, RegistrationAnswer } from "@stipple/contract";
import type { OwnFileFindings } from "@stipple/pipeline/samples";
import type { StorageSettings } from "../storage/open-storage.ts";
import type { KeepOrder } from "../references/keep-uploaded.ts";
import type { EditOrder, EditOutcome } from "./edit-nuclei.ts";
import type { SampleOrder } from "./check-sample.ts";

/** A file to check: the object's key, the name its owner gave it, and what it was given for. */
export interface FileOrder {
  key: string;
  fileName: string;
  extension: string;
  slot: string;
  /** Folder for a copy of it. */
  scratch: string;
}

/** A label image to read as regions. */
export interface LabelOrder {
  labels: string;
  image: { width: number; height: number };
}

/** The regions, or why they cannot be read, in one sentence. */
export type LabelOutcome =
  { regions: { name: string; polygons: [number, number][][][] }[] } | { fault: string };

/** Regions drawn in the view, as GeoJSON: a border of a million corners is looked at for seconds. */
interface DrawingOrder {
  drawing: string;
}

export type CheckOrder =
  FileOrder | KeepOrder | LabelOrder | DrawingOrder | SampleOrder | EditOrder;

export type CheckOutcome = { found: unknown } | { failure: string };

/** What can be seen of a sample, by what is looked for. */
interface Looks {
  /** What the files are that the user added; none if the sample itself cannot be used. */
  "own files": OwnFileFindings;
  /** Where the spots lie on the image. */
  registration: RegistrationAnswer;
  /** The nuclei of a tile at several thresholds. */
  detection: DetectionAnswer;
  /** The pieces of tissue on the slide. */
  pieces: PiecesAnswer;
}

export interface FileChecker extends Disposable {
  /**
   * What is wrong with a file, or with the files of a sample together, in one sentence that says what to do; null when
   * nothing is. A reference that is to be kept is then kept.
   */
  faultOf(order: CheckOrder): Promise<string | null>;
  /** What a sample holds, rather than only what is wrong. */
  look<K extends keyof Looks>(what: K, order: SampleOrder): Promise<Looks[K]>;
  /** Writes nuclei with edits applied to a file. */
  edit(order: EditOrder): Promise<EditOutcome>;
  /** The regions in a label image on the local disk. */
  labels(order: LabelOrder): Promise<LabelOutcome>;
}

const CHECK_PROCESS = fileURLToPath(new URL("./check-process.ts", import.meta.url));
/** Others wait their turn: unpacking a matrix takes a core. */
const AT_ONCE = 2;
/** The barcodes and positions of a million bins. */
const HEAP_MB = 1024;
/** The largest files take minutes from a slow storage. */
const LIMIT_MS = 30 * 60_000;
/** The files of a sample come one after the other; in between a process waits for the next. */
const IDLE_MS = 20_000;
const TOO_LARGE = "The label image takes too much memory to read: save it at a lower resolution.";

/**
 * Checks files in separate processes, with limits on time and memory: a damaged or hostile file affects only those, and
 * the process that serves requests stays free.
 */
export function openFileChecker(storage: StorageSettings): FileChecker {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let running = 0;

  function checkProcess(): ChildProcess {
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.connected) return child;
    }
    const child = fork(CHECK_PROCESS, {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    child.stderr?.setEncoding("utf8");
    return child;
  }

  function keep(child: ChildProcess): void {
    // It ends when nobody is connected to it.
    const timer = setTimeout(() => {
      idle.delete(child);
      if (child.connected) child.disconnect();
    }, IDLE_MS);
    timer.unref();
    child.unref();
    child.channel?.unref();
    idle.set(child, timer);
  }

  async function inTurn(order: CheckOrder): Promise<unknown> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const child = checkProcess();
      const found = await ask(child, storage, order);
      keep(child);
      return found;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    faultOf: async (order) => (await inTurn(order)) as string | null,
    look: async <K extends keyof Looks>(look: K, order: SampleOrder) =>
      (await inTurn({ ...order, look })) as Looks[K],
    edit: async (order) => (await inTurn(order)) as EditOutcome,
    labels: async (order) => ((await inTurn(order)) ?? { fault: TOO_LARGE }) as LabelOutcome,
    [Symbol.dispose]() {
      for (const [child, timer] of idle) {
        clearTimeout(timer);
        if (child.connected) child.disconnect();
      }
      idle.clear();
    },
  };
}

async function ask(
  child: ChildProcess,
  storage: StorageSettings,
  order: CheckOrder,
): Promise<unknown> {
  child.ref();
  child.channel?.ref();
  let stderr = "";
  const what = "key" in order ? order.fileName : "the sample";
  const hear = (text: string): void => void (stderr = (stderr + text).slice(-4_000));
  child.stderr?.on("data", hear);
  const killer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.once("message", (outcome: CheckOutcome) => {
        if ("found" in outcome) resolve(outcome.found);
        else reject(new Error(`Checking ${what} failed: ${outcome.failure}`));
      });
      child.once("error", reject);
      // "close" comes after all of its output, "exit" may come before.
      child.once("close", (code, signal) => {
        if (/out of memory|Allocation failed/i.test(stderr)) resolve(tooLarge(order));
        else reject(new Error(`Checking ${what} ended with ${signal ?? code}: ${stderr}`));
      });
      child.send({ storage, order }, () => undefined);
    });
  } finally {
    clearTimeout(killer);
    child.removeAllListeners();
    child.stderr?.off("data", hear);
  }
}

/** Of a sample this says nothing: its run has more memory. */
function tooLarge(order: CheckOrder): string | null {
  if (!("key" in order)) return null;
  const { fileName } = order;
  return `${fileName} cannot be checked: reading it takes more memory than a file of this type should need. Export or download it again, then upload it.`;
}
