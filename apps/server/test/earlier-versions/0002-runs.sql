insert into runs (id, project_id, user_id, status, start_step, prepared, step, step_fraction, percent, log, error, worker, created_at, started_at, finished_at) values
  ('44444444-4444-4444-8444-444444444444', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '11111111-1111-4111-8111-111111111111', 'failed', 0, true, 2, 0.5, 30, '["Step 2 begins."]', 'The disk is full.', 'worker-1', now() - interval '19 hours', now() - interval '19 hours', now() - interval '18 hours'),
  ('55555555-5555-4555-8555-555555555555', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '11111111-1111-4111-8111-111111111111', 'completed', 2, true, 7, 1, 100, '["Step 7 begins."]', null, 'worker-1', now() - interval '17 hours', now() - interval '17 hours', now() - interval '16 hours');
insert into analyses (project_id, user_id, plan, counted_at, spots, completed_at) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '11111111-1111-4111-8111-111111111111', 'trial', now() - interval '19 hours', 1234, now() - interval '16 hours');
