import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** A function and its share of the time in which a step's threads did something. */
export interface HeavyFunction {
  name: string;
  share: number;
}

/** The parts of V8's profile that are read. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const NATIVE: Record<string, string> = {
  "(program)": "native code (ONNX Runtime, images, compression)",
  "(garbage collector)": "garbage collection",
};

/** The `most` functions that took most time themselves, over all profiles (one a thread) of a folder. */
export async function heaviestFunctions(folder: string, most = 3): Promise<HeavyFunction[]> {
  const times = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, name), "utf8")) as CpuProfile;
    const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    profile.samples.forEach((id, i) => {
      const own = names.get(id)!;
      if (own !== "") times.set(own, (times.get(own) ?? 0) + profile.timeDeltas[i]);
    });
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => ({ name, share: Number((time / total).toFixed(3)) }));
}

/** Empty for a thread that waits. */
function nameOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): string {
  if (functionName === "(idle)" || functionName === "(root)") return "";
  const native = NATIVE[functionName];
  if (native !== undefined) return native;
  const file = url.startsWith("wasm:") ? "WebAssembly" : basename(url);
  return `${functionName === "" ? "(anonymous)" : functionName}${file === "" ? "" : ` (${file})`}`;
}
