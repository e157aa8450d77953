import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  cpuSeconds: number;
  /** Private memory. */
  ownMb: number;
  residentMb: number;
}

export interface Platform {
  /** By name, with processes of the same name combined. */
  processes: Map<string, Usage>;
  /** Memory that several may share (programs, libraries, database buffers), counted once each. */
  sharedMb: number;
}

const NAMES: [RegExp, string][] = [
  [/main-api\.ts/, "API"],
  [/main-worker\.ts/, "worker"],
  [/payment-sandbox/, "payment sandbox"],
  [/postgres/, "database"],
  [/stipple\.cjs|cli\/src\/main\.ts/, "supervisor"],
];

/** The processes of a platform: `serve` and its descendants. */
export function platformOf(serve: number): Platform {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  const processes = new Map<string, Usage>();
  const shared = new Map<string, number>();
  const visit = (pid: number, above: string): void => {
    const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
    const name = NAMES.find(([pattern]) => pattern.test(command))?.[1] ?? `${above}'s child`;
    const known = processes.get(name) ?? { cpuSeconds: 0, ownMb: 0, residentMb: 0 };
    const memory = memoryOf(pid);
    processes.set(name, {
      cpuSeconds: known.cpuSeconds + cpuSecondsOf(pid),
      ownMb: known.ownMb + memory.ownMb,
      residentMb: known.residentMb + memory.residentMb,
    });
    for (const [file, mb] of memory.shared) {
      shared.set(file, Math.max(shared.get(file) ?? 0, mb));
    }
    for (const child of children.get(pid) ?? []) visit(child, name);
  };
  visit(serve, "supervisor");
  return { processes, sharedMb: [...shared.values()].reduce((sum, mb) => sum + mb, 0) };
}

/** The API process of the platform with data folder `dataDir`. */
export function apiOf(dataDir: string): number {
  const found = readdirSync("/proc").find(
    (pid) =>
      read(`/proc/${pid}/cmdline`).includes("main-api.ts") &&
      read(`/proc/${pid}/environ`).includes(dataDir),
  );
  if (!found) throw new Error(`No API has its data in ${dataDir}`);
  return Number(found);
}

/** CPU time of all threads of a process since it started. */
export function cpuSecondsOf(pid: number): number {
  // Linux reports hundredths of a second to programs; the part before the parenthesis is the process name.
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** A process's memory by mapping: anonymous pages are private, file-backed ones may be shared. */
function memoryOf(pid: number): { ownMb: number; residentMb: number; shared: Map<string, number> } {
  const shared = new Map<string, number>();
  let [ownMb, residentMb, file] = [0, 0, ""];
  let mappedMb = 0;
  for (const line of read(`/proc/${pid}/smaps`).split("\n")) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$/.exec(line);
    if (mapping) file = mapping[1] ?? "";
    const [, name, kilobytes] = /^(Rss|Anonymous):\s+(\d+) kB$/.exec(line) ?? [];
    if (name === "Rss") mappedMb = Number(kilobytes) / 1024;
    if (name === "Anonymous") {
      const anonymousMb = Number(kilobytes) / 1024;
      ownMb += anonymousMb;
      residentMb += mappedMb;
      shared.set(file, (shared.get(file) ?? 0) + mappedMb - anonymousMb);
    }
  }
  return { ownMb, residentMb, shared };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has exited since it was listed.
    return "";
  }
}
