/** Lets the test databases reject every change by the application that sets the status of an execution back. */
import type { Client } from 'pg';

export async function guardStatuses(client: Client, appRole: string): Promise<void> {
  await client.query(`
    create function refuse_earlier_status() returns trigger language plpgsql as $$
    declare
      forward constant text[] := '{created,queued,running,waiting}';
    begin
      if current_user = '${appRole}' and coalesce(current_setting('test.guarded', true), '') <> 'off'
        and (old.status in ('finished', 'skipped') or array_position(forward, new.status) < array_position(forward, old.status)) then
        raise exception 'execution % was % and was set back to %', old.id, old.status, new.status;
      end if;
      return new;
    end $$;
    create trigger status_moves_forward before update on callback_executions
      for each row when (old.status <> new.status) execute function refuse_earlier_status()`);
}
