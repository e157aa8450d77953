insert into workers (id, machine, pid, alive_until) values ('host-1-abc', 'boot', 1, now() - interval '1 minute');
insert into chores (name, due_at) values ('what is past its time', now());
update runs set lease = 3, lease_until = null, worker = null, estimate = '{"seconds": 60, "memoryMb": 1000}' where status = 'completed';
