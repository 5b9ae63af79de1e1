import type { importOperations, ImportStatus } from '@milepost/api';
import { found, invalid, invalidPaging, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { importMappingCases } from './import-mappings.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

/** Line 2 can be imported, and line 3 has a fault. */
const insertImport = `
  with one as (
    insert into imports (author_id, cohort_id, file_name, encoding, delimiter, headers, mapping, status, lines, ready, faulty, column_faults,
      checked_at, ended_at)
    select users.id, $1, 'visits.csv', 'utf-8', ',', '{subject,born}', '[{"target": "subject"}, {"target": "date_of_birth"}]', $2, 2, 1, 1,
      '{0,0,1}', now(), case when $2 in ('finished', 'stopped') then now() end
    from users where users.username = 'admin' returning id
  ), lines as (
    insert into import_lines (import_id, line, cells, result, subject)
    select id, line, cells::jsonb, result, cells::jsonb ->> 0
    from one, (values (2, '["A", ""]', 'ready'), (3, '["B", "soon"]', 'faulty')) as given (line, cells, result)
  ), faults as (
    insert into import_faults (import_id, number, line, place, detail) select id, 3000, 3, 2, 'Not a date.' from one
  )
  select id::int from one`;

/** An import of the administrator into a new cohort. Its requests can also be sent by its next author. */
async function createdImport(world: World, status: ImportStatus = 'checked') {
  const cohort = await world.cohort();
  const [{ id } = { id: 0 }] = await world.sql<{ id: number }>(insertImport, [cohort.id, status]);
  const makeOwnedBy = (author: string) =>
    world.sql('update imports set author_id = (select id from users where username = $2) where id = $1', [id, author]);
  return { id, cohort, of: { params: { id }, as: 'admin' }, makeOwnedBy };
}

const byId = async (world: World) => ({ id: (await createdImport(world)).id });

const storedStatus = (id: number, status: ImportStatus) => ({
  query: 'select status from imports where id = $1',
  values: [id],
  rows: [{ status }],
});

const notYours = {
  'returns 404 for an import of another user': async (world: World) =>
    missing({ params: await byId(world), as: (await world.user('sample_add')).username }),
};

const conflictFrom = (status: ImportStatus, body?: object) => ({
  [`rejects an import that is ${status}`]: async (world: World) => ({
    request: { ...(await createdImport(world, status)).of, ...(body && { body }) },
    status: 409,
    code: 'status_conflict' as const,
  }),
});

/** A repeated request changes nothing. */
const statusCases = (change: { from: ImportStatus; to: ImportStatus; conflicting: readonly ImportStatus[] }) => ({
  success: {
    [`makes an import ${change.to}`]: async (world: World) => {
      const { id, of, makeOwnedBy } = await createdImport(world, change.from);
      return { ...found(of, { id, status: change.to }), makeOwnedBy, stored: storedStatus(id, change.to) };
    },
    'changes nothing if it is repeated': async (world: World) => {
      const { id, of } = await createdImport(world, change.to);
      return { ...found(of, { id, status: change.to }), recorded: { history: [], events: [] } };
    },
  },
  validation: {
    'rejects a body': async (world: World) => invalid({ ...(await createdImport(world)).of, body: { name: 'x' } }, ''),
  },
  'missing reference': { ...missingParts(byId, { id: noSuchId }), ...notYours },
  conflict: Object.assign({}, ...change.conflicting.map((status) => conflictFrom(status))) as ReturnType<
    typeof conflictFrom
  >,
});

const csv = 'subject;born\nA;1950-01-01\n';
const into = async (world: World) => ({ query: { cohort_id: (await world.cohort()).id }, body: csv });
const columns = { subject: { target: 'subject' } };

const withoutMappings: Omit<SectionCases<typeof importOperations>, keyof typeof importMappingCases> = {
  createImport: {
    success: {
      'stores the lines of the file': async (world) => {
        const request = await into(world);
        return {
          request,
          status: 201,
          body: { status: 'checking', file_name: 'spreadsheet.csv', delimiter: ';', lines: 1, checked: 0 },
          stored: {
            query: `select line, cells from import_lines join imports on imports.id = import_id where cohort_id = $1`,
            values: [request.query.cohort_id],
            rows: [{ line: 2, cells: ['A', '1950-01-01'] }],
          },
        };
      },
      'takes a workflow, an encoding and a file name': async (world) => {
        const [{ query, body }, workflow] = [await into(world), await world.workflow()];
        const given = { ...query, workflow_id: workflow.id, encoding: 'windows-1252', file_name: 'visits.csv' };
        const shown = { encoding: 'windows-1252', file_name: 'visits.csv', workflow: { id: workflow.id } };
        return { request: { query: given, body }, status: 201, body: shown };
      },
    },
    validation: {
      'rejects a missing cohort': () => invalid({ body: csv }, '?cohort_id'),
      'rejects an unknown encoding and an empty file name': async (world) => {
        const { query, body } = await into(world);
        return invalid({ query: { ...query, encoding: 'utf-16', file_name: '' }, body }, '?file_name', '?encoding');
      },
      'rejects an empty file': async (world) => invalid({ ...(await into(world)), body: '' }, ''),
      'rejects a body that is not CSV': async (world) => ({
        request: { ...(await into(world)), headers: { 'content-type': 'application/json' } },
        status: 415,
        code: 'unsupported_media_type',
      }),
    },
    'missing reference': {
      'returns 404 for an unknown cohort': () => missing({ query: { cohort_id: noSuchId }, body: csv }, '?cohort_id'),
      'returns 404 for an unknown workflow': async (world) => {
        const { query, body } = await into(world);
        return missing({ query: { ...query, workflow_id: noSuchId }, body }, '?workflow_id');
      },
    },
    conflict: {
      'rejects more than 20 imports of a user that have not ended': async (world) => {
        const { username } = await world.user('sample_add');
        for (let n = 0; n < 20; n++) await (await createdImport(world)).makeOwnedBy(username);
        return { request: { ...(await into(world)), as: username }, status: 409, code: 'too_many_imports' };
      },
    },
  },
  listImports: {
    success: {
      'returns the newest first, before an id': async (world) => {
        const { id, username } = await world.user('sample_add');
        const [older, newer, newest] = [
          await createdImport(world),
          await createdImport(world),
          await createdImport(world),
        ];
        for (const { makeOwnedBy } of [older, newer, newest]) await makeOwnedBy(username);
        const imports = [newer, older].map((one) => ({ id: one.id, author: { id } }));
        return found({ query: { before: newest.id }, as: username }, { imports });
      },
      'returns none of another user': async (world) => {
        await createdImport(world);
        return found({ as: (await world.user('sample_add')).username }, { imports: [] });
      },
    },
    validation: {
      'rejects a limit above 1000': () => invalid({ query: { limit: 1001 } }, '?limit'),
      'rejects `after`, because the list is ordered backwards': () => invalid({ query: { after: 1 } }, '?after'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getImport: {
    success: {
      'returns an import with its columns and counts': async (world) => {
        const { id, of, cohort, makeOwnedBy } = await createdImport(world);
        const shown = [
          { header: 'subject', first_values: ['A', 'B'], target: 'subject', name: null, template: null, faults: 0 },
          { header: 'born', first_values: ['soon'], target: 'date_of_birth', name: null, template: null, faults: 1 },
        ];
        const counts = { lines: 2, checked: 2, ready: 1, unchanged: 0, faulty: 1, done: 0, faults: 1 };
        const body = { id, status: 'checked', cohort: { id: cohort.id }, workflow: null, columns: shown, ...counts };
        return { ...found(of, body), makeOwnedBy };
      },
    },
    validation: unknownParameter(byId),
    'missing reference': { ...missingParts(byId, { id: noSuchId }), ...notYours },
    conflict: readsOnly,
  },
  updateImport: {
    success: {
      'changes the mapping and checks the lines again': async (world) => {
        const { id, of, makeOwnedBy } = await createdImport(world);
        const ignored = { header: 'born', target: 'ignored', faults: 0 };
        const body = { id, status: 'checking', checked: 0, faults: 0, columns: [{ target: 'subject' }, ignored] };
        const stored = {
          query: 'select mapping, cleared, position from imports where id = $1',
          values: [id],
          rows: [{ mapping: [{ target: 'subject' }, { target: 'ignored' }], cleared: false, position: 0 }],
        };
        return { ...found({ ...of, body: { columns } }, body), makeOwnedBy, stored };
      },
      'changes the workflow and keeps the mapping': async (world) => {
        const [{ of }, workflow] = [await createdImport(world, 'checking'), await world.workflow()];
        const kept = [{ target: 'subject' }, { target: 'date_of_birth' }];
        const body = { workflow: { id: workflow.id }, columns: kept };
        return found({ ...of, body: { workflow_id: workflow.id } }, body);
      },
    },
    validation: {
      'rejects a column that the file does not have': async (world) => {
        const unknown = { ...columns, 'a/b': { target: 'scan_date' } };
        return invalid({ ...(await createdImport(world)).of, body: { columns: unknown } }, '/columns/a~1b');
      },
      'rejects two columns with the same content': async (world) => {
        const same = { subject: { target: 'subject' }, born: { target: 'subject' } };
        return invalid({ ...(await createdImport(world)).of, body: { columns: same } }, '/columns/born');
      },
      'rejects a mapping without a subject': async (world) =>
        invalid({ ...(await createdImport(world)).of, body: { columns: {} } }, '/columns'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, {}),
      ...notYours,
      'returns 404 for an unknown workflow': async (world) =>
        missing({ ...(await createdImport(world)).of, body: { workflow_id: noSuchId } }, '/workflow_id'),
      'returns 404 for an unknown external system': async (world) => {
        const named = { ...columns, born: { target: 'subject_id', name: 'none' } };
        return missing({ ...(await createdImport(world)).of, body: { columns: named } }, '/columns/born/name');
      },
    },
    conflict: { ...conflictFrom('running', {}), ...conflictFrom('stopped', {}) },
  },
  listImportFaults: {
    success: {
      'returns the faults with their values': async (world) => {
        const { of, makeOwnedBy } = await createdImport(world);
        const faults = [{ number: 3000, line: 3, column: 'born', value: 'soon', detail: 'Not a date.' }];
        return { ...found(of, { faults }), makeOwnedBy };
      },
      'returns only those in a column': async (world) => {
        const { of } = await createdImport(world);
        return found({ ...of, query: { column: 'subject' } }, { faults: [] });
      },
    },
    validation: {
      ...invalidPaging(byId),
      'rejects a column that the file does not have': async (world) =>
        invalid({ ...(await createdImport(world)).of, query: { column: 'visit' } }, '?column'),
    },
    'missing reference': { ...missingParts(byId, { id: noSuchId }), ...notYours },
    conflict: readsOnly,
  },
  listImportLines: {
    success: {
      'returns the lines': async (world) => {
        const { of, makeOwnedBy } = await createdImport(world);
        const ready = { line: 2, values: ['A', ''], result: 'ready', subject: 'A', experiment: null };
        return { ...found(of, { lines: [ready, { line: 3, result: 'faulty' }] }), makeOwnedBy };
      },
      'returns only those with a result': async (world) => {
        const { of } = await createdImport(world);
        return found({ ...of, query: { result: 'faulty' } }, { lines: [{ line: 3 }] });
      },
    },
    validation: {
      ...invalidPaging(byId),
      'rejects an unknown result': async (world) =>
        invalid({ params: await byId(world), query: { result: 'open' } }, '?result'),
    },
    'missing reference': { ...missingParts(byId, { id: noSuchId }), ...notYours },
    conflict: readsOnly,
  },
  applyImport: statusCases({ from: 'checked', to: 'running', conflicting: ['checking', 'paused', 'finished'] }),
  pauseImport: statusCases({ from: 'running', to: 'paused', conflicting: ['checking', 'checked'] }),
  resumeImport: statusCases({ from: 'paused', to: 'running', conflicting: ['checked', 'stopped'] }),
  stopImport: statusCases({ from: 'checked', to: 'stopped', conflicting: ['finished'] }),
};

export const importCases: SectionCases<typeof importOperations> = { ...withoutMappings, ...importMappingCases };
