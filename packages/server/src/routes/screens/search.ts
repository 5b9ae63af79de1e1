/** Search by the beginning of a label (docs/decisions/0023). */
import type { searchOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import * as found from '../../store/screens/search.ts';

const defaultLimit = 10;

export const searchHandlers: Handlers<typeof searchOperations> = {
  async search({ database: { db }, account: { scope }, query: { q, limit = defaultLimit }, links, fields }) {
    const body = await present(fields, {
      experiments: async () =>
        (await found.searchExperiments(db, scope, q, limit)).map((row) => ({
          ...links.ref('experiments', row),
          web_uri: links.webUri('experiments', row.id),
          subject: links.ref('subjects', { id: row.subject_id, label: row.subject_label }),
          state: links.ref('states', { id: row.state_id, label: row.state_label }),
        })),
      subjects: async () =>
        (await found.searchSubjects(db, scope, q, limit)).map((row) => ({
          ...links.ref('subjects', row),
          web_uri: links.webUri('subjects', row.id),
          cohort: links.ref('cohorts', { id: row.cohort_id, label: row.cohort_label }),
        })),
      cohorts: async () => (await found.searchCohorts(db, scope, q, limit)).map((row) => links.ref('cohorts', row)),
      states: async () =>
        (await found.searchStates(db, q, limit)).map((row) => ({
          ...links.ref('states', row),
          workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
        })),
    });
    return ok(body);
  },
};
