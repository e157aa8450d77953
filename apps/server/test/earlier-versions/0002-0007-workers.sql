insert into workers (slot, started_at, seen_at) values ('worker-1', now() - interval '1 day', now() - interval '1 minute');
