/**
 * Writes all samples as one file as the server does, from copies of one sample's results:
 * `node combine.ts FOLDER PART RESULTS COUNT`.
 */
import { mkdir, rm } from "node:fs/promises";
import { cpuUsage } from "node:process";
import type { StudyDownload } from "@stipple/contract";
import { OrderThread } from "../../../apps/server/src/operations/order-thread.ts";
import {
  COMBINED,
  type CombineOrder,
  type Reply,
} from "../../../apps/server/src/studies/messages.ts";
import { peakGb } from "./peak-gb.ts";

const [folder, part, results, count] = process.argv.slice(2);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const started = performance.now();
const module = new URL("../../../apps/server/src/studies/combine-thread.ts", import.meta.url);
const thread = new OrderThread<CombineOrder, Reply>(module, { threads: 2 });
const order: CombineOrder = {
  samples: Array.from({ length: Number(count) }, (_, i) => ({
    ...{ name: `S${i}`, folder: results, design: { condition: i % 2 === 0 ? "normal" : "tumor" } },
  })),
  ...{ part: part as StudyDownload, title: "", design: ["condition"], space: null, folder },
};
const reply = await thread.ask(order, undefined, (message) => message);
if ("failed" in reply) throw new Error(reply.failed);
const { files } = reply;
const wall = (performance.now() - started) / 1000;
const { user, system } = cpuUsage();
const file = files.get(COMBINED)!;
const bytes = "path" in file ? file.size : file.length;
await thread.end();
console.log(JSON.stringify({ wall, cpu: (user + system) / 1e6, peak: peakGb(), bytes }));
