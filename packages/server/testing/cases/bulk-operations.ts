import type { bulkOperationOperations, BulkStatus } from '@milepost/api';
import { found, invalid, invalidPaging, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const insertOperation = `
  with operation as (
    insert into bulk_operations (kind, change, author_id, experiment_ids, starts_itself, rate, status, cohort_ids, experiments, ready,
      checked_at, ended_at)
    select 'note', '{"text": "Seen"}', users.id, array[experiments.id], false, 100, $2, array[experiments.cohort_id], 1, 1, now(),
      case when $2 in ('finished', 'stopped') then now() end
    from users, experiments where users.username = 'admin' and experiments.id = $1 returning id, experiment_ids, cohort_ids)
  insert into bulk_items (operation_id, number, experiment_id, cohort_id, checked_version, result)
  select id, 1, experiment_ids[1], cohort_ids[1], 1, 'ready' from operation returning operation_id::int as id`;

/** A note of the administrator to one experiment. Its requests can also be sent by its next author. */
async function operation(world: World, status: BulkStatus = 'checked') {
  const experiment = await world.experiment();
  const [{ id } = { id: 0 }] = await world.sql<{ id: number }>(insertOperation, [experiment.id, status]);
  const makeOwnedBy = (author: string) =>
    world.sql('update bulk_operations set author_id = (select id from users where username = $2) where id = $1', [
      id,
      author,
    ]);
  return { id, experiment, of: { params: { id }, as: 'admin' }, makeOwnedBy };
}

const byId = async (world: World) => ({ id: (await operation(world)).id });

const storedStatus = (id: number, status: BulkStatus) => ({
  query: 'select status from bulk_operations where id = $1',
  values: [id],
  rows: [{ status }],
});

const note = { kind: 'note', text: 'Seen' };
const permitted = async (world: World) => ({ as: (await world.user('sample_update')).username });

/** Pause, resume and stop: a repeated request changes nothing. */
const statusCases = (change: { from: BulkStatus; to: BulkStatus; conflicting: BulkStatus }) => ({
  success: {
    [`makes an operation ${change.to}`]: async (world: World) => {
      const { id, of, makeOwnedBy } = await operation(world, change.from);
      const stored = storedStatus(id, change.to);
      return { ...found(of, { id, status: change.to }), makeOwnedBy, stored };
    },
    'changes nothing if it is repeated': async (world: World) => {
      const { id, of } = await operation(world, change.to);
      return { ...found(of, { id, status: change.to }), recorded: { history: [], events: [] } };
    },
  },
  validation: {
    'rejects a body': async (world: World) => invalid({ ...(await operation(world)).of, body: { name: 'x' } }, ''),
  },
  'missing reference': missingParts(byId, { id: noSuchId }),
  conflict: {
    [`rejects an operation that is ${change.conflicting}`]: async (world: World) => ({
      request: (await operation(world, change.conflicting)).of,
      status: 409,
      code: 'status_conflict' as const,
    }),
  },
});

export const bulkOperationCases: SectionCases<typeof bulkOperationOperations> = {
  createBulkOperation: {
    success: {
      'takes ids and a reason, and is applied after the check': async (world) => {
        const { id } = await world.experiment();
        return {
          request: { body: { ...note, experiment_ids: [id], reason: 'again' }, ...(await permitted(world)) },
          status: 201,
          body: { ...note, status: 'checking', reason: 'again', query: null, experiments: 0 },
          stored: {
            query: `select kind, change, starts_itself, token_id from bulk_operations where experiment_ids = array[$1::bigint]`,
            values: [id],
            rows: [{ kind: 'note', change: { text: 'Seen' }, starts_itself: true, token_id: null }],
          },
        };
      },
      'takes a query, and waits after a dry run': async (world) => ({
        request: { body: { ...note, query: 'incident:any', dry_run: true }, ...(await permitted(world)) },
        status: 201,
        body: { status: 'checking', query: 'incident:any', reason: '' },
      }),
      'takes null as the user of an assignment': async (world) => ({
        request: {
          body: { kind: 'assign', user_id: null, query: 'incident:any', dry_run: true },
          ...(await permitted(world)),
        },
        status: 201,
        body: { kind: 'assign', user_id: null },
      }),
    },
    validation: {
      'rejects an unknown kind': async (world) =>
        invalid({ body: { kind: 'delete', query: '', dry_run: true }, ...(await permitted(world)) }, '/kind'),
      'rejects a missing field of the kind, a field of another kind and a missing reason': async (world) =>
        invalid(
          { body: { kind: 'note', state: 'done', query: '' }, ...(await permitted(world)) },
          '/text',
          '/state',
          '/reason',
        ),
      'rejects a request that chooses no experiments': async (world) =>
        invalid({ body: { ...note, dry_run: true }, ...(await permitted(world)) }, '/query'),
      'rejects ids together with a query': async (world) =>
        invalid(
          { body: { ...note, experiment_ids: [1], query: '', dry_run: true }, ...(await permitted(world)) },
          '/experiment_ids',
        ),
      'rejects null as dry_run, which would apply the change': async (world) =>
        invalid({ body: { ...note, query: '', reason: 'x', dry_run: null }, ...(await permitted(world)) }, '/dry_run'),
      'rejects a query with an error': async (world) =>
        invalid({ body: { ...note, query: 'stat:done', dry_run: true }, ...(await permitted(world)) }, '/query'),
    },
    'missing reference': {
      'returns 404 for the refused experiments of an unknown operation': async (world) =>
        missing({ body: { ...note, refused_of: noSuchId, dry_run: true }, ...(await permitted(world)) }, '/refused_of'),
    },
    conflict: {
      'rejects more than 20 operations of a user that have not ended': async (world) => {
        const { id, username } = await world.user('sample_update');
        await world.sql(
          `insert into bulk_operations (kind, change, author_id, query, starts_itself, rate)
           select 'retry', '{}', $1, '', false, 1 from generate_series(1, 20)`,
          [id],
        );
        const body = { ...note, query: '', dry_run: true };
        return { request: { body, as: username }, status: 409, code: 'too_many_bulk_operations' };
      },
    },
  },
  listBulkOperations: {
    success: {
      'returns the newest first': async (world) => {
        const [older, newer] = [await operation(world), await operation(world)];
        const shown = [{ id: newer.id }, { id: older.id }];
        await world.sql('delete from bulk_items where operation_id <> all($1)', [[older.id, newer.id]]);
        await world.sql('delete from bulk_operations where id <> all($1)', [[older.id, newer.id]]);
        return found({}, { bulk_operations: shown });
      },
      'returns only those of the user, before an id': async (world) => {
        const { id, username } = await world.user('sample_update');
        const [mine, newer] = [await operation(world), await operation(world)];
        for (const { makeOwnedBy } of [mine, newer]) await makeOwnedBy(username);
        const request = { query: { own: true, before: newer.id }, as: username };
        return found(request, { bulk_operations: [{ id: mine.id, author: { id } }] });
      },
    },
    validation: {
      'rejects a limit above 1000': () => invalid({ query: { limit: 1001 } }, '?limit'),
      'rejects `after`, because the list is ordered backwards': () => invalid({ query: { after: 1 } }, '?after'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getBulkOperation: {
    success: {
      'returns an operation with its counts': async (world) => {
        const { id, of, makeOwnedBy } = await operation(world);
        const body = { id, ...note, status: 'checked', experiments: 1, ready: 1, done: 0, refused: 0, refusals: [] };
        return { ...found(of, body), makeOwnedBy };
      },
      'returns an operation of another user whose experiments the user can read': async (world) => {
        const { id } = await operation(world);
        return found({ params: { id } }, { id });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  listBulkItems: {
    success: {
      'returns the experiments': async (world) => {
        const { of, makeOwnedBy, experiment } = await operation(world);
        const items = [{ number: 1, experiment_id: experiment.id, result: 'ready', code: null, detail: null }];
        return { ...found(of, { items }), makeOwnedBy };
      },
      'returns only those with a result': async (world) => {
        const { of } = await operation(world);
        return found({ ...of, query: { result: 'done' } }, { items: [] });
      },
    },
    validation: {
      ...invalidPaging(byId),
      'rejects an unknown result': async (world) =>
        invalid({ params: await byId(world), query: { result: 'open' } }, '?result'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  applyBulkOperation: {
    success: {
      'starts an operation that was checked': async (world) => {
        const { id, of, makeOwnedBy } = await operation(world);
        const body = { reason: 'again', rate: 7 };
        const stored = storedStatus(id, 'running');
        return { ...found({ ...of, body }, { id, status: 'running', ...body }), makeOwnedBy, stored };
      },
    },
    validation: {
      'rejects a missing reason': async (world) => invalid({ ...(await operation(world)).of, body: {} }, '/reason'),
      'rejects an empty reason and a rate of 0': async (world) =>
        invalid({ ...(await operation(world)).of, body: { reason: '', rate: 0 } }, '/reason', '/rate'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { reason: 'again' }),
    conflict: {
      'rejects an operation that is being checked': async (world) => ({
        request: { ...(await operation(world, 'checking')).of, body: { reason: 'again' } },
        status: 409,
        code: 'status_conflict',
      }),
      'rejects an operation that was applied': async (world) => ({
        request: { ...(await operation(world, 'running')).of, body: { reason: 'again' } },
        status: 409,
        code: 'status_conflict',
      }),
    },
  },
  pauseBulkOperation: statusCases({ from: 'running', to: 'paused', conflicting: 'checked' }),
  resumeBulkOperation: statusCases({ from: 'paused', to: 'running', conflicting: 'stopped' }),
  stopBulkOperation: statusCases({ from: 'checked', to: 'stopped', conflicting: 'finished' }),
};
