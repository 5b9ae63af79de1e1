/** Open incidents of failed runs, grouped by callback and cause. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { CauseGroupKey } from '../runs/causes.ts';
import * as v from '../values.ts';
import { AttentionItem, attentionOperations, attentionScope } from './attention.ts';

export const AttentionGroup = v.resource(
  'AttentionGroup',
  'Experiments whose runs of one callback failed for the same cause.',
  {
    cause_group: {
      ...CauseGroupKey,
      description: 'Lists all of them as `cause_group` of `/attention` and `/incidents`.',
    },
    callback: v.Label,
    title: Type.String({
      description:
        'The cause. If it differs between the experiments, `…` takes the place of numbers, ids, paths, dates and quoted texts.',
    }),
    experiments: Type.Integer({ minimum: 1, maximum: 1000, description: '1,000 means 1,000 or more.' }),
    cohorts: Type.Integer({ minimum: 1, description: 'The number of cohorts of these experiments.' }),
    new: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Those that failed after `new_since` of `/attention`.',
    }),
    example: AttentionItem,
  },
);

const [example] = attentionOperations.listAttention.example.response.items;

export const attentionGroupOperations = defineOperations({
  getAttentionGroups: {
    method: 'GET',
    path: '/attention/groups',
    summary: 'Read the causes of failed runs',
    description:
      'Groups the open incidents of failed and timed-out runs by callback and cause. Causes that differ only in numbers, ids, ' +
      'paths, dates and quoted texts are the same. The largest groups come first, and at most 100 are listed. `example` is the incident that was opened first. `/attention` lists every incident.',
    access: signedIn,
    query: v.closed({ kind: Type.Optional(v.oneOf(['failed', 'timed_out'])), ...attentionScope }),
    response: v.closed({
      groups: Type.Array(AttentionGroup),
      more: Type.Boolean({ description: 'Whether there can be more groups.' }),
    }),
    statuses: { 200: 'The groups.', 400: 'The request is invalid, or the cohort does not exist.' },
    example: {
      response: {
        groups: [
          {
            cause_group: '12-9f86d081884c7d65',
            callback: 'segment',
            title: 'No space left on …',
            experiments: 28,
            cohorts: 3,
            new: 11,
            example,
          },
        ],
        more: false,
      },
    },
  },
});
