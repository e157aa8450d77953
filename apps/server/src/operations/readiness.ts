import type { ReadinessPart } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { migrations } from "../db/migrations/index.ts";
import { within } from "./within.ts";

/** Whether this process can take requests. */
export interface Readiness {
  /** What keeps it from that; nothing when it is ready. Checked on request, but not again for each request. */
  failing(): Promise<ReadinessPart[]>;
  readonly isStopping: boolean;
  /** From now on it is not ready: it is about to stop. */
  stop(): void;
  /** Whether it takes no requests but those that ask how it is. */
  readonly refusesWork: boolean;
  refuseWork(): void;
}

/** Looks that take longer have failed. */
const DATABASE_PATIENCE_MS = 2_000;
export const STORAGE_PATIENCE_MS = 5_000;
const DATABASE_GOOD_MS = 1_000;
/** Looking at the storage writes and reads an object: not at every probe. */
const STORAGE_GOOD_MS = 30_000;
const STORAGE_BAD_MS = 2_000;

export function openReadiness(db: Db, checkStorage: () => Promise<void>): Readiness {
  const databaseParts = remembered(() => look(db), DATABASE_GOOD_MS, DATABASE_GOOD_MS);
  const storageParts = remembered(
    () =>
      within(STORAGE_PATIENCE_MS, checkStorage()).then(
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

/** What a newer version has added does no harm: during an upgrade old and new processes work side by side. */
async function look(db: Db): Promise<ReadinessPart[]> {
  try {
    const { rows } = await within(
      DATABASE_PATIENCE_MS,
      sql<{ name: string }>`select name from kysely_migration`.execute(db),
    );
    const done = new Set(rows.map(({ name }) => name));
    return Object.keys(migrations).every((name) => done.has(name)) ? [] : ["migrations"];
  } catch {
    return ["database"];
  }
}

/** One look for all who ask at a time, and for those who come a little later. */
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
