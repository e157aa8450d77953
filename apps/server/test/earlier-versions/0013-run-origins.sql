update runs set request_id = 'req-1', traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' where status = 'completed';
