/** Items that need attention: decisions, open incidents, overdue waits and automatic retries. */
import { Type } from 'typebox';
import { rowExample } from './experiment-rows.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { Cause, CauseGroup, CauseGroupKey } from '../runs/causes.ts';
import * as v from '../values.ts';

/** The kinds of the states in which experiments rest. */
export const restingKinds = ['decide', 'undecided'] as const;

export const attentionKinds = ['decide', 'failed', 'timed_out', 'waiting', 'blocked', 'retrying'] as const;

const kinds = {
  description:
    '`decide`: a user must decide. `failed`, `timed_out`: a callback failed or timed out, and no transition applied. `waiting`: a report is overdue. ' +
    '`blocked`: an incident of the kind `brake`, `unclaimed` or `no_way_on`. `retrying`: failed, and retrying automatically.',
};

export const AttentionItem = v.resource('AttentionItem', 'One reason why an experiment needs attention.', {
  id: { ...v.Id, description: 'The position in this list, for `after`. It is not the id of an object.' },
  kind: v.oneOf(attentionKinds, kinds),
  since: v.Time,
  experiment: v.Ref,
  subject: v.Ref,
  cohort: v.Ref,
  workflow: v.Ref,
  state: v.Ref,
  state_title: { ...v.Label, description: 'The title of the state, or its label if it has none.' },
  due_at: v.nullable({ ...v.Time, description: 'When a decision is due.' }),
  overdue: Type.Boolean({ description: 'Whether a decision is overdue.' }),
  scandate: v.nullable(v.Scandate),
  queue: v.nullable(Type.String({ description: 'The queue, if the item is about all runs that wait in it.' })),
  experiments: Type.Integer({
    minimum: 1,
    description:
      'The number of your experiments. More than 1 only for a queue, and `experiment` is then the one whose run was created first.',
  }),
  what: Type.String({ description: 'A one-sentence summary.' }),
  cause: Cause,
  error: v.nullable(Type.String({ description: 'The last error of the run, with the status code of a response.' })),
  cause_group: CauseGroup,
  execution_id: v.nullable(v.Id),
  incident_id: v.nullable(v.Id),
  attempt: v.nullable(Type.Integer({ minimum: 0, description: 'The number of the latest attempt of the execution.' })),
  next_attempt_at: v.nullable(v.Time),
});

const Count = Type.Integer({ minimum: 0, maximum: 10_000 });

export const AttentionCounts = v.resource(
  'AttentionCounts',
  'The number of items of each kind. 10,000 means 10,000 or more.',
  {
    decide: Count,
    failed: Count,
    timed_out: Count,
    waiting: Count,
    blocked: Count,
    retrying: Count,
    experiments: {
      ...Count,
      description: 'Experiments that need attention, each counted once. Those that are only retrying are not counted.',
    },
    moving: v.nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Experiments that move without a user: those in states that are not final, without those that rest or need attention. ' +
          'Null if one of the other counts is 10,000.',
      }),
    ),
    total: Type.Integer({ minimum: 0, description: 'All your experiments, without those of withdrawn subjects.' }),
  },
);

export const RestingState = v.resource('RestingState', 'Experiments that rest in a state until a user moves them.', {
  state: v.Ref,
  workflow: v.Ref,
  title: { ...v.Label, description: 'The title of the state, or its label if it has none.' },
  freetext: v.LongText,
  kind: v.oneOf(restingKinds, {
    description:
      '`decide`: users must decide. `undecided`: only users can move them, and the workflow file does not say whether they must.',
  }),
  experiments: Type.Integer({ minimum: 1 }),
  overdue: Type.Integer({ minimum: 0, description: 'Those whose decision is overdue.' }),
  since: { ...v.Time, description: 'The start of the longest wait.' },
});

const AttentionFilters = v.closed({
  kind: Type.Optional(v.oneOf(attentionKinds, kinds)),
  cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
  waiting_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 87_600, description: 'The hours after which a wait is overdue. Default: 24.' }),
  ),
  cause_group: Type.Optional(
    Type.Union([Type.Literal('none'), CauseGroupKey], {
      description: 'Only open incidents of this group, or `none` for items outside of groups.',
    }),
  ),
  ...v.screenPage(100),
});

const { subject, cohort, workflow, state, scandate } = rowExample;

export const attentionOperations = defineOperations({
  listAttention: {
    method: 'GET',
    path: '/attention',
    summary: 'List the items that need attention',
    description:
      'Lists decisions, those that are due first at the top, then open incidents, overdue waits and automatic retries, each ' +
      'oldest first. `counts` and `states` cover all items, regardless of `kind` and the page. With `limit=0` the response ' +
      'contains no items.',
    access: signedIn,
    query: AttentionFilters,
    response: v.closed({
      items: Type.Array(AttentionItem),
      counts: AttentionCounts,
      states: Type.Array(RestingState, { description: 'The states in which experiments rest.' }),
    }),
    statuses: { 200: 'The items.', 400: 'The request is invalid, or the cohort does not exist.' },
    example: {
      response: {
        items: [
          {
            id: 17,
            kind: 'failed',
            since: '2026-02-17T11:04:31.007Z',
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
            subject,
            cohort,
            workflow,
            state,
            state_title: 'Processed',
            due_at: null,
            overdue: false,
            scandate,
            queue: null,
            experiments: 1,
            what: 'segment: No space left on /scratch',
            cause: 'No space left on /scratch',
            error: 'Unexpected exit code: 1 (expected 0).',
            cause_group: '12-9f86d081884c7d65',
            execution_id: 914,
            incident_id: 17,
            attempt: 5,
            next_attempt_at: null,
          },
        ],
        counts: {
          decide: 0,
          failed: 1,
          timed_out: 0,
          waiting: 0,
          blocked: 0,
          retrying: 0,
          experiments: 1,
          moving: 40,
          total: 201,
        },
        states: [
          {
            state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
            workflow,
            title: 'Arrived',
            freetext: 'Scans are in the archive',
            kind: 'undecided',
            experiments: 3,
            overdue: 0,
            since: '2026-02-16T09:12:00.000Z',
          },
        ],
      },
    },
  },
});
