insert into audit_log (user_id, what, by, about, address, device) values
  ('11111111-1111-4111-8111-111111111111', 'sign_in', 'person', '{}', '127.0.0.1', 'Firefox');
