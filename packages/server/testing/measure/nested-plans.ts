/** Reads the plans of all statements that a database function runs, with the rows and buffers that each of them read. */
import { withClient } from '../test-database.ts';
import type { Mode, Plan } from './sent-plans.ts';

export interface NestedPlan {
  'Query Text': string;
  Plan: Plan & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

const settings = `
  load 'auto_explain';
  set auto_explain.log_min_duration = 0;
  set auto_explain.log_analyze = on;
  set auto_explain.log_timing = off;
  set auto_explain.log_buffers = on;
  set auto_explain.log_nested_statements = on;
  set auto_explain.log_format = json;
  set auto_explain.log_level = notice;
  set client_min_messages = notice;`;

/** Runs the statement as the superuser, who alone can load the module, and rolls it back. */
export function nestedPlans(superuserUrl: string, statement: string, values: unknown[], mode: Mode) {
  return withClient(superuserUrl, async (client): Promise<NestedPlan[]> => {
    const plans: NestedPlan[] = [];
    client.on('notice', ({ message = '' }) => {
      const json = /^duration: .*? plan:\s*(\{[^]*\})\s*$/.exec(message)?.[1];
      if (json !== undefined) plans.push(JSON.parse(json) as NestedPlan);
    });
    await client.query(settings);
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query('begin');
    await client.query(statement, values);
    await client.query('rollback');
    return plans;
  });
}
