/**
 * A platform in use for two hours: `npm run soak -- --minutes 120 --people 4`. Starts it like `npm start`, on a small
 * sample; users sign in, upload, run, poll, view, download, and delete. Fails if memory, handles, files, or connections
 * rise (see soak/flat.ts for the criterion and soak/resources.ts for the limits), or if an action fails. Linux only.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { simulateTissue } from "@stipple/tissue";
import { runningDatabaseUrl } from "../../apps/cli/src/serve/postgres.ts";
import { openSampleDataset } from "../../apps/server/src/sample/sample-dataset.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { judge, WARM_UP, type Sample } from "./soak/flat.ts";
import { Visitor } from "./soak/person.ts";
import { BOUNDS, openResources } from "./soak/resources.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    people: { type: "string", default: "4" },
    idle: { type: "string", default: "1" },
    pause: { type: "string", default: "0" },
  },
});
const seconds = Math.max(30, Number(values.minutes) * 60);
const idleSeconds = Number(values.idle) * 60;
const people = Math.max(1, Number(values.people));
/** Pause between a user's visits, so that a soak test can share a machine with other work. */
const pauseMs = Number(values.pause) * 1000;
/** About 240 samples, whatever the duration. */
const everyMs = Math.max(2_000, (seconds / 240) * 1000);

const dataDir = await mkdtemp(join(tmpdir(), "stipple-soak-"));
const sample = openSampleDataset(join(dataDir, "sample"));
await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 300, nGenes: 200 });
const files = await sample.files();
const platform = await startPlatform({ dataDir });
const took = new Map<string, number[]>();
const failures = new Map<string, number>();
const series = new Map<string, Sample[]>(Object.keys(BOUNDS).map((name) => [name, []]));
let visits = 0;
try {
  const resources = await openResources(dataDir, (await runningDatabaseUrl(dataDir))!);
  if (idleSeconds > 0) {
    // Baseline for the idle platform, after compiling code and filling caches.
    await sleep(20_000);
    const before = resources.cpuSeconds();
    await sleep(idleSeconds * 1000);
    const share = (resources.cpuSeconds() - before) / idleSeconds;
    const { "API memory, MB": api, "worker memory, MB": worker } = await resources.look();
    console.log(
      `Idle for ${idleSeconds} s: ${(share * 100).toFixed(2)}% of a core, API ${api?.toFixed(0)} MB, worker ${worker?.toFixed(0)} MB (API and worker, without the database)\n`,
    );
  }
  const start = performance.now();
  const until = start + seconds * 1000;
  const tell = (action: string, ms: number): void => {
    took.set(action, [...(took.get(action) ?? []), ms]);
  };
  const everybody = Array.from({ length: people }, async () => {
    const visitor = new Visitor(platform.url, files, tell);
    await visitor.join();
    while (performance.now() < until) {
      try {
        await visitor.visit(until);
        visits++;
        await sleep(Math.min(pauseMs, Math.max(0, until - performance.now())));
      } catch (error) {
        const sentence = (error as Error).message.slice(0, 200);
        failures.set(sentence, (failures.get(sentence) ?? 0) + 1);
        await sleep(1000);
      }
    }
  });
  const sampling = (async () => {
    while (performance.now() < until) {
      const held = await resources.look();
      const at = (performance.now() - start) / 1000;
      for (const [name, value] of Object.entries(held)) series.get(name)?.push({ at, value });
      await sleep(everyMs);
    }
  })();
  await Promise.all([...everybody, sampling]);
  await resources.close();
  report();
} finally {
  await platform.close();
}

function report(): void {
  console.log(`${people} people, ${seconds / 60} minutes, ${visits} visits\n`);
  console.log(
    "| Action | Times | p50, ms | p95, ms | p99, ms |\n| --- | ---: | ---: | ---: | ---: |",
  );
  for (const [action, list] of [...took].toSorted(([a], [b]) => a.localeCompare(b))) {
    const sorted = list.toSorted((a, b) => a - b);
    const cells = [0.5, 0.95, 0.99].map((share) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN).toFixed(0),
    );
    console.log(`| ${action} | ${list.length} | ${cells.join(" | ")} |`);
  }
  console.log(
    `\nRise over the last ${(1 - WARM_UP) * 100}% of the time, by the Theil–Sen slope:\n`,
  );
  console.log(
    "| What | First | Median | Most | Rise | Allowed | |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |",
  );
  let isFlat = true;
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const samples = series.get(name) ?? [];
    const judged = judge(samples, bound);
    isFlat &&= judged.isFlat;
    const most = Math.max(...samples.map(({ value }) => value));
    const cells = [samples[0]?.value ?? NaN, judged.median, most, judged.rise, judged.allowed];
    console.log(
      `| ${name} | ${cells.map((value) => value.toFixed(1)).join(" | ")} | ${judged.isFlat ? "flat" : "RISES"} |`,
    );
  }
  for (const [sentence, times] of failures) console.error(`\nFailed ${times} times: ${sentence}`);
  if (!isFlat || failures.size > 0) process.exitCode = 1;
}
