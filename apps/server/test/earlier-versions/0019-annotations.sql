update projects set annotation_revision = 1 where id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
insert into annotations (project_id, id, kind, value, bytes, revision, author, at) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'name type T cell', 'name',
   '{"of":"type","group":"T cell","label":"Follicle"}', 49, 1, 'ada@example.org', '2026-06-01T08:00:00Z');
insert into annotation_batches (project_id, revision, id, author, at, bytes) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 1, '55555555-5555-4555-8555-555555555555', 'ada@example.org', '2026-06-01T08:00:00Z', 180);
insert into annotation_changes (project_id, revision, position, id, kind, label, before, after) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 1, 0, 'name type T cell', 'name', 'T cell', null,
   '{"of":"type","group":"T cell","label":"Follicle"}');
insert into annotation_versions (id, project_id, name, author, at, revision, count, bytes, items) values
  ('66666666-6666-4666-8666-666666666666', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'First', 'ada@example.org',
   '2026-06-01T09:00:00Z', 1, 1, 110, '[{"id":"name type T cell","kind":"name","value":{"of":"type","group":"T cell","label":"Follicle"}}]');
