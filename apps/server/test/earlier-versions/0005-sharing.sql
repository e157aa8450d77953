insert into share_links (id, project_id, token_hash, note, created_at, expires_at) values
  ('66666666-6666-4666-8666-666666666666', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '761b7ad8ad439b2855fcbb611331c646ef0870b0631247bba3f3025cb6df5a53', 'for Eve', now() - interval '1 hour', now() + interval '6 days');
insert into saved_views (id, project_id, name, created_at, bytes, state) values
  ('77777777-7777-4777-8777-777777777777', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'T cells', now() - interval '1 hour', 21, '{"text":"\u0000\ud800"}');
