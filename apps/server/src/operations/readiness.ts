import type { ReadinessPart } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { migrations } from "../db/migrations/index.ts";
import { withTimeout } from "./with-timeout.ts";

/** Whether this process can take requests. */
export interface Readiness {
  /**
   * The parts that keep it from being ready; empty if it is ready. Checked on request, with the result cached for a
   * while.
   */
  failing(): Promise<ReadinessPart[]>;
  readonly isStopping: boolean;
  /** Marks the process as not ready because it is about to stop. */
  stop(): void;
  /** Whether it refuses all requests except probes. */
  readonly refusesWork: boolean;
  refuseWork(): void;
}

/** Checks that take longer have failed. */
const DATABASE_TIMEOUT_MS = 2_000;
export const STORAGE_TIMEOUT_MS = 5_000;
const DATABASE_GOOD_MS = 1_000;
/** Checking the storage writes and reads an object, so it is not done at every probe. */
const STORAGE_GOOD_MS = 30_000;
const STORAGE_BAD_MS = 2_000;

export function openReadiness(db: Db, checkStorage: () => Promise<void>): Readiness {
  const databaseParts = remembered(() => look(db), DATABASE_GOOD_MS, DATABASE_GOOD_MS);
  const storageParts = remembered(
    () =>
      withTimeout(STORAGE_TIMEOUT_MS, checkStorage()).then(
        (): ReadinessPart[] => [],
        (): ReadinessPart[] => ["storage"],
      ),
    STORAGE_GOOD_MS,
    STORAGE_BAD_MS,
  );
  let isStopping = false;
  let refusesWork = false;
  return {
    async failing() {
      return (await Promise.all([databaseParts(), storageParts()])).flat();
    },
    get isStopping() {
      return isStopping;
    },
    stop() {
      isStopping = true;
    },
    get refusesWork() {
      return refusesWork;
    },
    refuseWork() {
      refusesWork = true;
    },
  };
}

/** Migrations of a newer version are fine: during an upgrade, old and new processes run side by side. */
async function look(db: Db): Promise<ReadinessPart[]> {
  try {
    const { rows } = await withTimeout(
      DATABASE_TIMEOUT_MS,
      sql<{ name: string }>`select name from kysely_migration`.execute(db),
    );
    const done = new Set(rows.map(({ name }) => name));
    return Object.keys(migrations).every((name) => done.has(name)) ? [] : ["migrations"];
  } catch {
    return ["database"];
  }
}

/** Shares one check among simultaneous callers, and those shortly after. */
function remembered(
  ask: () => Promise<ReadinessPart[]>,
  goodMs: number,
  badMs: number,
): () => Promise<ReadinessPart[]> {
  let last: { answer: Promise<ReadinessPart[]>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.answer;
    const mine = { answer: ask(), until: Infinity };
    last = mine;
    void mine.answer.then((failing) => {
      mine.until = performance.now() + (failing.length === 0 ? goodMs : badMs);
    });
    return mine.answer;
  };
}
