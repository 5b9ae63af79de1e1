/** Reads the stored parts of workflows, for tests of imports. */
import type { TestServer } from './server.ts';

/** Everything that an import can change, without layouts, which are computed later. */
export const importSnapshot = (server: TestServer) =>
  server.sql(
    `select (select jsonb_agg(to_jsonb(w) - 'layout' order by id) from workflows w) as workflows,
            (select jsonb_agg(s order by id) from states s) as states,
            (select jsonb_agg(t order by id) from transitions t) as transitions,
            (select jsonb_agg(c order by id) from callbacks c) as callbacks,
            (select jsonb_agg(v order by callback_id, version) from callback_versions v) as versions,
            (select count(*) from workflow_revisions) as revisions, (select count(*) from history) as history,
            (select count(*) from events) as events`,
  );

export interface WorkflowParts {
  states: { id: number; label: string; freetext: string; position: number; retired: boolean }[];
  callbacks: { id: number; name: string; version: number; retired: boolean; settings: Record<string, unknown> }[];
  transitions: { id: number; name: string; condition: string; by: string; position: number; retired: boolean }[];
}

export async function partsOf(server: TestServer, label: string): Promise<WorkflowParts> {
  const [row] = await server.sql<WorkflowParts>(
    `select
       (select jsonb_agg(jsonb_build_object('id', s.id, 'label', s.label, 'freetext', s.freetext, 'position', s.position,
          'retired', s.retired) order by s.id) from states s where s.workflow_id = w.id) as states,
       (select jsonb_agg(jsonb_build_object('id', c.id, 'name', s.label || ' / ' || c.label, 'version', c.current_version,
          'retired', c.retired, 'settings', to_jsonb(v)) order by c.id)
        from callbacks c join states s on s.id = c.state_id
        join callback_versions v on v.callback_id = c.id and v.version = c.current_version
        where s.workflow_id = w.id) as callbacks,
       (select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.kind || ' ' || a.label || ' -> ' || b.label || ' ' || t.ordinal,
          'condition', t.condition, 'by', t.by, 'position', t.position, 'retired', t.retired) order by t.id)
        from transitions t join states a on a.id = t.source_state_id join states b on b.id = t.destination_state_id
        where t.workflow_id = w.id) as transitions
     from workflows w where w.label = $1`,
    [label],
  );
  if (!row) throw new Error(`No workflow ${label}.`);
  return row;
}

/** The names of the parts that are not retired. */
export const activeNames = (parts: readonly { name?: string; label?: string; retired: boolean }[] | null) =>
  (parts ?? []).filter(({ retired }) => !retired).map(({ name, label }) => name ?? label);
