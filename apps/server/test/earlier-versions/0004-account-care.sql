insert into password_resets (token_hash, user_id, expires_at) values ('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '11111111-1111-4111-8111-111111111111', now() + interval '1 hour');
insert into attempts (key, count, ends_at) values ('login:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 2, now() + interval '10 minutes');
insert into deletions (key, noted_at) values ('projects/cccccccc-cccc-4ccc-8ccc-cccccccccccc', now() - interval '1 hour');
insert into payments (id, user_id, tier, amount_cents, status, paid_at) values ('pi_0', null, 'basic', 29900, 'succeeded', now() - interval '90 days');
insert into provider_clock (ahead_ms) values (0);
update analyses set retention_days = 30;
