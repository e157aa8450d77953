import { sql } from "kysely";
import type { Context } from "../context.ts";
import { megabytes, table, type Printed } from "./admin.ts";

/** Bytes used by each account and the largest projects, by id only. Shared content counts for everyone who has it. */
export async function storageUse(
  { database }: Context,
  options: { limit: number },
): Promise<Printed> {
  const { db } = database;
  const held = sql`
    select distinct projects.user_id, projects.id as project_id, objects.id, objects.size
    from projects
    join (
      select project_id, object_id from uploads where object_id is not null
      union all select project_id, object_id from step_files
    ) as held on held.project_id = projects.id
    join objects on objects.id = held.object_id`;
  const { rows: people } = await sql<{ person: string; projects: string; bytes: string }>`
    with held as (${held}), own as (select distinct user_id, id, size from held)
    select own.user_id as person, sum(own.size) as bytes,
      (select count(distinct project_id) from held where held.user_id = own.user_id) as projects
    from own group by own.user_id order by sum(own.size) desc limit ${options.limit}`.execute(db);
  const { rows: projects } = await sql<{ project: string; person: string; bytes: string }>`
    with held as (${held})
    select project_id as project, user_id as person, sum(size) as bytes
    from held group by project_id, user_id order by sum(size) desc limit ${options.limit}`.execute(
    db,
  );
  const { rows: all } = await sql<{ bytes: string | null; objects: string; doomed: string }>`
    select sum(size) as bytes, count(*) as objects,
      (select count(*) from doomed_objects) as doomed from objects`.execute(db);
  const total = {
    bytes: Number(all[0]?.bytes ?? 0),
    objects: Number(all[0]?.objects ?? 0),
    toBeRemoved: Number(all[0]?.doomed ?? 0),
  };
  return {
    data: {
      total,
      people: people.map((row) => ({
        person: row.person,
        projects: Number(row.projects),
        bytes: Number(row.bytes),
      })),
      projects: projects.map((row) => ({ ...row, bytes: Number(row.bytes) })),
    },
    lines: [
      `${megabytes(total.bytes)} in ${total.objects} objects; ${total.toBeRemoved} more will be removed.`,
      "",
      ...table(
        ["person", "projects", "stored"],
        people.map((row) => [row.person, row.projects, megabytes(Number(row.bytes))]),
      ),
      "",
      ...table(
        ["project", "person", "stored"],
        projects.map((row) => [row.project, row.person, megabytes(Number(row.bytes))]),
      ),
      "",
      "To find unreferenced files: npx stipple storage check",
    ],
  };
}
