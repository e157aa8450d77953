update users set email_verified_at = created_at;
insert into email_verifications (token_hash, user_id, expires_at) values
  ('verification', '11111111-1111-4111-8111-111111111111', now() + interval '1 day');
