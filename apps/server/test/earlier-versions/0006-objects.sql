insert into objects (id, storage_key, digest, size) values
  ('88888888-8888-4888-8888-888888888888', 'projects/aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa/input/scalefactors_json.json', 'b8a4120408a76e335316de9a0c139291da653eaffab9cb1406bccf615a0ff495', 2);
insert into doomed_objects (storage_key, due_at) values ('objects/99999999-9999-4999-8999-999999999999', now() + interval '1 day');
insert into uploads (project_id, slot, file_name, size, object_id, digest, chunks, chunk_hashes) values
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'scale', 'scalefactors_json.json', 2, '88888888-8888-4888-8888-888888888888', 'b8a4120408a76e335316de9a0c139291da653eaffab9cb1406bccf615a0ff495', 1, '["44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"]');
insert into uploads (project_id, slot, incoming_name, incoming_chunks, incoming_key, incoming_upload_id) values
  ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'he_image', 'tissue.tif', 3, 'objects/99999999-9999-4999-8999-999999999999', 'dddddddd-dddd-4ddd-8ddd-dddddddddddd');
insert into upload_chunks (project_id, slot, chunk, size, sha256, tag) values ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'he_image', 0, 10485760, '761b7ad8ad439b2855fcbb611331c646ef0870b0631247bba3f3025cb6df5a53', '0');
