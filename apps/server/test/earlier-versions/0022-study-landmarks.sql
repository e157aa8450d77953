insert into study_landmarks (study_id, first, second, points, author, at) values
  ('77777777-7777-4777-8777-777777777777', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
   '[[0,0,1,1],[10,0,11,1],[0,10,1,11]]', 'first@example.org', '2026-07-01T10:00:00Z');
