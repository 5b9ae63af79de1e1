/** Imports of spreadsheets (docs/decisions/0047). The history of the author's account records them with ids only. */
import type { ColumnMapping, importOperations, ImportStatus } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid, Problem, referenceNotFound } from '../../errors.ts';
import { created, ok, type Call, type Handlers } from '../../http/call.ts';
import { uploadInterrupted } from '../../engine/stop-idle-work.ts';
import { lockUser } from '../../store/people/users.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import * as imports from '../../store/spreadsheets/imports.ts';
import * as lines from '../../store/spreadsheets/import-lines.ts';
import { describeCohort, findCohort } from '../../store/study/cohorts.ts';
import { findExternalSystems } from '../../store/study/external-systems.ts';
import { findWorkflow, findWorkflowRevision } from '../../store/workflows/workflows.ts';
import { importMappingHandlers, type MappingOperation } from './import-mappings.ts';
import { readMapping } from './read-mapping.ts';
import { receiveHeader, receiveLines } from './receive-file.ts';
import { showImport, showLine } from './show-import.ts';

type ImportHandlers = Handlers<typeof importOperations>;
type ImportCall = Pick<Call, 'database' | 'account' | 'author' | 'links'> & { params: { id: number } };
type Row = imports.ImportRow;

const maxUnended = 20;
const [defaultImports, defaultRows] = [50, 100];

const own: Omit<ImportHandlers, MappingOperation> = {
  async createImport(call) {
    const file = call.upload();
    try {
      return await receive(call, file);
    } catch (error) {
      // Discards the rest of a file that is refused.
      await file.return(undefined);
      throw error;
    }
  },

  async listImports({ database: { db }, account, query, links }) {
    const { before, limit = defaultImports } = query;
    const found = await imports.listImports(db, account, { before, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const next = () => (found.length > limit ? rows.at(-1)?.id : undefined);
    return { ...ok({ imports: rows.map((row) => showImport(links, row)) }), next, nextBy: 'before' };
  },

  async getImport({ database: { db }, account, params, links }) {
    return ok(showImport(links, await imports.getImport(db, account, params.id)));
  },

  async updateImport(call) {
    const { columns, workflow_id: workflow } = call.body;
    const workflowId = workflow === undefined ? undefined : await findWorkflowId(call, workflow, '/workflow_id');
    return changeStatus(call, {
      from: ['checking', 'checked'],
      otherwise: 'Only an import that was not applied can be changed.',
      changes: async (row) => {
        const mapping = columns && readMapping(columns, row.headers);
        if (mapping) await requireSystems(call, row, mapping);
        return {
          ...(mapping && { mapping, mapping_name: null }),
          ...(workflowId !== undefined && { workflow_id: workflowId }),
          ...unchecked(row),
        };
      },
    });
  },

  async listImportFaults({ database: { db }, account, params, query }) {
    const { headers } = await imports.getImport(db, account, params.id);
    const page = screenPage(query, defaultRows);
    const place = query.column === undefined ? undefined : headers.indexOf(query.column) + 1;
    if (place === 0) throw invalid({ pointer: '?column', detail: `?column is not a column of the file.` });
    const found = await lines.listFaults(db, params.id, { ...page, place, limit: page.limit + 1 });
    const rows = found.slice(0, page.limit);
    const next = () => (found.length > page.limit ? rows.at(-1)?.number : undefined);
    const shown = rows.map(({ number, line, place: column, value, detail }) => ({
      number,
      line,
      column: headers[column - 1] ?? null,
      value,
      detail,
    }));
    return { ...ok({ faults: shown }), next };
  },

  async listImportLines({ database: { db }, account, params, query }) {
    await imports.getImport(db, account, params.id);
    const page = screenPage(query, defaultRows);
    const found = await lines.listLines(db, params.id, { ...page, result: query.result });
    const next = () => (found.isLast ? undefined : found.lines.at(-1)?.line);
    return { ...ok({ lines: found.lines.map(showLine) }), next };
  },

  applyImport: (call) =>
    changeStatus(call, {
      from: ['checked'],
      repeated: 'running',
      otherwise: 'Only an import that has been checked can be applied, and only once.',
      changes: async ({ ready }) => ({
        ...asNow(call),
        ...(ready === 0 && { status: 'finished' }),
        position: 0,
        // From now on, they count what was created.
        new_subjects: 0,
        new_experiments: 0,
      }),
    }),

  pauseImport: (call) =>
    changeStatus(call, {
      from: ['running'],
      repeated: 'paused',
      otherwise: 'Only a running import can be paused.',
      changes: async () => ({ status: 'paused' }),
    }),

  resumeImport: (call) =>
    changeStatus(call, {
      from: ['paused'],
      repeated: 'running',
      otherwise: 'Only a paused import can be resumed.',
      changes: async () => asNow(call),
    }),

  stopImport: (call) =>
    changeStatus(call, {
      from: ['uploading', 'checking', 'checked', 'running', 'paused'],
      repeated: 'stopped',
      otherwise: 'The import has already finished.',
      changes: async () => ({ status: 'stopped' }),
    }),
};

export const importHandlers: ImportHandlers = { ...own, ...importMappingHandlers };

type NewImportCall = Parameters<ImportHandlers['createImport']>[0];

async function receive(call: NewImportCall, bytes: AsyncIterable<Buffer>) {
  const { database, account, query, author, links } = call;
  const { cohort_id, file_name = 'spreadsheet.csv', encoding = 'utf-8' } = query;
  const workflow_id = await findWorkflowId(call, query.workflow_id);
  await requireCohort(call, cohort_id);
  const { lines: received, ...file } = await receiveHeader(database.db, cohort_id, { file: bytes, encoding });
  const id = await inTransaction(database.db, async (tx) => {
    await requireFewUnended(tx, account.id);
    const by = { author_id: account.id, token_id: account.token?.id ?? null, request_id: author.requestId };
    const inserted = await imports.insertImport(tx, { ...by, ...file, cohort_id, workflow_id, file_name, encoding });
    await record(tx, call, { before: null, after: { import_id: inserted, cohort_id } });
    return inserted;
  });
  return created(showImport(links, await storeLines(call, id, received)));
}

/** The file is refused as a whole if it cannot be read to its end. */
async function storeLines(
  call: Pick<Call, 'database' | 'account'>,
  id: number,
  received: Parameters<typeof receiveLines>[2],
) {
  const { database, account } = call;
  try {
    const count = await receiveLines(database.db, id, received);
    if (count === 0) throw invalid({ pointer: '', detail: 'The file has a header, but no lines.' });
    return await inTransaction(database.db, async (tx) => {
      const row = await imports.lockImport(tx, account, id);
      if (row.status === 'uploading') await imports.updateImport(tx, id, { status: 'checking', lines: count });
      return imports.getImport(tx, account, id);
    });
  } catch (error) {
    const stopped_because = error instanceof Problem ? error.message : uploadInterrupted;
    await inTransaction(database.db, async (tx) => {
      const { status } = await imports.lockImport(tx, account, id);
      if (status === 'uploading') await imports.updateImport(tx, id, { status: 'stopped', stopped_because });
      await lines.removeLines(tx, id);
    });
    throw error;
  }
}

/** From now on, it depends on the API token of this request. */
const asNow = ({ account }: Pick<Call, 'account'>) => ({
  status: 'running' as const,
  token_id: account.token?.id ?? null,
});

const unchecked = (row: Row) => ({
  status: 'checking' as const,
  checked_at: null,
  cleared: false,
  position: 0,
  ready: 0,
  unchanged: 0,
  faulty: 0,
  new_subjects: 0,
  new_experiments: 0,
  column_faults: imports.noFaults(row.headers),
});

interface StatusChange {
  from: readonly ImportStatus[];
  /** A repeated request finds this status and changes nothing. */
  repeated?: ImportStatus;
  otherwise: string;
  changes: (row: Row) => Promise<imports.ImportUpdate & { status: ImportStatus }>;
}

async function changeStatus(call: ImportCall, { from, repeated, otherwise, changes }: StatusChange) {
  const { database, account, params, links } = call;
  return inTransaction(database.db, async (tx) => {
    const row = await imports.lockImport(tx, account, params.id);
    if (row.status === repeated) return ok(showImport(links, row));
    if (!from.includes(row.status)) throw new Problem('status_conflict', `${otherwise} Its status is ${row.status}.`);
    const wanted = await changes(row);
    await imports.updateImport(tx, row.id, wanted);
    const before = { import_id: row.id, status: row.status };
    await record(tx, call, { before, after: { import_id: row.id, status: wanted.status } });
    return ok(showImport(links, await imports.getImport(tx, account, row.id)));
  });
}

async function requireCohort({ database, account }: Pick<Call, 'database' | 'account'>, id: number): Promise<void> {
  if (!(await findCohort(database.db, account.scope, { id })))
    throw referenceNotFound('?cohort_id', describeCohort({ id }));
}

/** Without an id, the newest workflow. Null if there is none. */
async function findWorkflowId(
  { database: { db } }: Pick<Call, 'database'>,
  id: number | undefined,
  pointer = '?workflow_id',
): Promise<number | null> {
  if (id === undefined) return (await findWorkflowRevision(db, undefined))?.id ?? null;
  if (!(await findWorkflow(db, { id }))) throw referenceNotFound(pointer, `workflow with id ${id}`);
  return id;
}

async function requireSystems(
  { database: { db } }: Pick<Call, 'database'>,
  { headers }: Row,
  mapping: readonly ColumnMapping[],
): Promise<void> {
  const named = mapping.map(({ target, name }) => (target.endsWith('_id') ? name : undefined));
  const known = await findExternalSystems(
    db,
    named.filter((name) => name !== undefined),
  );
  const index = named.findIndex((name) => name !== undefined && !known.some((system) => system.system_name === name));
  if (index !== -1) throw referenceNotFound(`/columns/${headers[index]}/name`, `external system "${named[index]}"`);
}

/** Locks the author, so that concurrent requests do not exceed the limit. */
async function requireFewUnended(tx: Tx, authorId: number): Promise<void> {
  await lockUser(tx, authorId);
  if ((await imports.countUnended(tx, authorId)) < maxUnended) return;
  const detail = `You have ${maxUnended} imports that have not ended. Stop those that you no longer need.`;
  throw new Problem('too_many_imports', detail);
}

const record = (
  tx: Tx,
  { author, account }: Pick<Call, 'author' | 'account'>,
  change: { before: object | null; after: object },
) => recordChange(tx, author, { objectKind: 'user', objectId: account.id, ...change });
