/**
 * Reads mutated files of every format like the platform, with a separate process per format, and sends mutated requests
 * to every route of the API: `npm run fuzz`. `--files N` per format (default 10,000), `--formats tiff,h5`, `--requests
 * N` (default 50,000), `--seed N`, `--first N` to start at a number. Naming formats disables requests, and `--files 0`
 * disables files. `--damage` instead changes values behind valid headers, `--files N` times for each way to store them
 * (`--stored NAME` for one), and compares what is read with the whole file.
 */
import { parseArgs } from "node:util";
import { ALL_STORED, STORED, type StoredName } from "./damage/stored-files.ts";
import { ALL_FORMATS, type Format } from "./formats.ts";
import { startOwnServer } from "./requests/own-server.ts";
import { runRequests } from "./requests/run-requests.ts";
import { damagedFiles, mutatedFiles, runFuzz } from "./run-fuzz.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "10000" },
    formats: { type: "string" },
    requests: { type: "string" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    damage: { type: "boolean", default: false },
    stored: { type: "string", multiple: true, default: [...ALL_STORED] },
  },
});
const named = values.stored.filter((name): name is StoredName => name in STORED);
const formats = (values.formats?.split(",") ?? ALL_FORMATS) as Format[];
const unknown = formats.filter((format) => !ALL_FORMATS.includes(format));
if (unknown.length > 0) {
  console.error(`There is no format ${unknown.join(", ")}; choose of ${ALL_FORMATS.join(", ")}.`);
  process.exit(2);
}
const options = { seed: Number(values.seed), first: Number(values.first) };
const files = Number(values.files);
const asked = values.formats === undefined && !values.damage ? 50_000 : 0;
const requests = Number(values.requests ?? asked);

let failures = 0;
if (files > 0) await fuzzFiles();
if (requests > 0) await fuzzRequests();
process.exitCode = failures > 0 ? 1 : 0;

async function fuzzFiles(): Promise<void> {
  heading([
    "Format",
    "Files",
    "Read",
    "Read otherwise",
    "Refused",
    "Failures",
    "Most CPU (ms)",
    "Peak memory (MB)",
  ]);
  for (const one of values.damage ? damagedFiles(named) : mutatedFiles(formats)) {
    const reports = await runFuzz([one], { ...options, files }, ({ index, kind, detail }) =>
      console.error(`${one.name} ${index}: ${kind}: ${detail}`),
    );
    const report = reports[one.name];
    failures += report.failures.length;
    const { read, otherwise, refused } = report;
    const numbers = [report.files, read, otherwise, refused, report.failures.length];
    row(one.name, [...numbers, report.slowestMs, report.peakMb]);
  }
}

async function fuzzRequests(): Promise<void> {
  await using target = await startOwnServer();
  const report = await runRequests(target, { ...options, requests }, (failure) =>
    console.error(JSON.stringify(failure)),
  );
  failures += report.failures.length;
  console.log("");
  heading(["Route", "Requests", "Answered", "Refused", "Failures", "Slowest (ms)"]);
  let [answered, refused, slowestMs] = [0, 0, 0];
  for (const [name, route] of Object.entries(report.routes)) {
    const failed = report.failures.filter((failure) => failure.route === name).length;
    row(name, [route.requests, route.answered, route.refused, failed, route.slowestMs]);
    answered += route.answered;
    refused += route.refused;
    slowestMs = Math.max(slowestMs, route.slowestMs);
  }
  row("All", [requests, answered, refused, report.failures.length, slowestMs]);
  const { first, most, last } = report.memoryMb;
  console.log(
    `\nMemory of the server: ${Math.round(first)} MB at the start, ${Math.round(most)} MB at most, ${Math.round(last)} MB at the end.`,
  );
}

function heading(names: string[]): void {
  console.log(`| ${names.join(" | ")} |`);
  console.log(`|${names.map((_, i) => (i === 0 ? " --- |" : " ---: |")).join("")}`);
}

function row(name: string, numbers: number[]): void {
  const cells = numbers.map((value) => Math.round(value).toLocaleString("en-US"));
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
