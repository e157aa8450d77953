import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { Random } from "@stipple/numerics/random";
import { simulateTissue } from "@stipple/tissue";
import { readConfig } from "../../apps/server/src/config.ts";
import { openSampleDataset } from "../../apps/server/src/sample/sample-dataset.ts";
import { ask, insist } from "./client.ts";
import { disturbancesOn, type Disturbance } from "./disturbances.ts";
import { openFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";
import { findFaults, resultsOf, type Look } from "./invariants.ts";
import { Installation, type SmallDisk } from "./installation.ts";
import { buyer, note, runner, uploader, type Scene } from "./people.ts";
import { emptyWorld, Gate, type World } from "./world.ts";

export interface ChaosOptions {
  /** The platform's data folder. */
  dataDir: string;
  seed: number;
  rounds: number;
  /** No round starts after this many minutes. */
  minutes?: number;
  /** Longest time between disturbances; default 3 s. */
  betweenSeconds?: number;
  /** Names of disturbances; default: all possible ones. */
  only?: readonly string[];
  disk?: SmallDisk | null;
  /** An S3 server instead of the folder. */
  s3?: { endpoint: string; environment: NodeJS.ProcessEnv } | null;
  tell?: (line: string) => void;
}

export interface ChaosReport {
  /** Rounds by disturbance. */
  rounds: Record<string, number>;
  faults: string[];
  /** Number of acknowledged operations by kind. */
  done: Record<string, number>;
  /** Time from a disturbance until everything responds again; milliseconds, sorted. */
  recoveryMs: number[];
  runs: { completed: number; failed: number; cancelled: number };
}

/** Time limit for the runs remaining at the end. */
const LAST_RUNS_MS = 900_000;
/** Time limit for retrying a call until it is answered. */
const TIMEOUT_MS = 120_000;

/** Disturbs a real platform round by round while users work; after each round, everything acknowledged must hold. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { dataDir, seed, betweenSeconds = 3, tell = () => undefined } = options;
  const random = new Random(seed);
  await smallSample(dataDir);
  const parts = new AsyncDisposableStack();
  try {
    const { proxy, environment } = await storageFor(options, parts, random);
    const installation = await Installation.start(dataDir, environment);
    parts.defer(() => installation.stop());
    const { storage } = readConfig({
      ...options.s3?.environment,
      DATABASE_URL: "postgres://looked-up-each-time",
      STIPPLE_DATA_DIR: dataDir,
    });
    const world = emptyWorld();
    const reference = await undisturbed(installation);
    tell(`The undisturbed run has made ${reference.size} files that must always be the same.`);

    const gate = new Gate();
    const image = await largeImage();
    const scene: Scene = {
      url: installation.url,
      world,
      gate,
      random: new Random(seed + 1),
      image,
    };
    const people = [uploader(scene), buyer(scene), runner(scene, reference)];
    const living = people.map(async (act) => {
      while (!gate.isOver) {
        await gate.act(act);
        await sleep(100);
      }
    });
    const disturbances = disturbancesOn({
      installation,
      random,
      disk: options.disk ?? null,
      storage: proxy,
      forward: (days) => forward(installation, world, days),
    }).filter(({ name }) => options.only?.includes(name) ?? true);
    const mayFail = new Set(
      disturbances.filter(({ mayFailRuns }) => mayFailRuns).map(({ name }) => name),
    );
    const look: Look = { installation, world, storage, reference, mayFail };
    const report: ChaosReport = {
      rounds: {},
      faults: [],
      done: world.done,
      recoveryMs: [],
      runs: { completed: 0, failed: 0, cancelled: 0 },
    };
    const end = performance.now() + (options.minutes ?? Infinity) * 60_000;
    // Wait until everybody is at work before the first disturbance.
    gate.open();
    while (world.runs.length === 0 || !world.done["chunks"] || !world.done["payments"]) {
      await sleep(200);
    }
    let order: Disturbance[] = [];
    for (let round = 1; round <= options.rounds && performance.now() < end; round++) {
      // Apply all disturbances equally often, in random order.
      if (order.length === 0) order = shuffled(disturbances, random);
      const disturbance = order.pop()!;
      const faults = await oneRound(disturbance, { look, gate, random, report, betweenSeconds });
      if (faults === null) continue;
      for (const fault of faults)
        report.faults.push(`round ${round}, ${disturbance.name}: ${fault}`);
      tell(
        `round ${round}: ${disturbance.name}: back after ${Math.round(report.recoveryMs.at(-1)!)} ms${faults.map((fault) => `\n  FAULT ${fault}`).join("")}`,
      );
    }
    gate.end();
    await Promise.all(living);
    report.faults.push(...(await lastRuns(look)));
    report.faults.push(...(await findFaults(look)));
    for (const { outcome } of world.runs) {
      if (outcome !== "under way") report.runs[outcome]++;
    }
    report.recoveryMs.sort((a, b) => a - b);
    return report;
  } finally {
    await parts.disposeAsync();
  }
}

interface RoundSurroundings {
  look: Look;
  gate: Gate;
  random: Random;
  report: ChaosReport;
  betweenSeconds: number;
}

/** Disturbs at a random moment, waits until the platform is healthy, and checks. Null if nothing was disturbed. */
async function oneRound(
  disturbance: Disturbance,
  { look, gate, random, report, betweenSeconds }: RoundSurroundings,
): Promise<string[] | null> {
  gate.open();
  await sleep(200 + random.uniform() * 1_000 * betweenSeconds);
  const { runs } = look.world;
  // Includes runs that end or start during the disturbance.
  const met = new Set(runs.filter(({ outcome }) => outcome === "under way"));
  const before = runs.length;
  const isApplied = (await disturbance.apply()) !== null;
  for (const run of runs.slice(before)) met.add(run);
  if (isApplied) for (const run of met) run.met.push(disturbance.name);
  const began = performance.now();
  await look.installation.untilWell();
  const recovered = performance.now() - began;
  await gate.close();
  if (!isApplied) return null;
  report.recoveryMs.push(recovered);
  report.rounds[disturbance.name] = (report.rounds[disturbance.name] ?? 0) + 1;
  return findFaults(look);
}

/** Puts a smaller tissue in place of the sample dataset. */
async function smallSample(dataDir: string): Promise<void> {
  const { folder } = openSampleDataset(join(dataDir, "sample"));
  mkdirSync(folder, { recursive: true });
  await simulateTissue({ out: folder, seed: 5, sizeUm: 300, nGenes: 200 });
}

async function storageFor(
  { s3 }: ChaosOptions,
  parts: AsyncDisposableStack,
  random: Random,
): Promise<{ proxy: FaultyProxy | null; environment: NodeJS.ProcessEnv }> {
  if (!s3) return { proxy: null, environment: {} };
  const proxy = parts.use(await openFaultyProxy(s3.endpoint, random));
  return { proxy, environment: { ...s3.environment, STIPPLE_S3_ENDPOINT: proxy.url } };
}

/** The files of an undisturbed run. */
async function undisturbed(installation: Installation): Promise<Map<string, string>> {
  const { url } = installation;
  const body = { email: "reference@example.org", password: "secret1", confirmPassword: "secret1" };
  await ask(url, "POST", "/register", undefined, body);
  const login = await ask(url, "POST", "/login", undefined, body);
  const token = login!.json.token as string;
  const made = await ask(url, "POST", "/create_sample_project", token);
  const project = made!.json.project_id as string;
  await ask(url, "POST", "/run_workflow", token, { project_id: project, start_step: 0 });
  for (;;) {
    const status = await ask(url, "GET", `/status?project_id=${project}`, token);
    if (status?.json.status === "completed") break;
    if (status?.json.status === "failed") throw new Error(status.json.error as string);
    await sleep(300);
  }
  return resultsOf((await installation.databaseUrl())!, project);
}

/** Moves the payment clock like the button on its page. */
async function forward(installation: Installation, world: World, days: number): Promise<void> {
  const { url } = installation;
  const login = { email: `clock-${Date.now()}@example.org`, password: "secret1" };
  const account = { ...login, confirmPassword: login.password };
  const isLate = after(TIMEOUT_MS);
  await insist(isLate, () => ask(url, "POST", "/register", undefined, account));
  const token = await insist(isLate, () => ask(url, "POST", "/login", undefined, login));
  const opened = await insist(isLate, () =>
    ask(url, "POST", "/create-checkout-session", token?.json?.token, { plan: "Basic Tier" }),
  );
  const checkout = opened?.json?.url as string | undefined;
  if (checkout === undefined) {
    world.faults.push(
      `no checkout to move the clock at: ${opened?.bytes.toString() ?? "no answer"}`,
    );
    return;
  }
  const answer = await fetch(new URL("/clock", checkout), {
    method: "POST",
    body: new URLSearchParams({ days: `${days}` }),
    redirect: "manual",
  });
  if (answer.status !== 303) world.faults.push(`the clock cannot be moved: ${answer.status}`);
}

/** Checks that every run finishes. */
async function lastRuns({ installation, world }: Look): Promise<string[]> {
  const faults: string[] = [];
  const end = Date.now() + LAST_RUNS_MS;
  for (const run of world.runs.filter(({ outcome }) => outcome === "under way")) {
    for (;;) {
      const status = await ask(
        installation.url,
        "GET",
        `/status?project_id=${run.project}`,
        run.token,
      );
      if (status?.status === 200) note(run, status);
      if (["completed", "failed", "created"].includes(status?.json?.status as string)) break;
      if (Date.now() > end) {
        faults.push(`the run of ${run.project} does not end: ${run.seen}`);
        break;
      }
      await sleep(500);
    }
  }
  return faults;
}

/** About 22 MB of colored noise: three chunks. */
async function largeImage(): Promise<Buffer> {
  const raw = { width: 2000, height: 3670, channels: 3 as const };
  const pixels = Buffer.alloc(raw.width * raw.height * raw.channels);
  const random = new Random(3);
  for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32LE(random.uint32(), at);
  return sharp(pixels, { raw }).tiff({ compression: "none" }).toBuffer();
}

function after(ms: number): () => boolean {
  const end = Date.now() + ms;
  return () => Date.now() > end;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]);
}
