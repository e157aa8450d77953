import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every write about a run carries the lease it was given; the next to take the run raises it (workflow/leases.ts).
  await sql`
    alter table runs
      add column lease bigint not null default 0,
      add column lease_until timestamptz,
      add column due_at timestamptz not null default clock_timestamp(),
      add column estimate jsonb`.execute(db);
  await sql`drop index runs_queue`.execute(db);
  await sql`create index runs_queue on runs (due_at, id) where status = 'pending'`.execute(db);
  await sql`create index runs_worker on runs (worker) where worker is not null`.execute(db);
  // A worker is a process with its own name, not a slot that the next one inherits.
  await sql`drop table workers`.execute(db);
  await sql`
    create table workers (
      id text primary key,
      machine text not null,
      pid integer not null,
      started_at timestamptz not null default clock_timestamp(),
      alive_until timestamptz not null
    )`.execute(db);
  // One row: what all processes on this database must share.
  await sql`
    create table installation (
      singleton boolean primary key default true check (singleton),
      secret_fingerprint text not null
    )`.execute(db);
  // Recurring work done by any one of the processes, and when it is next due by the database's clock.
  await sql`
    create table chores (
      name text primary key,
      due_at timestamptz not null
    )`.execute(db);
}
