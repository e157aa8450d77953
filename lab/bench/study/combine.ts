/**
 * Writes all samples as one file as the server does, from copies of one sample's results:
 * `node combine.ts FOLDER PART RESULTS COUNT`.
 */
import { mkdir, rm } from "node:fs/promises";
import { cpuUsage } from "node:process";
import type { StudyDownload } from "@stipple/contract";
import { COMBINED, type CombineOrder } from "../../../apps/server/src/studies/messages.ts";
import { StudyThread } from "../../../apps/server/src/studies/study-thread.ts";
import { peakGb } from "./peak-gb.ts";

const [folder, part, results, count] = process.argv.slice(2);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const started = performance.now();
const thread = new StudyThread<CombineOrder>("./combine-thread.ts", 2);
const { files } = await thread.ask({
  samples: Array.from({ length: Number(count) }, (_, i) => ({
    ...{ name: `S${i}`, folder: results, design: { condition: i % 2 === 0 ? "normal" : "tumor" } },
  })),
  ...{ part: part as StudyDownload, title: "", design: ["condition"], space: null, folder },
});
const wall = (performance.now() - started) / 1000;
const { user, system } = cpuUsage();
const file = files.get(COMBINED)!;
const bytes = "path" in file ? file.size : file.length;
await thread.end();
console.log(JSON.stringify({ wall, cpu: (user + system) / 1e6, peak: peakGb(), bytes }));
