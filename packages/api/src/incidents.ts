/** What the specification lacks for those who watch over runs: what needs somebody's attention. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';

export const incidentKinds = ['brake', 'unclaimed', 'failed', 'timed_out', 'no_way_on'] as const;
export const incidentStates = ['open', 'closed', 'all'] as const;

const Kind = v.oneOf(incidentKinds, {
  description:
    'brake: it moved too often by itself and was stopped. unclaimed: no worker takes an execution. failed, timed_out: a ' +
    'callback ended so, and the experiment stayed. no_way_on: all went well, and no transition held.',
});

export const Incident = v.resource('Incident', 'Something about an experiment that needs the attention of a person.', {
  id: v.Id,
  kind: Kind,
  experiment: v.Ref,
  action: v.nullable(v.IdAndUri),
  execution: v.nullable(v.IdAndUri),
  detail: Type.String(),
  opened_at: v.Time,
  closed_at: v.nullable(v.Time),
});

const IncidentFilters = v.closed({
  kind: Type.Optional(v.oneOf(incidentKinds, { description: 'Only incidents of this kind.' })),
  experiment_id: Type.Optional({ ...v.Id, description: 'Only incidents of this experiment.' }),
  state: Type.Optional(v.oneOf(incidentStates, { description: 'Default: open.' })),
  ...v.page,
});

export const incidentOperations = defineOperations({
  listIncidents: {
    method: 'GET',
    path: '/incidents',
    summary: 'List incidents',
    description:
      'What needs attention, ordered by id: the open ones, unless `state` asks for others. An incident closes by itself ' +
      'when its cause is gone, at the latest with the next action of the experiment.',
    access: signedIn,
    query: IncidentFilters,
    response: v.listOf('incidents', Incident),
    statuses: { 200: 'The incidents. An unknown experiment has none.' },
    example: {
      response: {
        incidents: [
          {
            id: 17,
            kind: 'failed',
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
            action: { id: 530, uri: '/api/v2/actions/530' },
            execution: { id: 914, uri: '/api/v2/callback_executions/914' },
            detail: 'check_protocol failed: the archive answered 403.',
            opened_at: '2026-02-17T11:04:31.007Z',
            closed_at: null,
          },
        ],
      },
    },
  },
});
