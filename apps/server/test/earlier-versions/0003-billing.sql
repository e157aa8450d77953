insert into customers (user_id, id) values ('11111111-1111-4111-8111-111111111111', 'cus_1');
insert into checkouts (id, user_id, tier, settled, created_at) values ('cs_1', '11111111-1111-4111-8111-111111111111', 'single_analysis', true, now() - interval '15 hours');
insert into subscriptions (id, user_id, tier, status, period_start, period_end, cancel_at_period_end, schedule_id, created_at, ended_at) values
  ('sub_1', '11111111-1111-4111-8111-111111111111', 'basic', 'active', now() - interval '15 hours', now() + interval '29 days', true, null, now() - interval '15 hours', null);
insert into purchases (id, user_id, tier, purchased_at) values ('cs_1', '11111111-1111-4111-8111-111111111111', 'single_analysis', now() - interval '15 hours');
insert into payments (id, user_id, tier, amount_cents, status, paid_at) values
  ('pi_1', '11111111-1111-4111-8111-111111111111', 'single_analysis', 9900, 'succeeded', now() - interval '15 hours'),
  ('in_1', '11111111-1111-4111-8111-111111111111', 'basic', 29900, 'failed', now() - interval '14 hours');
insert into provider_events (id, type, taken_at) values ('evt_1', 'checkout.session.completed', now() - interval '15 hours');
