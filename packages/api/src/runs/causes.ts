/** The cause of a failed run, beyond the specification, and the group of runs that failed for the same cause. */
import { Type } from 'typebox';
import * as v from '../values.ts';

export const Cause = v.nullable(
  Type.String({
    maxLength: 500,
    description:
      'Why the run failed or is retried: what the called server, the program or the worker said. Secrets are hidden. Null if ' +
      'it did not fail, or if nothing was said.',
  }),
);

export const CauseGroupKey = Type.String({ pattern: '^[0-9]{1,19}-(?:[0-9a-f]{16}|none)$' });

export const CauseGroup = v.nullable({
  ...CauseGroupKey,
  description:
    'The same for incidents of the same callback whose causes differ only in values, such as numbers and paths. Null if no run failed.',
});

export const causeGroupFilter = (description: string) => Type.Optional({ ...CauseGroupKey, description });
