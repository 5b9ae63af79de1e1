/** What needs somebody: incidents, waits that take too long, and what is being tried again. */
import { Type } from 'typebox';
import { rowExample } from './experiment-rows.ts';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';

export const attentionKinds = ['failed', 'timed_out', 'waiting', 'blocked', 'retrying'] as const;

const kinds = {
  description:
    'failed, timed_out: a callback ended so, and the experiment stayed. waiting: nobody has reported for long. blocked: ' +
    'stopped by the brake, not taken by any worker, or without a way on. retrying: failed, and will be tried again by itself.',
};

export const AttentionItem = v.resource('AttentionItem', 'One reason to look after an experiment.', {
  id: { ...v.Id, description: 'The place in this list, for `after`; nothing else is named by it.' },
  kind: v.oneOf(attentionKinds, kinds),
  since: v.Time,
  experiment: v.Ref,
  subject: v.Ref,
  cohort: v.Ref,
  workflow: v.Ref,
  state: v.Ref,
  scandate: v.nullable(v.Scandate),
  what: Type.String({ description: 'What happened, in one sentence.' }),
  execution_id: v.nullable(v.Id),
  incident_id: v.nullable(v.Id),
  attempt: v.nullable(Type.Integer({ minimum: 0, description: 'Of the execution: how often it was tried.' })),
  next_attempt_at: v.nullable(v.Time),
});

const Count = Type.Integer({ minimum: 0, maximum: 10_000 });

export const AttentionCounts = v.resource(
  'AttentionCounts',
  'How much of each kind there is. Counted up to 10,000, which means that many or more.',
  {
    failed: Count,
    timed_out: Count,
    waiting: Count,
    blocked: Count,
    retrying: Count,
    experiments: {
      ...Count,
      description: 'Those that need somebody: each once, and without those that are only retried.',
    },
  },
);

const AttentionFilters = v.closed({
  kind: Type.Optional(v.oneOf(attentionKinds, kinds)),
  cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
  waiting_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 87_600, description: 'How long a wait may take. Default: 24.' }),
  ),
  ...v.screenPage(100),
});

const { subject, cohort, workflow, state, scandate } = rowExample;

export const attentionOperations = defineOperations({
  listAttention: {
    method: 'GET',
    path: '/attention',
    summary: 'List what needs somebody',
    description:
      'First open incidents, then executions that have waited for too long, then those that are tried again, each the oldest ' +
      'first. `counts` counts all of them, whatever `kind` and the page are; with `limit=0` there is nothing else.',
    access: signedIn,
    query: AttentionFilters,
    response: v.closed({ items: Type.Array(AttentionItem), counts: AttentionCounts }),
    statuses: { 200: 'What needs somebody. An unknown cohort has nothing.' },
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
