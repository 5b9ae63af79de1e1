/** Items that need attention: decisions, open incidents, overdue waits and automatic retries. */
import { Type } from 'typebox';
import { rowExample } from './experiment-rows.ts';
import { defineOperations } from '../operation.ts';
import { anyAccount, signedIn } from '../permission.ts';
import { followUpFields } from '../experiments/follow-ups.ts';
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
  execution_id: v.nullable({
    ...v.Id,
    description: 'The run of the item. For a decision, the run that failed in the state before, if any.',
  }),
  incident_id: v.nullable(v.Id),
  attempt: v.nullable(Type.Integer({ minimum: 0, description: 'The number of the latest attempt of the execution.' })),
  next_attempt_at: v.nullable(v.Time),
  ...followUpFields,
  is_new: Type.Boolean({ description: 'Whether it began after `new_since`.' }),
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
    new: { ...Count, description: 'Items that began after `new_since`. Those that are only retrying are not counted.' },
    snoozed: { ...Count, description: 'Snoozed experiments. The other counts do not include them.' },
    experiments: {
      ...Count,
      description: 'Experiments that need attention, each counted once. Those that are only retrying are not counted.',
    },
    moving: v.nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Experiments that move without a user: those in states that are not final, without those that rest or need attention. ' +
          'Null if one of the other numbers is 10,000, and with `state_id` or `assignee`.',
      }),
    ),
    total: v.nullable(
      Type.Integer({
        minimum: 0,
        description: 'All your experiments, without those of withdrawn subjects. Null with `state_id` or `assignee`.',
      }),
    ),
  },
);

const StateExit = v.closed({
  transition_id: v.Id,
  title: { ...v.Label, description: 'The title of the transition, or else that of its destination.' },
  destination: v.Ref,
});

export const RestingState = v.resource('RestingState', 'Experiments that rest in a state until a user moves them.', {
  state: v.Ref,
  workflow: v.Ref,
  title: { ...v.Label, description: 'The title of the state, or its label if it has none.' },
  freetext: v.LongText,
  kind: v.oneOf(restingKinds, {
    description:
      '`decide`: users must decide. `undecided`: only users can move them, and the workflow file does not say whether they must.',
  }),
  exits: Type.Array(StateExit, { description: 'The transitions that users can take, in the order of the file.' }),
  experiments: { ...Count, description: 'Without snoozed ones. 10,000 means 10,000 or more.' },
  overdue: { ...Count, description: 'Those whose decision is overdue.' },
  since: { ...v.Time, description: 'The start of the longest wait.' },
});

/** The filters of experiments. */
export const attentionExperiments = {
  cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
  state_id: Type.Optional({ ...v.Id, description: 'Only experiments in this state.' }),
  assignee: Type.Optional(
    Type.String({
      pattern: '^(me|nobody|[1-9][0-9]{0,14})$',
      'x-wanted': 'must be `me`, `nobody` or the id of a user',
      description: 'Only experiments that are assigned to you (`me`), to `nobody`, or to the user with this id.',
    }),
  ),
};

/** The filters that lists and groups share. */
export const attentionScope = {
  ...attentionExperiments,
  only: Type.Optional(
    v.oneOf(['new', 'snoozed'], { description: 'Only items that began after `new_since`, or only snoozed ones.' }),
  ),
};

const AttentionFilters = v.closed({
  kind: Type.Optional(v.oneOf(attentionKinds, kinds)),
  ...attentionScope,
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
      'oldest first. Snoozed experiments are left out. `counts` and `states` cover all items, regardless of `kind`, `only` and ' +
      'the page. With `limit=0` the response contains no items.',
    access: signedIn,
    query: AttentionFilters,
    response: v.closed({
      items: Type.Array(AttentionItem),
      counts: AttentionCounts,
      states: Type.Array(RestingState, { description: 'The states in which experiments rest.' }),
      new_since: v.nullable({
        ...v.Time,
        description: 'When you last had the list open, before the current visit. Null before the second visit.',
      }),
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
            assignee: { id: 5, name: 'Amina Haddad' },
            snooze: null,
            is_new: true,
          },
        ],
        counts: {
          decide: 0,
          failed: 1,
          timed_out: 0,
          waiting: 0,
          blocked: 0,
          retrying: 0,
          new: 1,
          snoozed: 0,
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
            exits: [
              {
                transition_id: 6,
                title: 'Process',
                destination: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
              },
            ],
            experiments: 3,
            overdue: 0,
            since: '2026-02-16T09:12:00.000Z',
          },
        ],
        new_since: '2026-02-16T17:40:00.000Z',
      },
    },
  },
  visitAttention: {
    method: 'PUT',
    path: '/attention/visit',
    summary: 'Record a visit to the attention list',
    description:
      'A visit ends half an hour after its last request. When the next one begins, `new_since` becomes the time of that request. ' +
      'Not in the history.',
    access: anyAccount,
    response: v.closed({ new_since: v.nullable(v.Time) }),
    statuses: { 200: 'The visit is recorded.' },
    example: { response: { new_since: '2026-02-16T17:40:00.000Z' } },
  },
});
