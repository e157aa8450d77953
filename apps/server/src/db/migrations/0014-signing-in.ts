import { sql, type Kysely } from "kysely";

/** Sessions that can be recognized, second factors, and confirmed email addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column last_seen_at timestamptz,
      add column address text,
      add column device text`.execute(db);
  await sql`update sessions set last_seen_at = created_at`.execute(db);
  await sql`
    alter table sessions
      alter column last_seen_at set not null,
      alter column last_seen_at set default now()`.execute(db);
  await sql`alter table users add column email_verified_at timestamptz`.execute(db);
  await sql`
    create table email_verifications (
      token_hash text primary key,
      user_id uuid not null references users on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index email_verifications_user on email_verifications (user_id)`.execute(db);
  // Sealed with the operator's secret.
  await sql`
    create table authenticator_apps (
      user_id uuid primary key references users on delete cascade,
      secret bytea not null,
      last_period bigint not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table passkeys (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db);
  await sql`
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      code_hash text not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);
  await sql`
    create table ceremonies (
      ticket_hash text primary key,
      purpose text not null,
      user_id uuid references users on delete cascade,
      challenge text,
      secret bytea,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index ceremonies_user on ceremonies (user_id)`.execute(db);
  await sql`create index ceremonies_end on ceremonies (expires_at)`.execute(db);
}
