/** Search by label, and for experiments also by external ID (docs/decisions/0023, 0042). */
import type { SearchResult, searchOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import { findByText } from '../../store/queries/find-by-text.ts';
import { readFoundNames } from '../../store/queries/found-rows.ts';
import * as found from '../../store/screens/search.ts';

const defaultLimit = 10;

export const searchHandlers: Handlers<typeof searchOperations> = {
  async search(call) {
    const {
      database: { db },
      account: { scope },
      query: { q, limit = defaultLimit },
      links,
      fields,
    } = call;
    const body = await present(fields, {
      experiments: () => findExperiments(call, q, limit),
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

type FoundExperiment = Static<typeof SearchResult>['experiments'][number];

/** Those whose label starts with the text, then those that have it elsewhere. */
async function findExperiments(
  { database: { db }, account, links }: Pick<Call, 'database' | 'account' | 'links'>,
  text: string,
  limit: number,
): Promise<FoundExperiment[]> {
  const first = await found.searchExperiments(db, account.scope, text, limit);
  if (first.length >= limit) return first.map((row) => show(links, row, null));
  const known = new Set(first.map(({ id }) => id));
  const others = (await findByText(db, account.scope, text, limit)).filter((id) => !known.has(id));
  const ids = others.slice(0, limit - first.length);
  const rows = (await readFoundNames(db, ids)).map((row) => ({
    ...row,
    id: row.experiment_id,
    label: row.experiment_label,
  }));
  const sorted = rows.toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1));
  return [
    ...first.map((row) => show(links, row, null)),
    ...sorted.map((row) => show(links, row, externalIdWith(row.label, row.external_ids, text))),
  ];
}

/** The external ID that has the text. Null if the label has it. */
const externalIdWith = (label: string, externalIds: Record<string, string>, text: string): string | null => {
  const has = (one: string) => one.toLowerCase().includes(text.toLowerCase());
  return has(label) ? null : (Object.values(externalIds).find(has) ?? null);
};

const show = (links: Links, row: found.FoundExperiment, externalId: string | null): FoundExperiment => ({
  ...links.ref('experiments', row),
  web_uri: links.webUri('experiments', row.id),
  subject: links.ref('subjects', { id: row.subject_id, label: row.subject_label }),
  state: links.ref('states', { id: row.state_id, label: row.state_label }),
  external_id: externalId,
});
