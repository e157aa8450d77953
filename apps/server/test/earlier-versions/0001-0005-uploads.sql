insert into uploads (project_id, slot, file_name, size, storage_key, chunks, chunk_hashes) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'scale', 'scalefactors_json.json', 2, 'projects/aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa/input/scalefactors_json.json', 1, '["44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"]');
insert into uploads (project_id, slot, incoming_name, incoming_chunks) values ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'he_image', 'tissue.tif', 3);
insert into upload_chunks (project_id, slot, chunk, size, sha256) values ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'he_image', 0, 10485760, '761b7ad8ad439b2855fcbb611331c646ef0870b0631247bba3f3025cb6df5a53');
