/** Items that need attention: open incidents, overdue waits and automatic retries. */
import { Type } from 'typebox';
import { rowExample } from './experiment-rows.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const attentionKinds = ['failed', 'timed_out', 'waiting', 'blocked', 'retrying'] as const;

const kinds = {
  description:
    '`failed`, `timed_out`: a callback failed or timed out, and no transition applied. `waiting`: a report is overdue. ' +
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
  scandate: v.nullable(v.Scandate),
  queue: v.nullable(Type.String({ description: 'The queue, if the item is about all runs that wait in it.' })),
  experiments: Type.Integer({
    minimum: 1,
    description:
      'The number of your experiments. More than 1 only for a queue, and `experiment` is then the one whose run was created first.',
  }),
  what: Type.String({ description: 'A one-sentence summary.' }),
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
    failed: Count,
    timed_out: Count,
    waiting: Count,
    blocked: Count,
    retrying: Count,
    experiments: {
      ...Count,
      description: 'Experiments that need attention, each counted once. Those that are only retrying are not counted.',
    },
  },
);

const AttentionFilters = v.closed({
  kind: Type.Optional(v.oneOf(attentionKinds, kinds)),
  cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
  waiting_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 87_600, description: 'The hours after which a wait is overdue. Default: 24.' }),
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
      'Lists open incidents, then overdue waits, then automatic retries, each oldest first. `counts` covers all ' +
      'items, regardless of `kind` and the page. With `limit=0` the response contains only the counts.',
    access: signedIn,
    query: AttentionFilters,
    response: v.closed({ items: Type.Array(AttentionItem), counts: AttentionCounts }),
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
            scandate,
            queue: null,
            experiments: 1,
            what: 'segment: no space left on /scratch',
            execution_id: 914,
            incident_id: 17,
            attempt: 5,
            next_attempt_at: null,
          },
        ],
        counts: { failed: 1, timed_out: 0, waiting: 0, blocked: 0, retrying: 0, experiments: 1 },
      },
    },
  },
});
