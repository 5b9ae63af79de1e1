-- The row that a renewal of a claim writes.
update execution_attempts set heartbeat_at = clock_timestamp()
where execution_attempts.execution_id = :execution and execution_attempts.attempt = 1
