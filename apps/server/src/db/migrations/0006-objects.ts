import { sql, type Kysely } from "kysely";

/**
 * Immutable objects, shared by digest and size. Rows of other tables reference an object by a foreign key. When the
 * last reference is deleted, a trigger moves the object's key to `doomed_objects` in the same transaction, whatever
 * deletes the row (including a cascade). Any new table needs its foreign key, an index on it, and the two triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table objects (
      id uuid primary key,
      storage_key text not null unique,
      digest text,
      size bigint not null,
      created_at timestamptz not null default now(),
      unique (digest, size)
    )`.execute(db);
  await sql`
    create table doomed_objects (
      storage_key text primary key,
      due_at timestamptz not null,
      removing boolean not null default false
    )`.execute(db);
  await sql`create index doomed_objects_due on doomed_objects (due_at)`.execute(db);
  await sql`
    create function release_objects() returns trigger language plpgsql as $$
    declare
      freed uuid[];
      one uuid;
    begin
      if tg_level = 'ROW' then
        freed := array[old.object_id];
      else
        select array_agg(distinct object_id order by object_id) into freed from gone where object_id is not null;
      end if;
      foreach one in array coalesce(freed, '{}') loop
        begin
          with removed as (delete from objects where id = one returning storage_key)
          insert into doomed_objects (storage_key, due_at) select storage_key, now() from removed;
        exception when foreign_key_violation then
          -- Another row holds it.
        end;
      end loop;
      return null;
    end $$`.execute(db);

  await sql`
    alter table uploads
      add column object_id uuid references objects,
      add column digest text,
      add column incoming_key text,
      add column incoming_upload_id text,
      add column checking_until timestamptz,
      add column refused_key text,
      add column refusal text`.execute(db);
  await sql`alter table upload_chunks add column tag text`.execute(db);
  await takeOver(db);
  await sql`alter table uploads drop column storage_key`.execute(db);
  await sql`create index uploads_object on uploads (object_id)`.execute(db);
  await sql`
    create trigger uploads_deleted after delete on uploads
      referencing old table as gone for each statement execute function release_objects()`.execute(
    db,
  );
  await sql`
    create trigger uploads_changed after update of object_id on uploads for each row
      when (old.object_id is not null and old.object_id is distinct from new.object_id)
      execute function release_objects()`.execute(db);
}

/** Existing files become objects under their current keys. Unfinished uploads must be sent again. */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`
    update uploads set digest = encode(sha256(convert_to(
      (select string_agg(hash, '' order by place) from jsonb_array_elements_text(chunk_hashes) with ordinality as each (hash, place)),
      'UTF8')), 'hex')
    where jsonb_array_length(chunk_hashes) > 0`.execute(db);
  await sql`
    insert into objects (id, storage_key, digest, size)
    select gen_random_uuid(), min(storage_key), digest, size from uploads
    where storage_key is not null group by digest, size, case when digest is null then storage_key end`.execute(
    db,
  );
  await sql`
    update uploads set object_id = objects.id from objects
    where uploads.storage_key is not null and (objects.storage_key = uploads.storage_key
      or (objects.digest = uploads.digest and objects.size = uploads.size))`.execute(db);
  await sql`
    insert into doomed_objects (storage_key, due_at)
    select storage_key, now() from uploads
    where storage_key is not null and storage_key not in (select storage_key from objects)
    union
    select 'projects/' || project_id || '/incoming/' || slot || '.partial', now() from uploads
    where incoming_name is not null`.execute(db);
  await sql`delete from upload_chunks`.execute(db);
  await sql`update uploads set incoming_name = null, incoming_chunks = null`.execute(db);
}
