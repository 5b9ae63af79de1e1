import type { viewOperations } from '@milepost/api';
import {
  found,
  invalid,
  invalidPaging,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
} from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const viewBody = (world: World, more: object = {}) => ({ name: world.fresh('view'), query: 'incident:any', ...more });

/** A private view of the administrator, whose requests can also be sent by its next owner. */
async function ownView(world: World) {
  const { body } = await world.call('createView', { body: viewBody(world) });
  const makeOwnedBy = (owner: string) =>
    world.sql('update views set owner_id = (select id from users where username = $2) where id = $1', [body.id, owner]);
  return { view: body, of: { params: { id: body.id }, as: 'admin' }, makeOwnedBy };
}

const byOwner = async (world: World) => ({ id: (await ownView(world)).view.id });

/** A view that the administrator shares with a new cohort. */
async function sharedView(world: World) {
  const cohort = await world.cohort();
  return (await world.call('createView', { body: viewBody(world, { cohort_id: cohort.id }) })).body;
}

export const viewCases: SectionCases<typeof viewOperations> = {
  listViews: {
    success: {
      'returns shared views, and no private views of others': async (world) => {
        const { username } = await world.user('user_read');
        await world.sql('delete from views');
        await ownView(world);
        return found({ as: username }, { views: [await sharedView(world)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': {
      'rejects a page after a view that does not exist': () => invalid({ query: { after: noSuchId } }, '?after'),
    },
    conflict: readsOnly,
  },
  getViewCounts: {
    success: {
      'counts the experiments of a view': async (world) => {
        const { id } = await world.experiment();
        await world.sql('delete from views');
        const query = `id:${id},${noSuchId}`;
        const { body } = await world.call('createView', { body: viewBody(world, { query }) });
        const counts = [{ view_id: body.id, experiments: 1, more: false }];
        return found({ as: 'admin' }, { counts });
      },
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  createView: {
    success: {
      'saves a private view': async (world) => {
        const body = viewBody(world);
        return {
          request: { body },
          status: 201,
          body: { ...body, sort: 'id', columns: [], shared: false, cohort: null },
          stored: {
            query: 'select query, sort, columns, cohort_id, version from views where name = $1',
            values: [body.name],
            rows: [{ query: body.query, sort: 'id', columns: [], cohort_id: null, version: '1' }],
          },
        };
      },
      'shares a view with a cohort': async (world) => {
        const { id, label } = await world.cohort();
        const { username } = await world.user('sample_update');
        const more = { sort: '-in-state', columns: ['state', 'var.scanner'] };
        const body = viewBody(world, more);
        return {
          request: { body: { ...body, cohort_id: id }, as: username },
          status: 201,
          body: { ...body, shared: true, cohort: { id, label } },
        };
      },
    },
    validation: {
      'rejects a missing name and a missing query': () => invalid({ body: {} }, '/name', '/query'),
      'rejects a query with an error': (world) => invalid({ body: viewBody(world, { query: 'stat:done' }) }, '/query'),
      'rejects an unknown order': (world) => invalid({ body: viewBody(world, { sort: 'size' }) }, '/sort'),
      'rejects 31 columns': (world) =>
        invalid(
          { body: viewBody(world, { columns: Array.from({ length: 31 }, (_, index) => `c${index}`) }) },
          '/columns',
        ),
      'rejects a name of 101 characters': () => invalid({ body: { name: 'x'.repeat(101), query: '' } }, '/name'),
    },
    'missing reference': {
      'returns 404 for an unknown cohort': (world) => missing({ body: viewBody(world, { cohort_id: noSuchId }) }),
    },
    conflict: {
      'rejects the name of another view of the user': async (world) => {
        const { view } = await ownView(world);
        return taken({ body: { name: view.name.toUpperCase(), query: '' }, as: 'admin' }, '/name');
      },
      'rejects more than 100 views of a user': async (world) => {
        const { id, username } = await world.user('user_read');
        await world.sql(
          `insert into views (owner_id, name, name_key, query) select $1, n::text, n::text, '' from generate_series(1, 100) n`,
          [id],
        );
        return { request: { body: viewBody(world), as: username }, status: 409, code: 'too_many_views' };
      },
    },
  },
  getView: {
    success: {
      'returns a view of the user': async (world) => {
        const { view, of, makeOwnedBy } = await ownView(world);
        return { ...found(of, { id: view.id, name: view.name, query: 'incident:any' }), makeOwnedBy };
      },
      'returns a shared view': async (world) => {
        const view = await sharedView(world);
        return found({ params: { id: view.id } }, view);
      },
    },
    validation: unknownParameter(byOwner),
    'missing reference': {
      ...missingParts(byOwner, { id: noSuchId }),
      'returns 404 for a private view of another user': async (world) => missing({ params: await byOwner(world) }),
    },
    conflict: readsOnly,
  },
  updateView: {
    success: {
      'changes the query': async (world) => {
        const { view, of, makeOwnedBy } = await ownView(world);
        const body = { query: 'state:done' };
        return {
          ...found({ ...of, body }, { id: view.id, name: view.name, ...body }),
          makeOwnedBy,
          stored: {
            query: 'select query, version from views where id = $1',
            values: [view.id],
            rows: [{ ...body, version: '2' }],
          },
        };
      },
      'changes the name with the body of a GET response': async (world) => {
        const { view, of } = await ownView(world);
        const name = world.fresh('view');
        return found({ ...of, body: { ...view, name } }, { id: view.id, name });
      },
    },
    validation: {
      'rejects a query with an error': async (world) =>
        invalid({ ...(await ownView(world)).of, body: { query: 'stat:done' } }, '/query'),
    },
    'missing reference': {
      ...missingParts(byOwner, { id: noSuchId }, { query: '' }),
      'returns 404 for an unknown cohort': async (world) =>
        missing({ ...(await ownView(world)).of, body: { cohort_id: noSuchId } }),
    },
    conflict: {
      'rejects the name of another view of the user': async (world) => {
        const { view } = await ownView(world);
        return taken({ ...(await ownView(world)).of, body: { name: view.name } }, '/name');
      },
    },
  },
  deleteView: {
    success: {
      'deletes a view of the user': async (world) => {
        const { view, of, makeOwnedBy } = await ownView(world);
        const stored = { query: 'select from views where id = $1', values: [view.id], rows: [] };
        return { ...found(of, { id: view.id }), makeOwnedBy, stored };
      },
    },
    validation: {
      'rejects a body': async (world) => invalid({ ...(await ownView(world)).of, body: { name: 'x' } }, ''),
    },
    'missing reference': missingParts(byOwner, { id: noSuchId }),
    conflict: none('A deleted view no longer exists.'),
  },
};
