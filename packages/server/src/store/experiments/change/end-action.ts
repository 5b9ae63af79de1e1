/** SQL for the end of an action, and for the variables that it sets. */
import { sql } from 'kysely';

export interface ActionEnding {
  actionId: number;
  success: boolean;
  returnValue: string;
  /** The values that the conditions read. */
  inputs: object;
  variables: Record<string, unknown>;
  /** The action had already ended and is re-evaluated. Keeps its end time. */
  again: boolean;
}

export const endActionSql = (ending: ActionEnding) => sql`ended as (
  update actions
  set end_time = case when ${ending.again} then coalesce(actions.end_time, greatest(clock.now, actions.start_time))
    else greatest(clock.now, actions.start_time) end,
    success = ${ending.success}, return_value = ${ending.returnValue}, inputs = ${JSON.stringify(ending.inputs)}::jsonb,
    version = actions.version + 1
  from moved cross join clock
  where actions.id = ${ending.actionId})`;

export const setVariablesSql = ({ variables }: ActionEnding) =>
  Object.keys(variables).length === 0
    ? []
    : [
        sql`variables as (
          insert into experiment_variables (experiment_id, name, value)
          select moved.id, given.key, given.value from moved cross join jsonb_each(${JSON.stringify(variables)}::jsonb) as given
          on conflict (experiment_id, name) do update set value = excluded.value)`,
      ];
