-- The password is "secret1".
insert into users (id, email, password_hash, created_at) values
  ('11111111-1111-4111-8111-111111111111', 'Ada@Example.org', '$argon2id$v=19$m=19456,t=2,p=1$llBmUWUKDADN7N0EznMJpQ$ppbemxV/EUCjRXKtqAdOIyvAbexcjzsNfJDJzBgS2Ig', now() - interval '1 day');
insert into sessions (id, user_id, created_at, expires_at, revoked_at) values
  ('22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111', now() - interval '1 day', now() + interval '6 days', null),
  ('33333333-3333-4333-8333-333333333333', '11111111-1111-4111-8111-111111111111', now() - interval '1 day', now() + interval '6 days', now());
insert into projects (id, user_id, name, options, created_at) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '11111111-1111-4111-8111-111111111111', 'Mouse brain', '{"platform": "visium", "staining": "h_and_e", "analysis_type": "basic"}', now() - interval '20 hours'),
  ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', '11111111-1111-4111-8111-111111111111', 'On its way', '{"platform": "visium", "staining": "h_and_e", "analysis_type": "advanced"}', now() - interval '10 hours');
