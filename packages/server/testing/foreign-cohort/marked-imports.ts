/** Imports of a marked study, and the requests about them. */
import type { OperationName } from '@milepost/api';
import { runImports } from '../../src/engine/spreadsheets/run-imports.ts';
import { engineContext } from '../engine-context.ts';
import type { Parts, TestServer } from '../server.ts';
import { shows, unmarked, type Requests } from './study-request.ts';

export type MarkedImports = Awaited<ReturnType<typeof makeImports>>;

/** Two checked imports with a fault, and a saved mapping. */
export async function makeImports(server: TestServer, cohortId: number, marked: (what: string) => string) {
  const query = { cohort_id: cohortId, file_name: marked('file') };
  const body = `subject,scan_date\n${marked('new')},\n${marked('faulty')},${marked('day')}\n`;
  const checkedImport = (await server.call('createImport', { query, body })).body;
  const appliedImport = (await server.call('createImport', { query, body })).body;
  await runImports({ ...engineContext(server, 'runImports'), linesPerSecond: 1000 });
  const params = { id: cohortId, name: marked('mapping') };
  await server.call('saveImportMapping', { params, body: { columns: { subject: { target: 'subject' } } } });
  return { checkedImport, appliedImport, mapping: params };
}

export function readsOfImports({ checkedImport, mapping }: MarkedImports): Requests {
  const params = { id: checkedImport.id };
  return {
    listImports: [shows({}), shows({ query: { limit: 1000 } }), unmarked({ query: { before: 1 } })],
    getImport: [shows({ params })],
    listImportFaults: [
      shows({ params }),
      shows({ params, query: { column: 'scan_date', limit: 1 } }),
      unmarked({ params, query: { offset: 1 } }),
    ],
    listImportLines: [
      shows({ params }),
      shows({ params, query: { result: 'ready' } }),
      unmarked({ params, query: { result: 'done' } }),
    ],
    listImportMappings: [shows({ params: { id: mapping.id } })],
  };
}

/** In an order in which each succeeds for the author. */
export function changesOfImports({ checkedImport, appliedImport, mapping }: MarkedImports): [OperationName, Parts][] {
  const [checked, applied] = [{ id: checkedImport.id }, { id: appliedImport.id }];
  return [
    ['createImport', { query: { cohort_id: mapping.id }, body: 'subject\nnew\n' }],
    ['updateImport', { params: checked, body: {} }],
    ['applyImport', { params: applied }],
    ['pauseImport', { params: applied }],
    ['resumeImport', { params: applied }],
    ['stopImport', { params: applied }],
    ['saveImportMapping', { params: mapping, body: { columns: {} } }],
    ['deleteImportMapping', { params: mapping }],
  ];
}
