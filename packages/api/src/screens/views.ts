/** Saved views, beyond the specification: queries with an order and columns, under a name (docs/decisions/0045). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { maxQueryLength } from '../queries/terms.ts';
import * as v from '../values.ts';
import { searchSorts } from './experiment-search.ts';

/** Of one owner. */
export const maxViews = 100;
export const countedViews = 20;
const maxColumns = 30;

const Name = { ...v.SystemName, description: 'Unique among the views of its owner, in upper or lower case.' };
const QueryText = Type.String({
  maxLength: maxQueryLength,
  description: 'A query, such as `state:visual_qc assigned:me`. The empty query finds all experiments.',
});
const Sort = v.oneOf(
  searchSorts.flatMap((name) => [name, `-${name}` as const]),
  { description: 'The order of `/experiments/search`.' },
);
const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: maxColumns,
  uniqueItems: true,
  description:
    'The columns of the table, such as `state` or `var.scanner`. Empty for those that pages show by default.',
});
const CohortId = v.Id;

export const View = v.resource('View', 'A saved query with its order and columns.', {
  id: v.Id,
  uri: v.Uri,
  name: Name,
  query: QueryText,
  sort: Sort,
  columns: Columns,
  owner: v.UserName,
  shared: Type.Boolean({
    description: 'Whether all users who can read its cohort see it. Otherwise, only its owner does.',
  }),
  cohort: {
    ...v.nullable(v.Ref),
    description: 'The cohort with which it is shared. Null if it is private, or if you can no longer read the cohort.',
  },
  created_at: v.Time,
  changed_at: v.Time,
});

export const ViewCount = v.resource('ViewCount', 'The number of experiments that the query of a view finds.', {
  view_id: v.Id,
  experiments: v.nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Null if the query is too broad to count, or names something that does not exist or that you cannot read.',
    }),
  ),
  more: Type.Boolean({ description: 'Whether the number is a minimum, because counting stopped early.' }),
});

const viewExample = {
  id: 12,
  uri: '/api/v2/views/12',
  name: 'My visual QC',
  query: 'state:visual_qc assigned:me',
  sort: '-in-state',
  columns: ['state', 'var.scanner', 'external.XNAT'],
  owner: { id: 5, name: 'Amina Haddad' },
  shared: true,
  cohort: { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' },
  created_at: '2026-02-16T10:51:12.400Z',
  changed_at: '2026-02-16T10:51:12.400Z',
};

const noView = 'No view has this id, or it is a private view of another user.';
const noSharing = 'You do not have the permission `sample_update` in the cohort';

export const viewOperations = defineOperations({
  listViews: {
    method: 'GET',
    path: '/views',
    summary: 'List saved views',
    description: 'Returns your own views, and those that are shared with a cohort that you can read. Ordered by name.',
    access: signedIn,
    query: v.closed(v.screenPage(maxViews)),
    response: v.listOf('views', View),
    statuses: { 200: 'The views.', 400: 'The request is invalid, or the view of `after` no longer exists.' },
    example: { response: { views: [viewExample] } },
  },
  getViewCounts: {
    method: 'GET',
    path: '/views/counts',
    summary: 'Count the experiments of saved views',
    description:
      `Returns the number of experiments for each of the first ${countedViews} views of \`/views\`. Only experiments that you can read count, ` +
      'and `assigned:me` means you. Numbers above 10,000 are a minimum.',
    access: signedIn,
    response: v.closed({ counts: Type.Array(ViewCount) }),
    statuses: { 200: 'The counts.' },
    example: { response: { counts: [{ view_id: 12, experiments: 41, more: false }] } },
  },
  createView: {
    method: 'POST',
    path: '/views',
    summary: 'Save a view',
    description:
      'The view is private, unless `cohort_id` shares it with all users who can read this cohort. Sharing requires the permission ' +
      `\`sample_update\` in the cohort. A user can have ${maxViews} views. \`Idempotency-Key\` is ignored, because a query can contain labels of ` +
      'subjects, which must not be stored twice. A repeated request returns 409.',
    access: signedIn,
    version: 'shown',
    idempotencyKey: 'ignored',
    body: v.closed({
      name: Name,
      query: QueryText,
      sort: v.optional({ ...Sort, description: 'The order of `/experiments/search`. Default: `id`.' }),
      columns: v.optional(Columns),
      cohort_id: v.optional({ ...CohortId, description: 'The cohort with which the view is shared.' }),
    }),
    response: View,
    statuses: {
      201: 'The view was saved.',
      400: 'The request is invalid, or the query has an error. `errors` has the column and length of the word.',
      403: `${noSharing}.`,
      404: 'No cohort has this id.',
      409: `You have a view with this name, or you have ${maxViews} views.`,
    },
    example: {
      body: { name: viewExample.name, query: viewExample.query, sort: '-in-state', cohort_id: 7 },
      response: viewExample,
    },
  },
  getView: {
    method: 'GET',
    path: '/views/{id}',
    summary: 'Read a saved view',
    description: 'Private views of other users are not found, even by administrators.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: View,
    statuses: { 200: 'The view.', 404: noView },
    example: { response: viewExample },
  },
  updateView: {
    method: 'PUT',
    path: '/views/{id}',
    summary: 'Change a saved view',
    description:
      'Only its owner can change a view. Absent fields keep their values. Null for `cohort_id` makes it private. A shared view requires the ' +
      'permission `sample_update` in its cohort. `Idempotency-Key` is ignored.',
    access: signedIn,
    version: 'checked',
    idempotencyKey: 'ignored',
    params: v.ById,
    body: v.closed({
      name: v.optional(Name),
      query: v.optional(QueryText),
      sort: v.optional(Sort),
      columns: v.optional(Columns),
      cohort_id: v.clearable(CohortId),
      ...v.readOnly('id', 'uri', 'owner', 'shared', 'cohort', 'created_at', 'changed_at'),
    }),
    response: View,
    statuses: {
      200: 'The view.',
      400: 'The request is invalid, or the query has an error. `errors` has the column and length of the word.',
      403: `You do not own the view. Or it is shared, and you do not have the permission \`sample_update\` in its cohort.`,
      404: `${noView} Or no cohort has the given id.`,
      409: 'You have another view with this name.',
    },
    example: { body: { columns: ['state', 'var.scanner', 'external.XNAT'] }, response: viewExample },
  },
  deleteView: {
    method: 'DELETE',
    path: '/views/{id}',
    summary: 'Delete a saved view',
    description:
      'Its owner can delete a view. Users who can change its cohort (permission `sample_add`) can delete a shared view. ' +
      '`Idempotency-Key` is ignored.',
    access: signedIn,
    version: 'checked',
    idempotencyKey: 'ignored',
    params: v.ById,
    response: View,
    statuses: {
      200: 'The deleted view.',
      403: 'You do not own the view and cannot change its cohort.',
      404: noView,
    },
    example: { response: viewExample },
  },
});
