/**
 * Imports a definition as the route does, without the route: that computes a picture of the workflow afterwards, in a
 * thread of its own, which takes ten times as long as the import.
 */
import { inTransaction } from '../../../packages/server/src/database/transaction.ts';
import { applyImport } from '../../../packages/server/src/engine/definitions/apply-import.ts';
import { readDefinitionFile } from '../../../packages/server/src/engine/definitions/read-definition-file.ts';
import { invalidDefinition, Problem } from '../../../packages/server/src/errors.ts';
import type { Answered } from './compare.ts';
import type { Lane } from './lane.ts';

const author = { kind: 'operator' as const, id: null, requestId: null, operation: 'importWorkflow' };

export async function importWorkflow(
  { server }: Lane,
  text: string,
  stateMap: Record<string, string>,
): Promise<Answered> {
  try {
    const read = readDefinitionFile(text, '/workflow_definition');
    if (!read.definition) throw invalidDefinition(read.faults);
    const file = { ...read, text };
    const { outcome } = await inTransaction(server.database.db, (tx) => applyImport(tx, author, file, stateMap));
    return { status: outcome === 'new' ? 201 : 200, shows: { outcome } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, code: error.code };
  }
}
