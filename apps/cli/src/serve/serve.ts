import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChildService } from "./child-service.ts";
import { makeWritable } from "@stipple/server/config";
import { untrustedProxyWarning } from "@stipple/server/http/untrusted-proxy-warning";
import { assertUnclaimed, claimDataDir } from "./instance-lock.ts";
import { operatorSecret, sandboxSecret, untilSandboxAnswers } from "./payment-sandbox.ts";
import { startPostgres } from "./postgres.ts";
import { closeToOthers, makeFolder, PRIVATE_UMASK } from "./private-files.ts";
import { freePort, isPortBlocked, localUrl, portFault } from "./ports.ts";
import { readSettings, ROOT, type ServeSettings } from "./settings.ts";
import { buildWebApp, compressWebApp } from "./web-build.ts";

const API = ["api", "apps/server/src/main-api.ts"] as const;
const WORKER = ["worker", "apps/server/src/main-worker.ts"] as const;
const SANDBOX = ["payment-sandbox", "apps/payment-sandbox/src/main.ts"] as const;

/** How long requests in progress, e.g. downloads, may take once the platform has been told to stop. */
const API_DRAIN_SECONDS = 30;
/** Ctrl-C should not wait for a step; the next start continues where this one stopped. */
const WORKER_DRAIN_SECONDS = 2;
/** Two signals closer than this are one key press: the terminal's and the one that npm or the launcher passes on. */
const SAME_PRESS_MS = 1_000;
/** In addition to the time that a service waits for its work. */
const STOP_TIMEOUT_MS = 15_000;

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
    const { outbox } = await start({
      settings,
      stack,
      services,
      stopping: () => stopping,
      fail,
    });
    if (stopping) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(banner(settings, seconds, outbox));
  } catch (error) {
    if (stopping) return;
    console.error((error as Error).message);
    await end(1);
  }
}

/** A platform that is being started. */
interface Starting {
  settings: ServeSettings;
  stack: Stack;
  services: Set<ChildService>;
  /** The environment of all services. */
  common: NodeJS.ProcessEnv;
  stopping: () => boolean;
  /** For failures while the platform is running. */
  fail: (sentence: string) => void;
}

async function start(platform: Omit<Starting, "common">): Promise<{ outbox: string | null }> {
  const { settings, stack, stopping } = platform;
  const { port, host, dataDir, publicUrl, environment } = settings;
  await claim(settings, stack);
  console.log("Starting Stipple …");
  const notice = untrustedProxyWarning({ publicUrl, port, trustProxy: settings.trustProxy });
  if (notice) console.log(notice);
  const build = buildWebApp();
  // A failure is reported when the build is awaited below.
  build.catch(() => undefined);
  const common: NodeJS.ProcessEnv = {
    ...environment,
    PORT: `${port}`,
    HOST: host,
    DATABASE_URL: settings.databaseUrl || (await startDatabase(platform)),
    STIPPLE_DATA_DIR: dataDir,
    STIPPLE_PUBLIC_URL: publicUrl,
  };
  const starting = { ...platform, common };
  const outbox = settings.payments === "sandbox" ? await startSandbox(starting) : null;
  await build;
  if (stopping()) return { outbox };
  await startApiAndWorker(starting);
  if (!stopping()) stack.add(await compressWebApp());
  return { outbox };
}

/** Takes port and data folder, or throws with the reason; a refused start leaves nothing behind. */
async function claim({ port, host, dataDir, publicUrl }: ServeSettings, stack: Stack) {
  assertUnclaimed(dataDir);
  const fault = await portFault(port, host);
  if (fault === "EADDRINUSE") {
    throw new Error(
      `Port ${port} is in use by another program: stop it, or choose another port, e.g. PORT=${port + 1} npm start.`,
    );
  }
  if (fault !== null) {
    throw new Error(
      `Port ${port} of ${host} cannot be opened (${fault}): set HOST to an address of this machine, and PORT to a port that this account may open, e.g. 3000.`,
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
}

async function startDatabase({ settings, stack }: Omit<Starting, "common">): Promise<string> {
  const postgres = await startPostgres({
    dataDir: settings.dataDir,
    throwaway: settings.environment["STIPPLE_THROWAWAY_DATABASE"] === "1",
    logFiles: settings.logFiles,
    onRestart: (why) => console.log(`The database exited (${why}) and is being restarted.`),
  });
  stack.add(() => postgres.stop());
  return postgres.url;
}

async function startService(
  { settings, services, common, fail }: Starting,
  [name, entry]: readonly [string, string],
  waitsSeconds: number,
  extra: NodeJS.ProcessEnv = {},
  onRestart: () => void = () => undefined,
): Promise<ChildService> {
  const service = await ChildService.start({
    name,
    entry: join(ROOT, entry),
    dataDir: settings.dataDir,
    logFiles: settings.logFiles,
    stopTimeoutMs: (waitsSeconds + settings.stopDelaySeconds) * 1000 + STOP_TIMEOUT_MS,
    environment: { ...common, STIPPLE_DRAIN_SECONDS: `${waitsSeconds}`, ...extra },
    onRestart: (why) => {
      onRestart();
      console.log(`The ${name} exited (${why}) and is being restarted.`);
    },
    onRefused: fail,
  });
  services.add(service);
  return service;
}

/** Starts the payment sandbox, and lets the other services know. Returns the address of its outbox if it holds mails. */
async function startSandbox(platform: Starting): Promise<string | null> {
  const { settings, stack, common } = platform;
  const { port, host, dataDir, environment } = settings;
  const sandboxPort = await freePort(port + 1);
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  const operator = environment["STIPPLE_OPERATOR_SECRET"] || (await operatorSecret(dataDir));
  const secret = await sandboxSecret(dataDir);
  Object.assign(common, {
    STIPPLE_PAYMENT_SANDBOX_URL: sandboxUrl,
    STRIPE_SECRET_KEY: `sk_test_${secret}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${secret}`,
  });
  const ended = new AbortController();
  const extra = {
    PORT: `${sandboxPort}`,
    STIPPLE_OPERATOR_SECRET: operator,
    STIPPLE_WEBHOOK_URL: `${localUrl(host, port)}/api/stripe-webhook`,
  };
  const sandbox = await startService(platform, SANDBOX, 0, extra, () => ended.abort());
  stack.add(() => sandbox.stop());
  await untilSandboxAnswers(sandboxUrl, dataDir, ended.signal);
  // It opens without asking for the secret.
  const link = `${sandboxUrl}/outbox?secret=${encodeURIComponent(operator)}`;
  return environment["SMTP_URL"] ? null : link;
}

async function startApiAndWorker(platform: Starting): Promise<void> {
  const { settings, stack, stopping } = platform;
  const { port, host, environment, metricsPort } = settings;
  const health = `${localUrl(host, port)}/api/health`;
  const drainSeconds = (otherwise: number): number =>
    Number(environment["STIPPLE_DRAIN_SECONDS"] || otherwise);
  // API and worker stop at the same time; the API immediately reports that it is not ready.
  const together = [await startService(platform, API, drainSeconds(API_DRAIN_SECONDS))];
  stack.add(async () => {
    await Promise.all(together.map((service) => service.stop()));
  });
  await untilHealthy(health, 1, stopping);
  // The worker starts after the API, which has migrated the database.
  const extra = metricsPort === undefined ? {} : { STIPPLE_METRICS_PORT: `${metricsPort + 1}` };
  const drain = drainSeconds(WORKER_DRAIN_SECONDS);
  together.push(await startService(platform, WORKER, drain, extra));
  await untilHealthy(health, 2, stopping);
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
