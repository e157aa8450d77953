import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Only the hash is stored: anyone who reads the table cannot use the links.
  await sql`
    create table password_resets (
      token_hash text primary key,
      user_id uuid not null references users on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index password_resets_user on password_resets (user_id)`.execute(db);
  await sql`
    create table attempts (
      key text primary key,
      count integer not null,
      ends_at timestamptz not null
    )`.execute(db);
  // Files that are still to be removed; their rows are gone already.
  await sql`
    create table deletions (
      key text primary key,
      noted_at timestamptz not null
    )`.execute(db);
  // Payments stay in the books when the user is deleted.
  await sql`alter table payments alter column user_id drop not null`.execute(db);
  await sql`alter table payments drop constraint payments_user_id_fkey`.execute(db);
  await sql`
    alter table payments add constraint payments_user_id_fkey
      foreign key (user_id) references users on delete set null`.execute(db);
  await sql`alter table analyses add column retention_days integer`.execute(db);
  await sql`create sequence provider_reads`.execute(db);
  await sql`alter table subscriptions add column read_number bigint not null default 0`.execute(db);
  await sql`
    create table provider_clock (
      singleton boolean primary key default true check (singleton),
      ahead_ms bigint not null
    )`.execute(db);
}
