import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";

/** A function, or a library without symbol names, and its share of the CPU time of all of a step's threads. */
export interface HeavyFunction {
  name: string;
  share: number;
}

/** Samples per second and thread. */
const RATE_HZ = 97;
const REPORT_BYTES = 512 * 1024 ** 2;

/**
 * Runs a Node program under Linux's `perf`, which, unlike V8's own profiler, covers every thread and native code, and
 * returns the `most` functions with the highest self time. `file`: temporary file for the samples.
 */
export async function heaviestFunctions(
  program: readonly string[],
  file: string,
  { env = process.env, most = 3 }: { env?: NodeJS.ProcessEnv; most?: number } = {},
): Promise<HeavyFunction[]> {
  const run = promisify(execFile);
  try {
    // The flag makes Node write a map of the addresses of compiled JavaScript functions.
    const node = [process.execPath, "--perf-basic-prof", ...program];
    await run("perf", ["record", "-q", "-F", `${RATE_HZ}`, "-o", file, "--", ...node], { env });
    const asTable = ["--stdio", "-q", "-t", "\t", "-s", "dso,symbol"];
    const { stdout } = await run("perf", ["report", "-i", file, ...asTable], {
      maxBuffer: REPORT_BYTES,
    });
    const [, thread] = /\[JIT\] tid (\d+)/.exec(stdout) ?? [];
    if (thread !== undefined) await rm(`/tmp/perf-${thread}.map`, { force: true });
    return heaviest(stdout, most);
  } finally {
    await rm(file, { force: true });
  }
}

/** Parses tab-separated lines of share, object, and symbol. */
export function heaviest(report: string, most: number): HeavyFunction[] {
  const shares = new Map<string, number>();
  for (const line of report.split("\n")) {
    const [percent, object, symbol] = line.split("\t").map((field) => field.trim());
    if (symbol === undefined || !percent.endsWith("%")) continue;
    const name = nameOf(object, symbol);
    shares.set(name, (shares.get(name) ?? 0) + parseFloat(percent) / 100);
  }
  return [...shares]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, share]) => ({ name, share: Number(share.toFixed(3)) }));
}

/** Compiled JavaScript: optimization tier, function, file, and position. */
const SCRIPT = /^JS:[*^~'+]*(\S*) ?(?:file:\/\/)?(.*?)(?::\d+:\d+)?$/;
/** Node's own functions are many and small, so they are grouped by kind; the first match applies. */
const KINDS_OF_NODE: readonly [RegExp, string][] = [
  [/^Builtins_/, "V8's built-in functions"],
  [/compiler|maglev|turboshaft|Parser|Scanner|interpreter/, "compiling JavaScript"],
  [/Scaveng|Mark|Sweep|Evacuat|Heap|GCTracer|Visitor|BodyDescriptor/, "garbage collection"],
  [
    /deflate|inflate|compress|longest_match|build_tree|pqdownheap|ZSTD|HUF|FSE|crc32/,
    "compression",
  ],
];

function nameOf(object: string, symbol: string): string {
  const [, kind, rest] = /^\[(.)\] (.*?)(?:\t|$)/.exec(symbol) ?? [];
  if (kind === undefined || rest === undefined) return object;
  if (kind === "k") return "the kernel";
  if (object.startsWith("[JIT]")) {
    const [, name, file] = SCRIPT.exec(rest) ?? [];
    if (name === undefined) return "other compiled code";
    if (name.startsWith("wasm-function")) return "WebAssembly";
    return `${name === "" ? "(anonymous)" : name} (${basename(file ?? "")})`;
  }
  if (/^node\b/.test(object)) {
    return KINDS_OF_NODE.find(([pattern]) => pattern.test(rest))?.[1] ?? "Node itself";
  }
  return basename(object);
}
