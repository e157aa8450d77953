import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChildService } from "./child-service.ts";
import { makeWritable } from "@stipple/server/config";
import { limitsBehindProxy } from "@stipple/server/http/limits-behind-proxy";
import { assertUnclaimed, claimDataDir } from "./instance-lock.ts";
import { operatorSecret, sandboxSecret, untilSandboxAnswers } from "./payment-sandbox.ts";
import { startPostgres } from "./postgres.ts";
import { closeToOthers, makeFolder, PRIVATE_UMASK } from "./private-files.ts";
import { freePort, isPortBlocked, isPortFree } from "./ports.ts";
import { readSettings, ROOT, type ServeSettings } from "./settings.ts";
import { buildWebApp, compressWebApp } from "./web-build.ts";

const API = "apps/server/src/main-api.ts";
const WORKER = "apps/server/src/main-worker.ts";
const SANDBOX = "apps/payment-sandbox/src/main.ts";

/** How long requests in progress, e.g. downloads, may take once the platform has been told to stop. */
const API_DRAIN_SECONDS = 30;
/** Ctrl-C should not wait for a step; the next start continues where this one stopped. */
const WORKER_DRAIN_SECONDS = 2;
/** Two signals closer than this are one key press: the terminal's and the one that npm or the launcher passes on. */
const SAME_PRESS_MS = 1_000;
/** In addition to the time that a service waits for its work. */
const STOP_PATIENCE_MS = 15_000;

/** Things to undo at the end, last started first. */
class Stack {
  readonly #undo: (() => Promise<void>)[] = [];
  add(undo: () => Promise<void>): void {
    this.#undo.push(undo);
  }
  async unwind(): Promise<void> {
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) await undo();
  }
}

/** Runs the whole platform until Ctrl-C: database, payment sandbox, API, worker, built pages. */
export async function serve(): Promise<void> {
  const started = performance.now();
  process.umask(PRIVATE_UMASK);
  const stack = new Stack();
  const services = new Set<ChildService>();
  let stopping = false;
  let stoppedAt = 0;
  const end = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stack.unwind();
    process.exit(code);
  };
  const stop = (): void => {
    if (!stopping) {
      stoppedAt = performance.now();
      console.log(
        "\nStopping once downloads and uploads finish. Press Ctrl-C again to stop immediately.",
      );
    } else if (performance.now() - stoppedAt > SAME_PRESS_MS) {
      for (const service of services) service.kill();
    }
    void end(0);
  };
  /** For failures while the platform is running. */
  const fail = (sentence: string): void => {
    if (stopping) return;
    console.error(sentence);
    void end(1);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);

  try {
    const settings = readSettings();
    const { outbox } = await start(settings, stack, services, () => stopping, fail);
    if (stopping) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(banner(settings, seconds, outbox));
  } catch (error) {
    if (stopping) return;
    console.error((error as Error).message);
    await end(1);
  }
}

async function start(
  settings: ServeSettings,
  stack: Stack,
  services: Set<ChildService>,
  stopping: () => boolean,
  fail: (sentence: string) => void,
): Promise<{ outbox: string | null }> {
  const { port, host, dataDir, publicUrl, environment } = settings;
  // A refused start leaves nothing behind.
  assertUnclaimed(dataDir);
  if (!(await isPortFree(port, host))) {
    throw new Error(
      `Port ${port} is in use by another program: stop it, or choose another port, e.g. PORT=${port + 1} npm start.`,
    );
  }
  if (await isPortBlocked(port)) {
    throw new Error(
      `Browsers block port ${port}, which is reserved for another service: choose another port, e.g. PORT=3000 npm start.`,
    );
  }
  // The next line reports why the folder cannot be created.
  await makeFolder(dataDir).catch(() => undefined);
  makeWritable(dataDir);
  const lock = await claimDataDir(dataDir, publicUrl);
  stack.add(() => lock.release());
  await closeToOthers(dataDir);
  console.log("Starting Stipple …");
  const notice = limitsBehindProxy({ publicUrl, port, trustProxy: settings.trustProxy });
  if (notice) console.log(notice);
  const build = buildWebApp();
  // A failure is reported when the build is awaited below.
  build.catch(() => undefined);

  let databaseUrl = settings.databaseUrl;
  if (!databaseUrl) {
    const postgres = await startPostgres({
      dataDir,
      throwaway: environment["STIPPLE_THROWAWAY_DATABASE"] === "1",
      logFiles: settings.logFiles,
      onRestart: (why) => console.log(`The database exited (${why}) and is being restarted.`),
      onGivenUp: (error) => fail(`The database cannot be restarted: ${error.message}`),
    });
    stack.add(() => postgres.stop());
    databaseUrl = postgres.url;
  }
  const common: NodeJS.ProcessEnv = {
    ...environment,
    PORT: `${port}`,
    HOST: host,
    DATABASE_URL: databaseUrl,
    STIPPLE_DATA_DIR: dataDir,
    STIPPLE_PUBLIC_URL: publicUrl,
  };
  const drainSeconds = (otherwise: number): number =>
    Number(environment["STIPPLE_DRAIN_SECONDS"] || otherwise);
  const sandboxEnded = new AbortController();
  const run = async (
    name: string,
    entry: string,
    waitsSeconds: number,
    extra: NodeJS.ProcessEnv = {},
  ): Promise<ChildService> => {
    const service = await ChildService.start({
      name,
      entry: join(ROOT, entry),
      dataDir,
      logFiles: settings.logFiles,
      stopPatienceMs: (waitsSeconds + settings.stopDelaySeconds) * 1000 + STOP_PATIENCE_MS,
      environment: { ...common, STIPPLE_DRAIN_SECONDS: `${waitsSeconds}`, ...extra },
      onRestart: (who, why) => {
        if (who === "payment-sandbox") sandboxEnded.abort();
        console.log(`The ${who} exited (${why}) and is being restarted.`);
      },
      onRefused: (_who, why) => fail(why),
    });
    services.add(service);
    return service;
  };

  let outbox: string | null = null;
  if (settings.payments === "sandbox") {
    const sandboxPort = await freePort(port + 1);
    const sandboxUrl = `http://localhost:${sandboxPort}`;
    const operator = environment["STIPPLE_OPERATOR_SECRET"] || (await operatorSecret(dataDir));
    // It opens without asking for the secret.
    const link = `${sandboxUrl}/outbox?secret=${encodeURIComponent(operator)}`;
    outbox = environment["SMTP_URL"] ? null : link;
    const secret = await sandboxSecret(dataDir);
    Object.assign(common, {
      STIPPLE_PAYMENT_SANDBOX_URL: sandboxUrl,
      STRIPE_SECRET_KEY: `sk_test_${secret}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${secret}`,
    });
    const sandbox = await run("payment-sandbox", SANDBOX, 0, {
      PORT: `${sandboxPort}`,
      STIPPLE_OPERATOR_SECRET: operator,
      STIPPLE_WEBHOOK_URL: `http://localhost:${port}/api/stripe-webhook`,
    });
    stack.add(() => sandbox.stop());
    await untilSandboxAnswers(sandboxUrl, dataDir, sandboxEnded.signal);
  }
  await build;
  if (stopping()) return { outbox };
  // API and worker stop at the same time; the API immediately reports that it is not ready.
  const together = [await run("api", API, drainSeconds(API_DRAIN_SECONDS))];
  stack.add(async () => {
    await Promise.all(together.map((service) => service.stop()));
  });
  await untilHealthy(`http://${host}:${port}/api/health`, 1, stopping);
  // The worker starts after the API, which has migrated the database.
  const { metricsPort } = settings;
  const worker = await run(
    "worker",
    WORKER,
    drainSeconds(WORKER_DRAIN_SECONDS),
    metricsPort === undefined ? {} : { STIPPLE_METRICS_PORT: `${metricsPort + 1}` },
  );
  together.push(worker);
  await untilHealthy(`http://${host}:${port}/api/health`, 2, stopping);
  if (!stopping()) stack.add(await compressWebApp());
  return { outbox };
}

/** Waits for the API (stage 1) and then for a worker (stage 2). */
async function untilHealthy(url: string, stage: 1 | 2, stopping: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000 && !stopping(); waitedMs += 100) {
    const health = await fetch(url)
      .then((answer) => answer.json() as Promise<{ database: boolean; workers: number }>)
      .catch(() => undefined);
    if (health?.database && (stage === 1 || health.workers > 0)) return;
    await sleep(100);
  }
  if (!stopping()) {
    throw new Error(
      `The ${stage === 1 ? "API" : "worker"} did not start within a minute: see the logs in the data folder.`,
    );
  }
}

const PAYMENTS = {
  stripe: "Stripe",
  sandbox: "sandbox (no card is charged; the checkout page lists test cards)",
  none: "not configured: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to sell plans, or STIPPLE_PAYMENT_SANDBOX=true to try them out on this machine",
};

function banner(
  { publicUrl, dataDir, payments }: ServeSettings,
  seconds: string,
  outbox: string | null,
): string {
  return [
    "",
    `  Stipple is running at ${publicUrl}  (started in ${seconds} s)`,
    "",
    `  Next: open this address, create an account and choose "Try the sample dataset".`,
    `  Data and logs: ${dataDir}`,
    `  Payments: ${PAYMENTS[payments]}`,
    // This link gives access to accounts: it is for the operator only.
    ...(outbox ? [`  Emails (for the operator only): ${outbox}`] : []),
    "  Press Ctrl-C to stop everything. Your data is kept for the next start.",
    "",
  ].join("\n");
}
