insert into studies (id, user_id, name, columns, created_at)
  select '77777777-7777-4777-8777-777777777777', user_id, 'First study', '["slide"]', '2026-06-01T10:00:00Z'
  from projects where id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
insert into study_samples (study_id, position, project_id, name, condition, patient, batch, more) values
  ('77777777-7777-4777-8777-777777777777', 0, 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'Old name', 'tumor', 'P1', '', '{"slide":"S1"}');
