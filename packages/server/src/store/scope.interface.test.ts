/**
 * Calls every exported store function that accepts a Scope or a Caller, and checks that it returns only rows in the scope. In every table,
 * the row with id 1 belongs to cohort 1 and the row with id 2 to cohort 2.
 *
 * @module-tag sql
 */
import { readsOfAudit } from '../../testing/scope-of-audit.ts';
import { readsOfAttention } from '../../testing/scope-of-attention.ts';
import { readsOfCounts } from '../../testing/scope-of-counts.ts';
import { readsOfDurations } from '../../testing/scope-of-durations.ts';
import { readsOfInsights } from '../../testing/scope-of-insights.ts';
import { readsOfImports } from '../../testing/scope-of-imports.ts';
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/open-database.ts';
import { twoCohorts } from '../../testing/rows/two-cohorts.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/test-database.ts';
import type { Database, Tx } from '../database/connection.ts';
import type { List } from '../database/read-list.ts';
import { inTransaction } from '../database/transaction.ts';
import { Problem } from '../errors.ts';
import * as actions from './experiments/actions.ts';
import * as cohorts from './study/cohorts.ts';
import * as erasures from './study/erasures.ts';
import * as executions from './runs/executions.ts';
import { listExecutions } from './runs/execution-list.ts';
import { ownWaiting } from './runs/queue-incidents.ts';
import { listExperimentRowIds } from './screens/experiment-row-ids.ts';
import * as experiments from './experiments/experiments.ts';
import * as links from './study/external-links.ts';
import * as incidents from './runs/incidents.ts';
import * as moves from './experiments/move-inputs.ts';
import { listConditionValues } from './experiments/condition-values.ts';
import { findUnknown } from './named-objects.ts';
import * as notes from './experiments/notes.ts';
import * as references from './reference-candidates.ts';
import * as scans from './study/scans.ts';
import type { PageOfKeys } from './screens/screen-page.ts';
import type { Caller } from './people/caller.ts';
import { allCohorts, noCohorts, type Scope } from './scope.ts';
import { executionParts, getShownExecution } from './runs/shown-execution.ts';
import { renewClaim } from './runs/worker-claims.ts';
import * as search from './screens/search.ts';
import * as subjects from './study/subjects.ts';
import { experimentIds, subjectIds } from './study/external-values.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => client.query(twoCohorts));
  database = openTestDatabase(testDatabase.databaseUrl);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

interface Row {
  id: number;
}

/** Returns the ids that are visible when the row with this id is requested. Lists ignore the id. */
type Read = (scope: Scope, id: number) => Promise<number[]>;

/** A caller with this scope, and one whose scope is known as soon as the row of the account was read. */
const callers: readonly ((scope: Scope) => Caller)[] = [
  (scope) => ({ id: 1, scope }),
  (scope) => {
    const caller: Caller = { id: 1, scope: noCohorts, confirm: async () => void Object.assign(caller, { scope }) };
    return caller;
  },
];

const one = async (row: Promise<Row | undefined>): Promise<number[]> => {
  try {
    return [(await row)?.id ?? []].flat();
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
};
const locked = (lock: (tx: Tx) => Promise<Row>) => one(inTransaction(database.db, lock));
const all = async (list: Promise<List<Row>>): Promise<number[]> => {
  const { rows: seen } = await list;
  if (!Array.isArray(seen)) throw new Error('a short list is an array');
  return seen.map(({ id }) => id);
};

const many = async (rowsOf: Promise<Row[]>): Promise<number[]> => (await rowsOf).map(({ id }) => id);

const keys = async (page: Promise<PageOfKeys>): Promise<number[]> => (await page).ids;
const wholePage = { limit: 10, offset: 0, after: 0 };

const bothLinks = [subjectIds, experimentIds];
const ofLinks = { ownerLabel: true, system: true };
const ofScans = { experimentLabel: true, scantype: true };
const anyIncident = { kind: undefined, experimentId: undefined, state: 'all' } as const;

/** By function, with one entry for each combination of arguments. */
const reads: Record<string, Read[]> = {
  findCohort: [
    (scope, id) => one(cohorts.findCohort(database.db, scope, { id })),
    (scope, id) => one(cohorts.findCohort(database.db, scope, { label: `c${id}` })),
  ],
  getCohort: [
    (scope, id) => one(cohorts.getCohort(database.db, scope, { id })),
    (scope, id) => one(cohorts.getCohort(database.db, scope, { label: `c${id}` })),
  ],
  findCohorts: [(scope, id) => many(cohorts.findCohorts(database.db, scope, [id]))],
  lockCohort: [(scope, id) => locked((tx) => cohorts.lockCohort(tx, scope, id))],
  listCohorts: [(scope) => all(cohorts.listCohorts(database, scope, {}))],
  findSubject: [
    (scope, id) => one(subjects.findSubject(database.db, scope, { id })),
    (scope, id) => one(subjects.findSubject(database.db, scope, { cohortId: id, label: `s${id}` })),
  ],
  getSubject: [
    (scope, id) => one(subjects.getSubject(database.db, scope, { id })),
    (scope, id) => one(subjects.getSubject(database.db, scope, { cohortId: id, label: `s${id}` })),
  ],
  lockAnySubject: [(scope, id) => locked((tx) => subjects.lockAnySubject(tx, scope, id))],
  lockSubject: [(scope, id) => locked((tx) => subjects.lockSubject(tx, scope, id))],
  listSubjects: [
    (scope) => all(subjects.listSubjects(database, scope, {}, {})),
    (scope, id) => all(subjects.listSubjects(database, scope, { cohortId: id }, {})),
  ],
  findExperiment: [
    (scope, id) => one(experiments.findExperiment(database.db, scope, { id, subjectId: id })),
    (scope, id) => one(experiments.findExperiment(database.db, scope, { subjectId: id, label: `exp${id}` })),
  ],
  getExperiment: [
    (scope, id) => one(experiments.getExperiment(database.db, scope, { id })),
    (scope, id) => one(experiments.getExperiment(database.db, scope, { subjectId: id, label: `exp${id}` })),
  ],
  getShownExperiment: callers.map(
    (callerWith) => (scope, id) => one(experiments.getShownExperiment(database.db, callerWith(scope), id)),
  ),
  lockExperiment: [(scope, id) => locked((tx) => experiments.lockExperiment(tx, scope, id))],
  listExperiments: [
    (scope) => all(experiments.listExperiments(database, scope, {}, {})),
    (scope, id) => all(experiments.listExperiments(database, scope, { subjectIds: [id] }, {})),
    (scope) => all(experiments.listExperiments(database, scope, { subjectIds: [1, 2] }, {})),
    (scope) => all(experiments.listExperiments(database, scope, { stateIds: [1] }, {})),
    (scope) => all(experiments.listExperiments(database, scope, { stateIds: [1, 2] }, {})),
    (scope, id) => all(experiments.listExperiments(database, scope, { label: `exp${id}` }, {})),
    (scope) =>
      all(experiments.listExperiments(database, scope, { scandate: { from: '2026-11-15', span: '1 day' } }, {})),
  ],
  getAction: [(scope, id) => one(actions.getAction(database.db, scope, id))],
  lockAction: [(scope, id) => locked((tx) => actions.lockAction(tx, scope, id))],
  listActions: [
    (scope) => all(actions.listActions(database, scope, {}, {})),
    (scope, id) => all(actions.listActions(database, scope, { experimentId: id }, {})),
  ],
  getExecution: [(scope, id) => one(executions.getExecution(database.db, scope, id))],
  getShownExecution: [(scope, id) => one(getShownExecution(database.db, scope, id, executionParts))],
  renewClaim: [
    (scope, id) => {
      const claim = { executionId: id, log: '', by: { attempt: 1, username: 'w' } };
      return one(renewClaim(database.db, scope, claim).then((found) => found && { id }));
    },
  ],
  listCallbackExecutions: [(scope) => all(executions.listCallbackExecutions(database, scope, 1, {}))],
  // Other filters are in execution-list.interface.test.ts.
  listExecutions: [
    (scope) => all(listExecutions(database, scope, {}, {})),
    (scope) => all(listExecutions(database, scope, { status: 'queued' }, {})),
  ],
  listIncidents: [
    (scope) => all(incidents.listIncidents(database, scope, { ...anyIncident, state: 'open' }, {})),
    (scope) => all(incidents.listIncidents(database, scope, { ...anyIncident, kind: 'failed' }, {})),
    (scope, id) => all(incidents.listIncidents(database, scope, { ...anyIncident, experimentId: id }, {})),
  ],
  getLink: bothLinks.map((of) => (scope, id) => one(links.getLink(database.db, scope, of, id, ofLinks))),
  getLinkByPair: bothLinks.map((of) => (scope, id) => {
    const pair = { ownerId: id, systemId: 1 };
    return one(links.getLinkByPair(database.db, scope, of, pair, ofLinks));
  }),
  listLinks: bothLinks.map((of) => (scope) => all(links.listLinks(database, scope, of, ofLinks, {}))),
  getScan: [(scope, id) => one(scans.getScan(database.db, scope, id, ofScans))],
  listScans: [(scope) => all(scans.listScans(database, scope, ofScans, {}))],
  listExperimentScans: [(scope, id) => many(scans.listExperimentScans(database.db, scope, id, 100))],
  findReferencedExperiments: [
    (scope, id) => many(references.findReferencedExperiments(database.db, scope, [{ id }])),
    (scope, id) => many(references.findReferencedExperiments(database.db, scope, [{ label: `exp${id}` }])),
  ],
  findReferencedSubjects: [
    (scope, id) => many(references.findReferencedSubjects(database.db, scope, [{ id }])),
    (scope, id) => many(references.findReferencedSubjects(database.db, scope, [{ label: `s${id}` }])),
  ],
  findUnknown: (['cohort', 'subject', 'experiment', 'action', 'callback_execution'] as const).map(
    (kind) => async (scope, id) => {
      const unknown = await findUnknown(database.db, scope, [{ kind, id }]);
      return unknown.length === 0 ? [id] : [];
    },
  ),
  listExperimentRowIds: [
    (scope) => keys(listExperimentRowIds(database.db, scope, {}, wholePage)),
    (scope, id) => keys(listExperimentRowIds(database.db, scope, { subjectId: id }, wholePage)),
    (scope, id) => keys(listExperimentRowIds(database.db, scope, { cohortId: id }, wholePage)),
    (scope) => keys(listExperimentRowIds(database.db, scope, { stateId: 1 }, wholePage)),
    (scope) => keys(listExperimentRowIds(database.db, scope, { workflowId: 1 }, wholePage)),
    (scope) => keys(listExperimentRowIds(database.db, scope, { label: 'E' }, wholePage)),
    (scope) => keys(listExperimentRowIds(database.db, scope, { incident: 'any' }, wholePage)),
    (scope) => keys(listExperimentRowIds(database.db, scope, { status: 'queued' }, wholePage)),
  ],
  ...readsOfAttention(() => database),
  ownWaiting: [
    async (scope, id) => {
      const { rows: found } = await sql<Row>`
        select waiting.experiment_id as id from incidents cross join lateral (${ownWaiting(scope, id)}) as waiting
        where incidents.queue is not null`.execute(database.db);
      return found.map((row) => row.id);
    },
  ],
  searchExperiments: [(scope) => many(search.searchExperiments(database.db, scope, 'E', 10))],
  searchSubjects: [(scope) => many(search.searchSubjects(database.db, scope, 'S', 10))],
  searchCohorts: [(scope) => many(search.searchCohorts(database.db, scope, 'C', 10))],
  ...readsOfDurations(() => database),
  ...readsOfInsights(() => database),
  ...readsOfImports(() => database),
  ...readsOfCounts(() => database),
  ...readsOfAudit(() => database),
  listNotes: [(scope, id) => all(notes.listNotes(database, scope, id, {}))],
  listLatestNotes: [(scope, id) => many(notes.listLatestNotes(database.db, scope, id, 100))],
  findErasure: [(scope, id) => one(erasures.findErasure(database.db, scope, id))],
  getErasure: [(scope, id) => one(erasures.getErasure(database.db, scope, id))],
  getNote: [(scope, id) => one(notes.getNote(database.db, scope, id))],
  getMoveInputs: [(scope, id) => one(moves.getMoveInputs(database.db, scope, id))],
  listMoveInputs: [(scope, id) => many(moves.listMoveInputs(database.db, scope, [id]))],
  getMoveInputsFor: callers.map(
    (callerWith) => (scope, id) => one(moves.getMoveInputsFor(database.db, callerWith(scope), id)),
  ),
  getInputsOfExecution: [
    (scope, id) => one(moves.getInputsOfExecution(database.db, scope, id).then(({ inputs }) => inputs)),
  ],
  listInputsOfExecutions: [
    async (scope, id) => (await moves.listInputsOfExecutions(database.db, scope, [id])).map(({ inputs }) => inputs.id),
  ],
  listConditionValues: [
    async (scope, id) => {
      const everything = { variables: true, externalIds: true, subjectExternalIds: true, resultValues: [] };
      return [...(await listConditionValues(database.db, scope, [{ id, version: 1, reads: everything }])).keys()];
    },
  ],
};

const calls = Object.entries(reads).flatMap(([name, its]) =>
  its.map((read, index) => ({ name, call: index + 1, read })),
);

describe.each(calls)('$name (call $call)', ({ read }) => {
  it.each([
    [1, 2],
    [2, 1],
  ])(
    'returns the row of cohort %i in the scope of that cohort, but not the row of cohort %i (V8.2.2, V8.4.1)',
    async (own, other) => {
      const scope: Scope = { kind: 'cohorts', ids: [own] };
      expect(await read(scope, own)).toEqual([own]);
      expect(await read(scope, other)).not.toContain(other);
    },
  );

  it('returns both rows in the scope of both cohorts or of all cohorts', async () => {
    for (const scope of [allCohorts, { kind: 'cohorts', ids: [1, 2] } as const]) {
      for (const id of [1, 2]) expect(await read(scope, id)).toContain(id);
    }
  });

  it('returns nothing in an empty scope', async () => {
    for (const id of [1, 2]) expect(await read({ kind: 'cohorts', ids: [] }, id)).toEqual([]);
  });
});

/** The exported functions whose source mentions Scope or Caller. Splits the source at top-level declarations. */
const functionsWithScope = (source: string): string[] =>
  source
    .split(/^(?=export |const |function |async function |interface |type )/m)
    .filter((part) => /\b(Scope|Caller)\b/.test(part))
    .flatMap((part) => /^export (?:const|(?:async )?function\*?) (\w+)/.exec(part)?.[1] ?? []);

/** Excludes the files that only implement the scope for the others. */
const isReader = (file: string) =>
  !/(^|\/)(scope|caller|find-by-experiments|experiment-order)\.ts$|\.test\.ts$/.test(file);

it('the calls cover every exported store function that accepts a Scope or a Caller', () => {
  const folder = new URL('.', import.meta.url);
  const files = globSync('**/*.ts', { cwd: folder }).filter(isReader);
  const found = files.flatMap((file) => functionsWithScope(readFileSync(new URL(file, folder), 'utf8')));
  expect(found.toSorted()).toEqual(Object.keys(reads).toSorted());
});
