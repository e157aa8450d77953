import { randomUUID } from "node:crypto";
import { stepFolder, STEPS } from "@stipple/contract";
import { issueSession } from "../../../apps/server/src/accounts/sessions.ts";
import type { Context } from "../../../apps/server/src/context.ts";
import type { Person } from "./messages.ts";

const SLOTS = ["barcodes", "features", "matrix", "positions", "hires", "lowres", "scale"];
const LOG_LINES = 60;

/** Users with one project each: out of ten, one is queued, three are running at some step, six are complete. */
export async function makePeople(context: Context, count: number): Promise<Person[]> {
  const { db } = context.database;
  const people: Person[] = [];
  for (let n = 0; n < count; n++) {
    const id = randomUUID();
    const email = `person${n}@example.org`;
    await db
      .insertInto("users")
      .values({ id, email, password_hash: "none", created_at: new Date() })
      .execute();
    const options = { platform: "visium", staining: "h_and_e", analysis_type: "basic" } as const;
    const project = await context.projects.create(id, "Under load", options);
    await fill(context, { userId: id, project, turn: n % 10 });
    people.push({ token: await issueSession(context, { id, email }, "password"), project });
  }
  return people;
}

async function fill(
  { database: { db } }: Context,
  { userId, project, turn }: { userId: string; project: string; turn: number },
): Promise<void> {
  const status = turn === 0 ? "pending" : turn < 4 ? "running" : "completed";
  const done = status === "pending" ? 0 : status === "running" ? 2 * turn : STEPS.length;
  const now = new Date();
  for (const slot of SLOTS) {
    const object = randomUUID();
    const size = 1000;
    await db
      .insertInto("objects")
      .values({ id: object, storage_key: `objects/${object}`, digest: object, size })
      .execute();
    await db
      .insertInto("uploads")
      .values({
        project_id: project,
        slot,
        file_name: `${slot}.gz`,
        object_id: object,
        digest: object,
        size,
        chunks: 1,
        chunk_hashes: "[]",
      })
      .execute();
  }
  await db
    .insertInto("runs")
    .values({
      id: randomUUID(),
      project_id: project,
      user_id: userId,
      status,
      start_step: 0,
      prepared: done > 0,
      step: status === "running" ? done : null,
      percent: (100 * done) / STEPS.length,
      step_started_at: status === "running" ? now : null,
      log: JSON.stringify(
        Array.from(
          { length: done > 0 ? LOG_LINES : 0 },
          (_, line) => `Step ${line % 8}: tile ${line} of ${LOG_LINES} is done`,
        ),
      ),
      created_at: now,
      started_at: status === "pending" ? null : now,
      finished_at: status === "completed" ? now : null,
    })
    .execute();
  for (const { number, id: name } of STEPS.slice(0, done)) {
    const entries = ["summary.json", "figure.png", "table.csv", "arrays"];
    await db
      .insertInto("step_results")
      .values({
        project_id: project,
        step: number,
        name,
        version: 1,
        key: randomUUID(),
        params: JSON.stringify({ threshold: 0.5, clusters: 12 }),
        settings: "{}",
        seconds: 12.5,
        warnings: "[]",
        fields: JSON.stringify(Object.fromEntries(entries.map((entry) => [entry, randomUUID()]))),
        entries: JSON.stringify(entries.map((entry) => `${stepFolder(number)}/${entry}`)),
        published_at: now,
      })
      .execute();
  }
}
