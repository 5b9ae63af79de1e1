/** Reads a workflow for its diagram, in one statement and therefore from one revision. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import type { StateLookRow } from './state-look.ts';
import { describeWorkflow } from './workflows.ts';

export interface GraphState extends StateLookRow {
  id: number;
  label: string;
  freetext: string;
  callbacks: string[];
}

export interface GraphTransition {
  id: number;
  source_id: number;
  destination_id: number;
  condition: string;
  by: 'person' | 'engine' | 'both';
  title: string | null;
}

/** The stored layout (docs/decisions/0015, 0041). */
export interface Layout {
  revision: number;
  states: { id: number; layer: number; slot: number }[];
  /** Absent if a release without drawings stored the layout, and null if the graph could not be drawn. */
  drawing?: {
    width: number;
    height: number;
    states: { id: number; x: number; y: number }[];
    edges: { from: number; to: number; points: { x: number; y: number }[] }[];
  } | null;
}

export interface GraphRow {
  id: number;
  label: string;
  revision: number;
  layout: Layout | null;
  states: GraphState[];
  transitions: GraphTransition[];
}

export async function getWorkflowGraph(db: Db, id: number): Promise<GraphRow> {
  const { rows } = await sql<GraphRow>`
    select workflows.id, workflows.label, workflows.revision, workflows.layout,
      (select coalesce(json_agg(json_build_object(
          'id', states.id, 'label', states.label, 'freetext', states.freetext, 'title', states.title,
          'colour', states.colour, 'outcome', states.outcome, 'decision', states.decision, 'callbacks', (
            select coalesce(json_agg(callbacks.label order by callback_versions.position, callbacks.id), '[]')
            from callbacks join callback_versions
              on callback_versions.callback_id = callbacks.id and callback_versions.version = callbacks.current_version
            where callbacks.state_id = states.id and not callbacks.retired))
          order by states.position, states.id), '[]')
        from states where states.workflow_id = workflows.id and not states.retired) as states,
      (select coalesce(json_agg(json_build_object(
          'id', transitions.id, 'source_id', transitions.source_state_id, 'destination_id', transitions.destination_state_id,
          'condition', transitions.condition, 'by', transitions.by, 'title', transitions.title) order by transitions.position, transitions.id), '[]')
        from transitions
        where transitions.workflow_id = workflows.id and transitions.kind = 'defined' and not transitions.retired) as transitions
    from workflows where workflows.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound(describeWorkflow({ id }));
  return row;
}
