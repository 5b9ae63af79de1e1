/**
 * Changes definitions like the routes, but without them. The routes then compute the layout of the workflow in a thread, which
 * takes ten times as long as the change.
 */
import { inTransaction } from '../../../packages/server/src/database/transaction.ts';
import { applyImport } from '../../../packages/server/src/engine/workflows/apply-import.ts';
import { changeCallback as change } from '../../../packages/server/src/engine/workflows/change-callback.ts';
import { readDefinitionFile } from '@milepost/definitions';
import { invalidDefinition, Problem } from '../../../packages/server/src/errors.ts';
import type { CallResult } from './compare.ts';
import type { Settings } from './definition.ts';
import type { Lane } from './lane.ts';

const authorOf = (operation: string) => ({ kind: 'operator' as const, id: null, requestId: null, operation });

const orRejection = (result: Promise<CallResult>): Promise<CallResult> =>
  result.catch((error: unknown) => {
    if (error instanceof Problem) return { status: error.status, code: error.code };
    throw error;
  });

export function importWorkflow({ server }: Lane, text: string, stateMap: Record<string, string>): Promise<CallResult> {
  const applied = async () => {
    const read = readDefinitionFile(text, '/workflow_definition');
    if (!read.definition) throw invalidDefinition(read.faults);
    const file = { ...read, text };
    const author = authorOf('importWorkflow');
    const { outcome } = await inTransaction(server.database.db, (tx) => applyImport(tx, author, file, stateMap));
    return { status: outcome === 'new' ? 201 : 200, shows: { outcome } };
  };
  return orRejection(applied());
}

const callbackId = `
  select callbacks.id::int from callbacks join states on states.id = callbacks.state_id
  join workflows on workflows.id = states.workflow_id
  where workflows.label = $1 and states.label = $2 and callbacks.label = $3`;

export function changeCallback(
  { server, rows }: Lane,
  [workflow, state, callback]: readonly [string, string, string],
  settings: Settings,
): Promise<CallResult> {
  const applied = async () => {
    const [row] = await rows<{ id: number }>(callbackId, [workflow, state, callback]);
    const target = { id: row?.id ?? 0, workflow_label: workflow };
    const options = { author: authorOf('updateCallback'), requireVersion: () => undefined };
    const revised = await inTransaction(server.database.db, (tx) => change(tx, options, target, settings));
    return { status: 200, shows: { changed: revised !== undefined } };
  };
  return orRejection(applied());
}
