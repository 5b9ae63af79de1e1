/** Continues the imports of spreadsheets that are due, a set of lines at a time. */
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
import { authorGone, inHalves, inSavepoint, runDueSets, runNextSet, Stopped, type DueWork } from '../due-sets.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { TryAgain } from './apply-plans.ts';
import { checkLines, countFaults, setSize } from './check-lines.ts';
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
    const prepared = await prepare(context, work);
    if (work.status === 'running') await importOrSplit(prepared, work);
    else if (!(await inSavepoint(prepared, () => checkLines(prepared, work)))) throw new Stopped(checkFailed);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await updateImport(context.db, work.id, { status: 'stopped', stopped_because: error.message });
  }
}

const checkFailed = 'The check failed with an unexpected error. See the log of the worker.';
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

/** Two writers of the same new row. The next try finds the row. */
const isConflict = (error: unknown) => error instanceof TryAgain || (error as { code?: unknown }).code === '23505';

async function importOrSplit(context: SetContext & ImportContext, work: DueImport): Promise<void> {
  const { linesPerSecond: perSecond } = context;
  const attempt = (limit: number) =>
    inSavepoint(context, () => importLines(context, work, { limit, perSecond }), isConflict);
  if (!(await inHalves(setSize, attempt))) await markFirstFaulty(context, work);
}

const failed = 'The import of this line failed with an unexpected error. See the log of the worker.';

async function markFirstFaulty({ db: tx }: SetContext, work: DueImport): Promise<void> {
  const { id, position: after, ready, faulty, column_faults } = work;
  const [first] = await listNextLines(tx, { importId: id, after, limit: 1 }, 'ready');
  if (!first) return;
  const nothing = { subject: null, experiment: null, state: null, newSubject: false, newExperiment: false };
  const fault = { line: first.line, place: 0, detail: failed };
  await saveOutcomes(tx, id, [{ line: first.line, result: 'faulty', ...nothing }]);
  await insertFaults(tx, id, [fault]);
  await updateImport(tx, id, {
    position: first.line,
    ready: ready - 1,
    faulty: faulty + 1,
    column_faults: countFaults(column_faults, [fault]),
    ...(ready === 1 && { status: 'finished' as const }),
  });
}
