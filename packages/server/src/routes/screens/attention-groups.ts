/** Causes of failed runs, with the experiments that they concern (docs/decisions/0023). */
import type { AttentionGroup, attentionGroupOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { withoutValues } from '../../causes/group-cause.ts';
import type { Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { listAttentionGroups, maxGroups, type AttentionGroup as Group } from '../../store/screens/attention-groups.ts';
import { keyOfIncident } from '../../store/screens/attention.ts';
import { readAttentionItems, type AttentionItem } from '../../store/screens/attention-items.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { showItem } from './attention.ts';

export const attentionGroupHandlers: Handlers<typeof attentionGroupOperations> = {
  async getAttentionGroups(call) {
    const {
      database: { db },
      account: { scope },
      query: { cohort_id: cohortId },
      links,
    } = call;
    await requireNamedObjects(call, { cohort_id: { kind: 'cohort', id: cohortId } });
    const found = await listAttentionGroups(db, scope, { cohortId });
    const listed = found.slice(0, maxGroups);
    const keys = listed.map(({ incident_id: id }) => keyOfIncident(id));
    const examples = new Map((await readAttentionItems(db, { scope, cohortId }, keys)).map((item) => [item.key, item]));
    const groups = listed.flatMap((group) => {
      const example = examples.get(keyOfIncident(group.incident_id));
      return example ? [showGroup(links, group, example)] : [];
    });
    return { status: 200, body: { groups, more: found.length > maxGroups } };
  },
};

const showGroup = (links: Links, group: Group, example: AttentionItem): Static<typeof AttentionGroup> => ({
  cause_group: group.cause_group,
  callback: example.callback ?? '',
  title: titleOf(group, example),
  experiments: group.experiments,
  cohorts: group.cohorts,
  example: showItem(links, example),
});

function titleOf({ experiments }: Group, { cause }: AttentionItem): string {
  if (cause === null) return 'No reason given';
  return experiments === 1 ? cause : withoutValues(cause);
}
