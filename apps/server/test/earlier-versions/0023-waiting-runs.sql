insert into waiting_runs (project_id, user_id, asked_at, refusal)
  select id, user_id, '2026-06-02T10:00:00Z', 'All analyses of your plan are used.'
  from projects where id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
