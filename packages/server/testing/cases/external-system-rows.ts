import type { externalSystemRowOperations } from '@milepost/api';
import { found, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

export const externalSystemRowCases: SectionCases<typeof externalSystemRowOperations> = {
  listExternalSystemRows: {
    success: {
      'returns a new external system, which was not checked and is not used': async (world) => {
        const { id, name, url } = await world.system();
        const shown = { id, system_name: name, uri: `/api/v2/external_systems/${id}`, url, check: null };
        const unused = { callbacks: { count: 0, workflows: 0, first: [] }, subjects: 0, experiments: 0 };
        return found({ query: { after: id - 1, limit: 1 } }, { external_systems: [{ ...shown, ...unused }] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
