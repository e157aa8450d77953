import { sql, type Kysely } from "kysely";

/** Objects whose bytes were found missing or changed: what their rows name cannot be read until they are repaired. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table objects
      add column damage text check (damage in ('missing', 'damaged')),
      add column damaged_at timestamptz`.execute(db);
  await sql`create index objects_damaged on objects (damaged_at) where damage is not null`.execute(
    db,
  );
}
