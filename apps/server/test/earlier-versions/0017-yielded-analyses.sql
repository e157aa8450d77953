update analyses set yielded_at = completed_at, reserved_by = '44444444-4444-4444-8444-444444444444';
update projects set results_sample = 'the gene counts' where id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
update runs set analysis_before = null;
