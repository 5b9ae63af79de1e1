/** Reads the current definition of a workflow for the engine, in one statement and therefore from one revision. */
import type { Decision } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface DefinedTransition {
  id: number;
  source_state_id: number;
  destination_state_id: number;
  kind: 'defined' | 'entry' | 'correction';
  condition: string;
  by: 'person' | 'engine' | 'both';
  title: string | null;
}

export interface DefinedCallback {
  id: number;
  state_id: number;
  label: string;
  version: number;
  initial_delay: number;
  queue: string;
}

export interface DefinitionRow {
  id: number;
  label: string;
  revision: number;
  initial_state_id: number;
  states: { id: number; label: string; title: string | null; decision: Decision | null }[];
  /** In definition order. */
  transitions: DefinedTransition[];
  /** In definition order. */
  callbacks: DefinedCallback[];
}

export async function findDefinition(db: Db, workflowId: number): Promise<DefinitionRow | undefined> {
  const { rows } = await sql<DefinitionRow>`
    select workflows.id, workflows.label, workflows.revision, workflows.initial_state_id,
      coalesce((
        select json_agg(json_build_object('id', states.id, 'label', states.label, 'title', states.title,
          'decision', states.decision))
        from states where states.workflow_id = workflows.id and not states.retired), '[]') as states,
      coalesce((
        select json_agg(json_build_object(
          'id', transitions.id, 'source_state_id', transitions.source_state_id,
          'destination_state_id', transitions.destination_state_id, 'kind', transitions.kind,
          'condition', transitions.condition, 'by', transitions.by, 'title', transitions.title) order by transitions.position, transitions.id)
        from transitions where transitions.workflow_id = workflows.id and not transitions.retired), '[]') as transitions,
      coalesce((
        select json_agg(json_build_object(
          'id', callbacks.id, 'state_id', callbacks.state_id, 'label', callbacks.label,
          'version', callbacks.current_version, 'initial_delay', callback_versions.initial_delay,
          'queue', callback_versions.queue)
          order by callback_versions.position, callbacks.id)
        from states
        join callbacks on callbacks.state_id = states.id and not callbacks.retired
        join callback_versions
          on callback_versions.callback_id = callbacks.id and callback_versions.version = callbacks.current_version
        where states.workflow_id = workflows.id and not states.retired), '[]') as callbacks
    from workflows
    where workflows.id = ${workflowId} and workflows.initial_state_id is not null`.execute(db);
  return rows[0];
}
