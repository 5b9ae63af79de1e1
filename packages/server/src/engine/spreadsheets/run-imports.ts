/** Continues the imports of spreadsheets that are due, a set of lines at a time. */
import type { Tx } from '../../database/connection.ts';
import { insertFaults, listNextLines, saveOutcomes } from '../../store/spreadsheets/import-lines.ts';
import {
  lockDueImport,
  postponeImport,
  secondsUntilDue,
  updateImport,
  type DueImport,
} from '../../store/spreadsheets/imports.ts';
import { readAuthorScopes } from '../../store/people/author-scopes.ts';
import { includesCohort } from '../../store/scope.ts';
import { findWorkflowRevision } from '../../store/workflows/workflows.ts';
import {
  authorGone,
  inHalves,
  inSavepoint,
  runDueSets,
  runNextSet,
  Stopped,
  stopIfTriedTooOften,
  unexpectedly,
  type DueWork,
} from '../due-sets.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { checkLines, clearCheck, countFaults, endCheck, setSize } from './check-lines.ts';
import { importLines } from './import-lines.ts';
import type { ImportContext } from './plan-lines.ts';

export type ImportWork = Omit<EngineContext, 'author'> & {
  /** The most lines that an import writes in a second. */
  linesPerSecond: number;
};

/** Returns if no import is due within a second. */
export const runImports = (context: ImportWork, signal?: AbortSignal): Promise<void> =>
  runDueSets(context, workOf(context), signal);

/** Returns whether an import was due. */
export const runImportSet = (context: ImportWork): Promise<boolean> => runNextSet(context, workOf(context));

const workOf = (context: ImportWork): DueWork<DueImport> => ({
  lockDue: lockDueImport,
  secondsUntilDue,
  postpone: postponeImport,
  runSet: async (tx, work, wake) => {
    const author = {
      kind: 'user' as const,
      id: work.author_id,
      requestId: work.request_id,
      operation: 'applyImport' as const,
    };
    await continueWith({ ...context, db: tx, author, wake }, work);
  },
});

type SetContext = Omit<ImportContext, 'model' | 'rights'> & ImportWork & Pick<ImportContext, 'db'>;

async function continueWith(context: SetContext, work: DueImport): Promise<void> {
  try {
    stopIfTriedTooOften(work);
    const prepared = await prepare(context, work);
    if (work.status === 'checking' && !work.cleared) return await clearCheck(context.db, work);
    const [first] = await listNextLines(
      context.db,
      { importId: work.id, after: work.position, limit: 1 },
      wanted(work),
    );
    if (!first) return await endLines(context.db, work);
    const run = (limit: number) => inSavepoint(prepared, () => runLines(prepared, work, limit));
    if (!(await inHalves(setSize, work, run))) await markFaulty(context.db, work, first);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await updateImport(context.db, work.id, { status: 'stopped', stopped_because: error.message });
  }
}

const lostPermission = 'The author lost the permission `sample_add` in the cohort.';

/** Reads the workflow and what the author can do at this moment. */
async function prepare(context: SetContext, work: DueImport): Promise<SetContext & ImportContext> {
  const { db, models } = context;
  const { cohort_id: cohortId, workflow_id: workflowId, revision } = work;
  const scopes = await readAuthorScopes(db, work, 'sample_add');
  if (!scopes.active) throw new Stopped(authorGone);
  if (!includesCohort(scopes.change, cohortId)) throw new Stopped(lostPermission);
  const may = async (permission: 'sample_update' | 'state_override') =>
    includesCohort((await readAuthorScopes(db, work, permission)).change, cohortId);
  const rights = { update: await may('sample_update'), override: await may('state_override') };
  // A workflow can have been imported since the upload.
  const workflow =
    workflowId === null
      ? await findWorkflowRevision(db, undefined)
      : { id: workflowId, revision: revision ?? undefined };
  const model = workflow && (await models.get(db, workflow.id, workflow.revision));
  return { ...context, scope: scopes.change, rights, model };
}

/** Something else can create or remove the same rows. The next try, with fewer lines, is planned with what is stored then. */
const runLines = (context: SetContext & ImportContext, work: DueImport, limit: number): Promise<void> =>
  work.status === 'running'
    ? importLines(context, work, { limit, perSecond: context.linesPerSecond })
    : checkLines(context, work, limit);

const failed = `This line ${unexpectedly}`;

const wanted = ({ status }: DueImport) => (status === 'running' ? 'ready' : undefined);

/** All lines have been checked or imported. */
const endLines = (tx: Tx, work: DueImport): Promise<void> =>
  work.status === 'running' ? updateImport(tx, work.id, { status: 'finished' }) : endCheck(tx, work);

async function markFaulty(tx: Tx, work: DueImport, { line }: { line: number }): Promise<void> {
  const { id, status, ready, faulty, column_faults } = work;
  const isImported = status === 'running';
  const nothing = { subject: null, experiment: null, state: null, newSubject: false, newExperiment: false };
  const fault = { line, place: 0, detail: failed };
  await saveOutcomes(tx, id, [{ line, result: 'faulty', ...nothing }]);
  await insertFaults(tx, id, [fault]);
  await updateImport(tx, id, {
    position: line,
    faulty: faulty + 1,
    column_faults: countFaults(column_faults, [fault]),
    ...(isImported && { ready: ready - 1 }),
    ...(isImported && ready === 1 && { status: 'finished' as const }),
  });
}
