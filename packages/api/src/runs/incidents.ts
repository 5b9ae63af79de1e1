/** Incidents, beyond the specification: problems with experiments. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { Cause, CauseGroup, causeGroupFilter } from './causes.ts';
import { incidentKinds } from './choices.ts';

export const incidentStates = ['open', 'closed', 'all'] as const;

const Kind = v.oneOf(incidentKinds, {
  description:
    '`failed`, `timed_out`: a callback failed or timed out, and no transition applied. `no_way_on`: all callbacks ' +
    'succeeded, but no transition applied. `unclaimed`: runs of a queue wait, and no worker takes them. `brake`: the experiment moved ' +
    'automatically too often and was stopped.',
});

export const Incident = v.resource(
  'Incident',
  'A problem with an experiment, such as a failed callback, or with a queue.',
  {
    id: v.Id,
    kind: Kind,
    experiment: v.Ref,
    action: v.nullable(v.IdAndUri),
    execution: v.nullable(v.IdAndUri),
    queue: v.nullable(
      Type.String({
        description: 'The queue, for an incident of the kind `unclaimed`. `callbacks` is the queue of `milepost work`.',
      }),
    ),
    experiments: Type.Integer({
      minimum: 1,
      description:
        'The number of your experiments that the incident concerns. More than 1 only for a queue, and `experiment` is then the one whose run was created first.',
    }),
    cause: Cause,
    cause_group: CauseGroup,
    detail: Type.String(),
    opened_at: v.Time,
    closed_at: v.nullable(v.Time),
  },
);

const IncidentFilters = v.closed({
  kind: Type.Optional(v.oneOf(incidentKinds, { description: 'Only incidents of this kind.' })),
  experiment_id: Type.Optional({ ...v.Id, description: 'Only incidents of this experiment.' }),
  state: Type.Optional(v.oneOf(incidentStates, { description: 'Default: `open`.' })),
  cause_group: causeGroupFilter('Only open incidents of this group.'),
  ...v.page,
});

export const incidentOperations = defineOperations({
  listIncidents: {
    method: 'GET',
    path: '/incidents',
    summary: 'List incidents',
    description:
      'Open incidents, ordered by id. Use `state` to list closed ones. An incident of an experiment closes when its cause is ' +
      "resolved, at the latest with the experiment's next action. An incident of a queue closes when a worker takes its runs, " +
      'or when none waits any more. A queue has one incident, however many runs wait.',
    access: signedIn,
    query: IncidentFilters,
    response: v.listOf('incidents', Incident),
    statuses: { 200: 'The incidents.', 400: 'The request is invalid, or the experiment does not exist.' },
    example: {
      response: {
        incidents: [
          {
            id: 17,
            kind: 'failed',
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
            action: { id: 530, uri: '/api/v2/actions/530' },
            execution: { id: 914, uri: '/api/v2/callback_executions/914' },
            queue: null,
            experiments: 1,
            cause: 'Series 3 has no slices',
            cause_group: '12-9f86d081884c7d65',
            detail: 'check_protocol failed, and no transition out of arrived applies.',
            opened_at: '2026-02-17T11:04:31.007Z',
            closed_at: null,
          },
        ],
      },
    },
  },
});
