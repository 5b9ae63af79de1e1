/** Inputs for conditions, with defaults for everything that a test does not set. */
import type { CallbackOutcome, ConditionInputs } from '../src/conditions/evaluate-condition.ts';

interface Overrides {
  variables?: Record<string, unknown>;
  externalIds?: Record<string, string>;
  callbacks?: Record<string, CallbackOutcome>;
  scandate?: string | null;
}

export const conditionInputs = (given: Overrides = {}): ConditionInputs => ({
  experiment: {
    label: 'exp_1',
    scandate: given.scandate === undefined ? '2024-03-01T10:30:00' : given.scandate,
    state: 'arrived',
    variables: given.variables ?? {},
    external_ids: given.externalIds ?? {},
  },
  subject: { label: 'sub_1', external_ids: { XNAT: 'XNAT_S1' } },
  cohort: { label: 'cohort_1' },
  callbacks: given.callbacks ?? {},
  now: '2025-06-15T12:00:00.000Z',
});
