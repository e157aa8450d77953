insert into study_findings (study_id, key, found_at, finding) values
  ('77777777-7777-4777-8777-777777777777', 'k', '2026-06-02T10:00:00Z', '{"refusal":"A comparison needs two conditions."}');
insert into study_finding_files (study_id, key, name, gzipped) values
  ('77777777-7777-4777-8777-777777777777', 'k', 'composition.csv', '\x1f8b0800000000000003030000000000000000');
