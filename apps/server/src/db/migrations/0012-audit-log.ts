import { sql, type Kysely } from "kysely";

/**
 * Actions on an account. The rows are deleted with the account; the row that records the deletion stays, without a
 * user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      user_id uuid references users on delete cascade,
      at timestamptz not null default clock_timestamp(),
      what text not null,
      by text not null,
      about jsonb not null,
      address text,
      device text
    )`.execute(db);
  await sql`create index audit_log_user on audit_log (user_id, id desc)`.execute(db);
  await sql`create index audit_log_at on audit_log (at)`.execute(db);
  await sql`alter table share_links add column opened_at timestamptz`.execute(db);
}
