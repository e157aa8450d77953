import { sql, type Kysely } from "kysely";

/** Gene lists that an account keeps for all of its projects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gene_lists (
      user_id uuid not null references users on delete cascade,
      name text not null,
      genes json not null,
      kept_at timestamptz not null,
      primary key (user_id, name)
    )`.execute(db);
}
