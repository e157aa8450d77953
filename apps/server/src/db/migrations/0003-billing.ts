import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table customers (
      user_id uuid primary key references users on delete cascade,
      id text not null unique
    )`.execute(db);
  await sql`
    create table checkouts (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      tier text not null,
      settled boolean not null default false,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index checkouts_open on checkouts (user_id) where not settled`.execute(db);
  await sql`
    create table subscriptions (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      tier text not null,
      status text not null check (status in ('active', 'past_due', 'ended')),
      period_start timestamptz not null,
      period_end timestamptz not null,
      cancel_at_period_end boolean not null,
      schedule_id text,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index subscriptions_user on subscriptions (user_id)`.execute(db);
  await sql`
    create table purchases (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      tier text not null,
      purchased_at timestamptz not null
    )`.execute(db);
  await sql`create index purchases_user on purchases (user_id)`.execute(db);
  await sql`
    create table payments (
      id text primary key,
      user_id uuid not null references users on delete cascade,
      tier text not null,
      amount_cents integer not null,
      status text not null check (status in ('succeeded', 'failed')),
      paid_at timestamptz not null
    )`.execute(db);
  await sql`create index payments_user on payments (user_id, paid_at desc)`.execute(db);
  // Events of the provider that have been taken: a repeated delivery changes nothing.
  await sql`
    create table provider_events (
      id text primary key,
      type text not null,
      taken_at timestamptz not null
    )`.execute(db);
}
