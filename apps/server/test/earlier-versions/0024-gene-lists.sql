insert into gene_lists (user_id, name, genes, kept_at) values
  ('11111111-1111-4111-8111-111111111111', 'T cells', '["CD3E"]', '2026-06-01T10:00:00Z');
