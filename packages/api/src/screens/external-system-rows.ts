/** External systems with their last check and what uses them. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { ExternalSystem, externalSystemExample } from '../study/external-systems.ts';
import * as v from '../values.ts';

/** Counts of uses stop here. */
export const maxSystemUses = 1000;
/** The callbacks of a system that are listed. */
export const maxSystemCallbacks = 10;

const capped = (what: string) =>
  Type.Integer({ minimum: 0, maximum: maxSystemUses, description: `${what} 1,000 means 1,000 or more.` });
const error = (description: string) => v.nullable(Type.String({ maxLength: 500, description }));
const time = (description: string) => v.nullable({ ...v.Time, description });

const SystemCheck = v.closed({
  result: v.oneOf(['reachable', 'unreachable', 'not_allowed'], {
    description:
      '`reachable`: it responded with a status below 500. `unreachable`: it did not, see `error`. `not_allowed`: the worker sent no ' +
      'request, because its setting `MILEPOST_OUTGOING_ALLOW` does not allow the URL.',
  }),
  checked_at: { ...v.Time, description: 'When a worker checked it last. Workers check it every 5 minutes.' },
  latency_ms: v.nullable(
    Type.Integer({ minimum: 0, description: 'How long the response took. Null if it is not reachable.' }),
  ),
  error: error('Why it is unreachable or not allowed. Null if it is reachable.'),
  failing_since: time('The first check that failed. Null if it is not unreachable.'),
  last_error: error('Why it was last unreachable. A change of the URL clears it.'),
  last_error_at: time('When it was last unreachable.'),
});

const SystemCallback = v.closed({ callback: v.Ref, state: v.Ref, workflow: v.Ref });

export const ExternalSystemRow = v.resource(
  'ExternalSystemRow',
  'An external system with its last check and what uses it.',
  {
    ...ExternalSystem.properties,
    url: Type.String({ description: 'Empty if it has no URL. Such a system is not checked.' }),
    check: v.nullable({ ...SystemCheck, description: 'Null if no worker has checked this URL yet.' }),
    callbacks: v.closed({
      count: capped('The number of callbacks whose arguments name the system.'),
      workflows: capped('The number of workflows with such callbacks.'),
      first: Type.Array(SystemCallback, {
        description: `The first ${maxSystemCallbacks} of them, in the order of workflows and states.`,
      }),
    }),
    subjects: v.nullable(
      capped('The number of subjects with an ID in the system. Null for users with access to some cohorts only.'),
    ),
    experiments: v.nullable(
      capped('The number of experiments with an ID in the system. Null for users with access to some cohorts only.'),
    ),
  },
);

export const externalSystemRowOperations = defineOperations({
  listExternalSystemRows: {
    method: 'GET',
    path: '/external_system_rows',
    summary: 'List external systems with their last check',
    description:
      'The external systems, ordered by id, each with the result of its last check, the callbacks that use it, and the number of subjects ' +
      'and experiments with an ID there.',
    access: signedIn,
    query: v.closed(v.screenPage(100)),
    response: v.listOf('external_systems', ExternalSystemRow),
    statuses: { 200: 'The external systems.' },
    example: {
      response: {
        external_systems: [
          {
            ...externalSystemExample,
            check: {
              result: 'reachable',
              checked_at: '2026-11-15T08:30:00.000Z',
              latency_ms: 48,
              error: null,
              failing_since: null,
              last_error: 'Response 503.',
              last_error_at: '2026-11-14T02:10:00.000Z',
            },
            callbacks: {
              count: 1,
              workflows: 1,
              first: [
                {
                  callback: { id: 9, label: 'archive', uri: '/api/v2/callbacks/9' },
                  state: { id: 4, label: 'archiving', uri: '/api/v2/states/4' },
                  workflow: { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' },
                },
              ],
            },
            subjects: 312,
            experiments: 1000,
          },
        ],
      },
    },
  },
});
