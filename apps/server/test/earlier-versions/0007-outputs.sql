insert into objects (id, storage_key, digest, size) values
  ('eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee', 'objects/eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee', 'pack-1', 7);
insert into step_results (project_id, step, name, version, key, params, settings, seconds, warnings, fields, entries, published_at) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 7, 'Finalization', 1, '761b7ad8ad439b2855fcbb611331c646ef0870b0631247bba3f3025cb6df5a53', '{}', '{}', 1.5, '[]', '{}', '["summary.json"]', now() - interval '16 hours');
insert into step_files (project_id, step, path, size, sha256, object_id, "offset") values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 7, 'step7_output/summary.json', 7, '761b7ad8ad439b2855fcbb611331c646ef0870b0631247bba3f3025cb6df5a53', 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee', 0);
