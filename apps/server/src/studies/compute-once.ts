import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Findings } from "./findings.ts";
import type { KeptFinding } from "./messages.ts";

/** How often a process that computes says that it is alive, and how long its word holds. */
const BEAT_MS = 10_000;
const HELD_SECONDS = 40;
const POLL_MS = 1_000;
type Making = readonly [studyId: string, key: string];

const held = sql<Date>`now() + make_interval(secs => ${HELD_SECONDS})`;

/**
 * Lets one process at a time compute what is kept by a key: `make` is called unless another one has kept it, for which this
 * one waits without a connection. If that one fails or ends, this one calls it.
 */
export async function computeOnce(
  { db, kept }: { db: Db; kept: Pick<Findings, "read"> },
  making: Making,
  make: () => Promise<KeptFinding>,
): Promise<KeptFinding> {
  while (!(await claim(db, making))) {
    await delay(POLL_MS);
    const there = await kept.read(...making);
    if (there) return there;
  }
  const beat = setInterval(() => void hold(db, making).catch(() => undefined), BEAT_MS);
  try {
    // It may have been made between the last look and the claim.
    return (await kept.read(...making)) ?? (await make());
  } finally {
    clearInterval(beat);
    await release(db, making).catch(() => undefined);
  }
}

async function claim(db: Db, [studyId, key]: Making): Promise<boolean> {
  const taken = await db
    .insertInto("study_makings")
    .values({ study_id: studyId, key, held_until: held })
    .onConflict((conflict) =>
      conflict
        .columns(["study_id", "key"])
        .doUpdateSet({ held_until: held })
        .where("study_makings.held_until", "<", sql<Date>`now()`),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}

async function hold(db: Db, [studyId, key]: Making): Promise<void> {
  await db
    .updateTable("study_makings")
    .set({ held_until: held })
    .where("study_id", "=", studyId)
    .where("key", "=", key)
    .execute();
}

async function release(db: Db, [studyId, key]: Making): Promise<void> {
  await db
    .deleteFrom("study_makings")
    .where("study_id", "=", studyId)
    .where("key", "=", key)
    .execute();
}
