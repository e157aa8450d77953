/**
 * Cost of samples of realistic sizes: `npm run bench:sizes -- visium-quarter hd8-quarter [--out DIR] [--minutes 9]`.
 * Makes the named samples (by default all of lab/bench/sizes/sizes.ts) and runs the steps not done yet, each in a separate
 * process; then writes docs/speed.md and docs/notebook/speed.md from lab/bench/sizes/measured.json, and the server's step cost estimates
 * (step-costs.json). No step starts after `--minutes`; rerun to continue. `--anew` discards a sample's
 * measurements. `--profiles` runs the samples again under Linux's `perf`, after measuring them, and lists each step's
 * heaviest functions.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { STEP_NUMBERS } from "@stipple/contract";
import { readResult } from "@stipple/pipeline/results";
import { openSampleDataset } from "../../apps/server/src/sample/sample-dataset.ts";
import { STEP_COSTS_JSON, stepTable } from "./sizes/fit-costs.ts";
import { layOut } from "./sizes/lay-out.ts";
import { measureRates, type MachineRates } from "./sizes/floor.ts";
import { growthPicture } from "./sizes/growth-picture.ts";
import type { HeavyFunction } from "./sizes/heaviest.ts";
import { measureStep, profileStep, type ProgressTrace, type StepCost } from "./sizes/measure.ts";
import { openPiece } from "./sizes/piece.ts";
import { measureSpeed } from "./sizes/reference-speed.ts";
import {
  measuredPairs,
  speedPage,
  speedTables,
  type Measured,
  type Measurements,
} from "./sizes/report.ts";
import { SIZES, type SampleSize } from "./sizes/sizes.ts";

const MEASURED = join(import.meta.dirname, "sizes/measured.json");
const DOCS = join(import.meta.dirname, "../../docs");
const PAGE = join(DOCS, "speed.md");
const TABLES = join(DOCS, "notebook/speed.md");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join(tmpdir(), "stipple-sizes") },
    minutes: { type: "string", default: "1000" },
    anew: { type: "boolean", default: false },
    profiles: { type: "boolean", default: false },
  },
});
const until = performance.now() + 60_000 * Number(values.minutes);
const unknown = positionals.find((name) => !SIZES.some((size) => size.name === name));
if (unknown !== undefined) {
  throw new Error(`There is no size ${unknown}: use ${SIZES.map(({ name }) => name).join(", ")}.`);
}
const chosen = SIZES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const size of chosen) {
  const measured = await run(size);
  if (!measured) {
    console.log(`${size.name}: time is up; call again to go on`);
    break;
  }
  const all = JSON.parse(await readFile(MEASURED, "utf8").catch(() => "{}")) as Measurements;
  all[size.name] = measured;
  const style = { ...(await resolveConfig(PAGE)), parser: "markdown" };
  await writeFile(MEASURED, await format(JSON.stringify(all), { ...style, parser: "json" }));
  await writeFile(PAGE, await format(speedPage(all), style));
  await writeFile(TABLES, await format(speedTables(all), style));
  for (const { kind, quarter, full } of measuredPairs(all)) {
    const places = kind === "visium" ? "spots" : "bins of 8 µm";
    const picture = growthPicture([quarter, full], `Number of ${places}`);
    await writeFile(join(DOCS, "images", `growth-${kind}.svg`), picture);
  }
  const table = await format(JSON.stringify(stepTable(all)), { ...style, parser: "json" });
  await writeFile(STEP_COSTS_JSON, table);
}

/** Null if time ran out before the last step. */
async function run(size: SampleSize): Promise<Measured | null> {
  await mkdir(values.out, { recursive: true });
  const folder = join(values.out, size.name);
  const [input, results, notes] = ["input", "results", "costs.json"].map((n) => join(folder, n));
  await mkdir(folder, { recursive: true });
  if (values.anew) await rm(notes, { force: true });
  if (!existsSync(input)) {
    const started = performance.now();
    if (size.isSampleDataset) await layDownSample(input);
    else await layOut(input, size, await openPiece(values.out, size));
    console.log(`${size.name}: made in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  const { platform, resolution, staining, analysisType } = size;
  const settings = { platform, resolution, staining, analysisType };
  const request = { input, results, settings };
  const begun = {
    commit: commit(),
    load: loadavg()[0],
    rates: undefined as MachineRates | undefined,
    steps: [] as StepCost[],
    /** By step; kept with the sample for later inspection. */
    progress: {} as Record<number, ProgressTrace>,
  };
  const state = existsSync(notes)
    ? (JSON.parse(await readFile(notes, "utf8")) as typeof begun)
    : begun;
  // Rates at the time of the run, not of a later call.
  const rates = (state.rates ??= await measureRates(folder));
  for (const step of STEP_NUMBERS) {
    if (state.steps.some((done) => done.step === step)) continue;
    if (performance.now() > until) return null;
    const before = measureSpeed();
    const { cost, progress } = await measureStep(step, request);
    cost.speed = Number(((before + measureSpeed()) / 2).toFixed(3));
    console.log(
      `${size.name} step ${step}: ${cost.cpuSeconds.toFixed(1)} CPU s, speed ${cost.speed}, ${cost.wallSeconds.toFixed(1)} s, ${cost.peakMb.toFixed(0)} MB, longest standstill ${cost.stillSeconds?.toFixed(1)} s`,
    );
    state.steps.push(cost);
    state.progress[step] = progress;
    await writeFile(notes, JSON.stringify(state));
  }
  const heaviest: Record<number, HeavyFunction[]> = {};
  for (const step of values.profiles ? STEP_NUMBERS : []) {
    heaviest[step] = await profileStep(step, request);
  }
  const quality = await readResult(results, "sample/quality");
  const { workingMicronsPerPixel } = await readResult(results, "sample/segmentation");
  const { widthPx, heightPx, micronsPerPixel } = await readResult(results, "sample/image");
  const megapixels = (widthPx * heightPx) / 1e6;
  return {
    commit: state.commit,
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0].model}, Node ${process.version}`,
    load: [state.load, loadavg()[0]],
    sample: {
      places: quality.nSpots,
      genes: quality.nGenes,
      umis: quality.totalCounts,
      cells: (await readResult(results, "cells/xy")).nRows,
      ...(await bytesOf(input)),
      megapixels,
      areaMm2: megapixels * micronsPerPixel ** 2,
    },
    steps: state.steps,
    rates,
    workingMegapixels: (megapixels * micronsPerPixel ** 2) / workingMicronsPerPixel ** 2,
    ...(values.profiles && { heaviest }),
  };
}

/** Writes the sample dataset's files in the layout of an upload. */
async function layDownSample(folder: string): Promise<void> {
  const files = await openSampleDataset(join(values.out, "sample-dataset")).files();
  await mkdir(folder);
  for (const path of files.values()) await copyFile(path, join(folder, basename(path)));
}

async function bytesOf(input: string): Promise<{ countsBytes: number; imageBytes: number }> {
  const bytes = { countsBytes: 0, imageBytes: 0 };
  for (const entry of await readdir(input, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size } = await stat(join(entry.parentPath, entry.name));
    bytes[/\.(tif|png|jpg)$/.test(entry.name) ? "imageBytes" : "countsBytes"] += size;
  }
  return bytes;
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}
