insert into share_links (id, study_id, token_hash, note, created_at, expires_at) values
  ('88888888-8888-4888-8888-888888888888', '77777777-7777-4777-8777-777777777777', 'hash of a study link', 'for Eve',
   '2026-06-02T10:00:00Z', '2126-06-09T10:00:00Z');
