/** The outcome that represents an incident. */
import type { BodyOf } from '../api/operation-query.ts';
import type { OutcomeName } from './outcome.tsx';

export type IncidentKind = BodyOf<'getExperimentOverview'>['incidents'][number]['kind'];

const outcomes = {
  failed: 'failed',
  timed_out: 'timed_out',
  brake: 'blocked',
  no_way_on: 'blocked',
  unclaimed: 'blocked',
} as const satisfies Record<IncidentKind, OutcomeName>;

const worstFirst = ['blocked', 'failed', 'timed_out'] as const;

export const incidentOutcome = (kind: IncidentKind) => outcomes[kind];

/** The outcome of the worst incident. */
export const worstIncident = (kinds: readonly IncidentKind[]): OutcomeName | undefined =>
  worstFirst.find((outcome) => kinds.some((kind) => outcomes[kind] === outcome));
