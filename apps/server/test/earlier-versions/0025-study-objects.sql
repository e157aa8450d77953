insert into objects (id, storage_key, digest, size) values
  ('c5c5c5c5-c5c5-4c5c-8c5c-c5c5c5c5c5c5', 'objects/c5c5c5c5-c5c5-4c5c-8c5c-c5c5c5c5c5c5', 'of-a-study', 5);
insert into study_findings (study_id, key, found_at, kind, finding) values
  ('77777777-7777-4777-8777-777777777777', 'h', '2026-06-02T10:00:00Z', 'h5ad', '{"combined":{"suffix":"study.h5ad"}}');
insert into study_finding_files (study_id, key, name, object_id, size, sha256) values
  ('77777777-7777-4777-8777-777777777777', 'h', 'combined', 'c5c5c5c5-c5c5-4c5c-8c5c-c5c5c5c5c5c5', 5, 'of-a-study');
