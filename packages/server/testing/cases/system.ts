import type { systemOperations } from '@milepost/api';
import { found, unknownParameter } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

export const systemCases: SectionCases<typeof systemOperations> = {
  getSystem: {
    success: {
      'returns the state of the installation': () =>
        found({}, { migrations: { pending: [], unknown: [] }, database: { read_only: false } }),
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
