/**
 * Resource use of an idle platform: `npm run bench:idle -- --seconds 120`. Starts it like `npm start`, waits until it
 * has settled, and prints CPU and memory of every process. Linux only.
 */
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { simulateTissue } from "@stipple/tissue";
import { openSampleDataset } from "../../apps/server/src/sample/sample-dataset.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { platformOf, type Platform } from "./idle/processes.ts";

/** Limits for all processes together: share of one core, and memory. */
const MAX_CPU = 0.005;
const MAX_MB = 450;
const SETTLE_S = 45;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "120" } } });
const seconds = Math.max(10, Number(values.seconds));

const dataDir = await mkdtemp(join(tmpdir(), "stipple-idle-"));
// Make the sample dataset now; otherwise, the first start would make it in the background.
await simulateTissue({
  out: openSampleDataset(join(dataDir, "sample")).folder,
  seed: 5,
  sizeUm: 300,
  nGenes: 200,
});
const platform = await startPlatform({ dataDir });
try {
  const lock = readFileSync(join(dataDir, "serve.json"), "utf8");
  const { pid } = JSON.parse(lock) as { pid: number };
  await sleep(SETTLE_S * 1000);
  const before = platformOf(pid);
  await sleep(seconds * 1000);
  const after = platformOf(pid);
  report(before, after);
} finally {
  await platform.close();
}

function report(before: Platform, after: Platform): void {
  const share = (cpuSeconds: number): string => `${((100 * cpuSeconds) / seconds).toFixed(2)}%`;
  let allCpu = 0;
  let allMb = after.sharedMb;
  console.log(`Idle for ${seconds} s, ${SETTLE_S} s after the start\n`);
  console.log("| Process | CPU (of a core) | Own memory (MB) | Resident (MB) |");
  console.log("| --- | ---: | ---: | ---: |");
  for (const [name, { cpuSeconds, ownMb, residentMb }] of after.processes) {
    const used = cpuSeconds - (before.processes.get(name)?.cpuSeconds ?? 0);
    allCpu += used;
    allMb += ownMb;
    console.log(`| ${name} | ${share(used)} | ${ownMb.toFixed(0)} | ${residentMb.toFixed(0)} |`);
  }
  console.log(`| shared | | ${after.sharedMb.toFixed(0)} | |`);
  console.log(`| all | ${share(allCpu)} | ${allMb.toFixed(0)} | |`);
  if (allCpu / seconds > MAX_CPU || allMb > MAX_MB) {
    console.error(`More than ${share(MAX_CPU * seconds)} of a core or ${MAX_MB} MB.`);
    process.exitCode = 1;
  }
}
