/** SQL for the end of an action, and for the variables that it sets. */
import { sql } from 'kysely';
import type { Columns } from '../../../database/given-rows.ts';

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

export const endingColumns: Columns<ActionEnding> = {
  ended_action_id: { type: 'bigint', of: ({ actionId }) => actionId },
  ended_again: { type: 'boolean', of: ({ again }) => again },
  ended_success: { type: 'boolean', of: ({ success }) => success },
  ended_value: { type: 'text', of: ({ returnValue }) => returnValue },
  ended_inputs: { type: 'jsonb', of: ({ inputs }) => JSON.stringify(inputs) },
};

export const endActionSql = sql`ended as (
  update actions
  set end_time = coalesce(case when moved.ended_again then actions.end_time end, greatest(moved.now, actions.start_time)),
    success = moved.ended_success, return_value = moved.ended_value, inputs = moved.ended_inputs, version = actions.version + 1
  from moved
  where actions.id = moved.ended_action_id)`;

export const variableColumns: Columns<Readonly<Record<string, unknown>>> = {
  variables: { type: 'jsonb', of: (variables) => JSON.stringify(variables) },
};

export const setVariablesSql = sql`variables as (
  insert into experiment_variables (experiment_id, name, value)
  select moved.experiment_id, given.key, given.value from moved cross join jsonb_each(moved.variables) as given
  on conflict (experiment_id, name) do update set value = excluded.value)`;
