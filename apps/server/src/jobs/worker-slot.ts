import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A worker's stable name, held by one process at a time for as long as its connection lives. */
export interface WorkerSlot extends AsyncDisposable {
  name: string;
}

const SLOT_LOCKS = 7_203_116;
const MOST_SLOTS = 1_000;
const PATIENCE_MS = 30_000;

/**
 * Takes a slot: the wanted one, waiting a while for a predecessor to let go, or else the first free of 0, 1, ….
 * The database frees a slot when its process ends, however it ends; who takes the slot next goes on with its runs.
 * `onLost` is called when the connection breaks and another process could take the slot.
 */
export async function takeSlot(
  databaseUrl: string,
  wanted: string | undefined,
  onLost: (cause: Error) => void,
): Promise<WorkerSlot> {
  const client = await connect(databaseUrl);
  const held = (name: string): WorkerSlot => {
    client.on("error", onLost);
    return { name, [Symbol.asyncDispose]: () => client.end() };
  };
  if (wanted === undefined) {
    for (let number = 0; number < MOST_SLOTS; number++) {
      if (await tryTake(client, `${number}`)) return held(`${number}`);
    }
  } else {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 200) {
      if (await tryTake(client, wanted)) return held(wanted);
      await sleep(200);
    }
  }
  await client.end();
  throw new Error(`The worker slot ${wanted ?? ""} is held by another process.`);
}

/** Takes a slot if nobody holds it; null otherwise. */
export async function takeFreeSlot(databaseUrl: string, name: string): Promise<WorkerSlot | null> {
  const client = await connect(databaseUrl);
  if (await tryTake(client, name)) return { name, [Symbol.asyncDispose]: () => client.end() };
  await client.end();
  return null;
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  await client.connect();
  return client;
}

async function tryTake(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_lock($1, hashtext($2)) as taken",
    [SLOT_LOCKS, name],
  );
  return rows[0]?.taken === true;
}
