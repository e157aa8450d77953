import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { checkStored } from "../../apps/server/src/outputs/check.ts";
import { openStorage, type StorageSettings } from "../../apps/server/src/storage/open-storage.ts";
import { ask, isTrouble, type Answer } from "./client.ts";
import type { Installation } from "./installation.ts";
import { note } from "./people.ts";
import type { KnownRun, World } from "./world.ts";

/** Files that contain times or durations, or checksums of such files. */
const TIMED =
  /(^|\/)(step\.json|provenance\.json|report\.html|step7_output\/summary\.json|.*\.h5ad)$/;
/** How long a run may make no progress while the platform is healthy, on a busy machine. */
const STUCK_MS = 600_000;
/** How long a payment notification may take. */
const NEWS_MS = 90_000;

export interface Look {
  installation: Installation;
  world: World;
  storage: StorageSettings;
  reference: ReadonlyMap<string, string>;
  /** Disturbances that excuse a failed run. */
  mayFail: ReadonlySet<string>;
}

/** A run's files that must be identical no matter how it went, with their hashes. */
export async function resultsOf(url: string, project: string): Promise<Map<string, string>> {
  const rows = await query<{ path: string; sha256: string }>(
    url,
    "select path, sha256 from step_files where project_id = $1 order by path",
    [project],
  );
  return new Map(
    rows.filter(({ path }) => !TIMED.test(path)).map(({ path, sha256 }) => [path, sha256]),
  );
}

/** Every acknowledged fact that does not hold, checked while nobody acts and the platform is healthy. */
export async function findFaults(look: Look): Promise<string[]> {
  const { installation, world } = look;
  const databaseUrl = await installation.databaseUrl();
  if (!databaseUrl) return ["there is no database"];
  const faults = [
    ...world.faults.splice(0),
    ...(await projectFaults(look)),
    ...(await paymentFaults(look, databaseUrl)),
    ...(await runFaults(look, databaseUrl)),
    ...(await storageFaults(look, databaseUrl)),
  ];
  return faults;
}

/** What was acknowledged exists; what was deleted does not. */
async function projectFaults({ installation, world }: Look): Promise<string[]> {
  const { url } = installation;
  const faults: string[] = [];
  // Only the newest accounts: older ones have been checked many times.
  for (const { token, email } of world.accounts.slice(-6)) {
    const listed = await patiently(() => ask(url, "GET", "/projects", token));
    if (listed?.status !== 200) {
      faults.push(`projects of ${email}: ${listed?.status ?? "no answer"}`);
      continue;
    }
    const ids = new Set((listed.json as { id: string }[]).map(({ id }) => id));
    for (const [id, known] of world.projects) {
      if (known.token === token && !known.isLeaving && !ids.has(id)) {
        faults.push(`project ${id} is lost`);
      }
    }
    for (const [id, owner] of world.deleted) {
      if (owner === token && ids.has(id)) faults.push(`project ${id} is there after its deletion`);
    }
  }
  for (const [id, known] of [...world.projects].slice(-6)) {
    if (known.chunks.size === 0 || known.isLeaving) continue;
    const path = `/upload/he_image/chunks?project_id=${id}`;
    const answer = await patiently(() => ask(url, "GET", path, known.token));
    if (answer?.status !== 200) {
      faults.push(`chunks of ${id}: ${answer?.status ?? "no answer"}`);
      continue;
    }
    const { received, sha256, complete } = answer.json as {
      received: number[];
      sha256: string[];
      complete: boolean;
    };
    for (const [index, digest] of known.chunks) {
      if (sha256[received.indexOf(index)] !== digest) {
        faults.push(`chunk ${index} of ${id}, which was acknowledged, is lost`);
      }
    }
    if (known.isWhole && !complete) faults.push(`the file of ${id}, which was whole, is not`);
  }
  return faults;
}

interface SandboxState {
  sessions: Record<string, { payment_status: string }>;
  charges: Record<string, { session: string }>;
}

/** Every payment is charged once and yields exactly one purchase. */
async function paymentFaults(
  { installation, world }: Look,
  databaseUrl: string,
): Promise<string[]> {
  const file = join(installation.dataDir, "payment-sandbox.json");
  const state = JSON.parse(readFileSync(file, "utf8")) as SandboxState;
  const faults: string[] = [];
  const charges = Map.groupBy(Object.values(state.charges), ({ session }) => session);
  const paid = Object.entries(state.sessions).filter(
    ([, session]) => session.payment_status === "paid",
  );
  for (const [id] of paid) {
    const times = charges.get(id)?.length ?? 0;
    if (times !== 1) faults.push(`checkout ${id} was charged ${times} times`);
  }
  for (const id of charges.keys()) {
    if (state.sessions[id]?.payment_status !== "paid") faults.push(`${id}, charged, is not paid`);
  }
  for (const id of world.paid) {
    if (state.sessions[id]?.payment_status !== "paid") {
      faults.push(`the payment of ${id}, which was acknowledged, is lost`);
    }
  }
  // The notification may still be on its way.
  for (const end = Date.now() + NEWS_MS; ; await sleep(500)) {
    const purchases = await query<{ id: string; times: number }>(
      databaseUrl,
      "select id, count(*)::int as times from purchases group by id",
    );
    const payments = await query<{ id: string }>(
      databaseUrl,
      "select id from payments where status = 'succeeded'",
    );
    const bought = new Map(purchases.map(({ id, times }) => [id, times]));
    const open = paid.filter(([id]) => bought.get(id) !== 1);
    const isSettled = open.length === 0 && payments.length === paid.length;
    if (!isSettled && Date.now() < end) continue;
    for (const [id] of open) faults.push(`checkout ${id} is ${bought.get(id) ?? 0} purchases`);
    for (const id of bought.keys()) {
      if (!paid.some(([each]) => each === id)) faults.push(`${id} was bought without a payment`);
    }
    if (payments.length !== paid.length) {
      faults.push(`${paid.length} paid checkouts are ${payments.length} payments in the books`);
    }
    return faults;
  }
}

/** No run is stuck, none fails without a reason, and completed runs match the undisturbed one. */
async function runFaults(
  { installation, world, reference, mayFail }: Look,
  databaseUrl: string,
): Promise<string[]> {
  const faults: string[] = [];
  for (const run of world.runs.slice(-8)) {
    const status = await patiently(() =>
      ask(installation.url, "GET", `/status?project_id=${run.project}`, run.token),
    );
    if (status?.status !== 200) {
      faults.push(`status of ${run.project}: ${status?.status ?? "no answer"}`);
      continue;
    }
    const before = run.outcome;
    if (before === "under way") note(run, status);
    if (run.outcome === "under way" && Date.now() - run.movedAt > STUCK_MS) {
      faults.push(`the run of ${run.project} stands still at ${run.seen}`);
      run.movedAt = Date.now();
    }
    if (run.outcome === "failed" && before !== "failed" && !isExcused(run, mayFail)) {
      faults.push(`the run of ${run.project} has failed after ${run.met.join(", ")}: ${run.error}`);
    }
    if (run.outcome === "completed") {
      const difference = differenceOf(reference, await resultsOf(databaseUrl, run.project));
      if (difference) faults.push(`the results of ${run.project} differ: ${difference}`);
    }
  }
  return faults;
}

/** A step killed from outside is retried twice. */
function isExcused(run: KnownRun, mayFail: ReadonlySet<string>): boolean {
  return (
    run.met.some((name) => mayFail.has(name)) ||
    run.met.filter((name) => name === "kill step").length > 2
  );
}

export function differenceOf(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string | null {
  for (const [path, digest] of expected) {
    if (found.get(path) !== digest) return `${path} is ${found.has(path) ? "another" : "missing"}`;
  }
  const more = [...found.keys()].find((path) => !expected.has(path));
  return more === undefined ? null : `${more} is one too many`;
}

/** Every file referenced by the database is stored completely. */
async function storageFaults({ storage: settings }: Look, databaseUrl: string): Promise<string[]> {
  const storage = await openStorage(settings);
  await using database = openDatabase(databaseUrl, 1);
  try {
    const { missing, damaged } = await checkStored(database.db, storage, { deep: true });
    return [
      ...missing.map(({ key }) => `the object ${key} is missing`),
      ...damaged.map(({ key, why }) => `the object ${key}: ${why}`),
    ];
  } finally {
    storage.close();
  }
}

/** Retries: on a healthy platform, trouble passes within moments. */
async function patiently(work: () => Promise<Answer | null>): Promise<Answer | null> {
  let answer = await work();
  for (let tries = 0; isTrouble(answer) && tries < 20; tries++) {
    await sleep(500);
    answer = await work();
  }
  return answer;
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      if (tries > 20) throw error;
      await sleep(500);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
