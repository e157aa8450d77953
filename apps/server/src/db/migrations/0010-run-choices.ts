import { sql, type Kysely } from "kysely";

/** Settings and parameters that a project's runs are given; what is left out keeps its default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
      add column choices jsonb not null default '{"settings": {}, "parameters": {}}'`.execute(db);
}
