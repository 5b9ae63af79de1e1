/** Imports of spreadsheets into new cohorts, for tests. */
import { runImports } from '../src/engine/spreadsheets/run-imports.ts';
import { createEngineWorld } from './engine-world.ts';
import { engineContext } from './engine-context.ts';
import type { Parts, TestServer } from './server.ts';

const definition = `initial: start
states:
  - label: start
    callbacks: [{label: c, function: worker, callback_arguments: {queue: nobody}}]
    transitions: [{destination: review, by: person}]
  - {label: review, title: In review, transitions: [{destination: done, by: person}]}
  - {label: done}
`;

/** Nothing runs. */
const plainDefinition = `initial: start
states:
  - {label: start, transitions: [{destination: done, by: person}]}
  - {label: done}
`;

export type ImportWorld = Awaited<ReturnType<typeof createImportWorld>>;

export async function createImportWorld(server: TestServer) {
  const world = createEngineWorld(server);
  const idOf = async (label: string): Promise<number> =>
    (await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]))[0]?.id ?? 0;
  const plainWorkflowId = await idOf(await world.importWorkflow(plainDefinition));
  const workflow_label = await world.importWorkflow(definition);
  const workflowId = await idOf(workflow_label);
  const context = { ...engineContext(server, 'runImports'), linesPerSecond: 100_000, errors: [] as unknown[] };
  context.onError = (error) => void context.errors.push(error);
  const read = async (id: number, parts: Parts = {}) =>
    (await server.call('getImport', { params: { id }, ...parts })).body;
  const upload = (cohortId: number, csv: string | Uint8Array<ArrayBuffer>, { query, ...parts }: Parts = {}) => {
    const given = { cohort_id: cohortId, workflow_id: workflowId, ...query };
    return server.call('createImport', { ...parts, query: given, body: csv });
  };
  const work = () => runImports(context);
  const check = async (cohortId: number, csv: string | Uint8Array<ArrayBuffer>, parts: Parts = {}) => {
    const { status, body } = await upload(cohortId, csv, parts);
    if (status !== 201) throw new Error(JSON.stringify(body));
    await work();
    const { query: _query, ...as } = parts;
    return read(body.id, as);
  };
  return {
    ...world,
    context,
    workflow_label,
    plainWorkflowId,
    read,
    upload,
    work,
    /** Uploads the file, and checks its lines. */
    check,
    /** Uploads the file, and imports its correct lines. */
    async import(cohortId: number, csv: string, parts: Parts = {}) {
      const { id } = await check(cohortId, csv, parts);
      const { query: _query, ...as } = parts;
      await server.call('applyImport', { params: { id }, ...as });
      await work();
      return read(id, as);
    },
    cohort: async (): Promise<number> => (await world.subject()).cohort.id,
    async faults(id: number, parts: Parts = {}): Promise<[number, string | null, string][]> {
      const { body } = await server.call('listImportFaults', { params: { id }, query: { limit: 1000 }, ...parts });
      return body.faults.map(({ line, column, detail }: FaultRow) => [line, column, detail]);
    },
  };
}

interface FaultRow {
  line: number;
  column: string | null;
  detail: string;
}
