/** Causes of failed runs, with the experiments that they concern (docs/decisions/0023). */
import type { AttentionGroup, attentionGroupOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { withoutValues } from '../../causes/group-cause.ts';
import type { Handlers } from '../../http/call.ts';
import { listAttentionGroups, type AttentionGroup as Group } from '../../store/screens/attention-groups.ts';
import { keyOfIncident } from '../../store/screens/attention.ts';
import { readAttentionItems, type AttentionItem } from '../../store/screens/attention-items.ts';
import { readFilter, showItem, withFollowUps } from './attention.ts';

export const attentionGroupHandlers: Handlers<typeof attentionGroupOperations> = {
  async getAttentionGroups(call) {
    const {
      database: { db },
      account: { scope },
      query,
      links,
    } = call;
    const filter = { ...(await readFilter(call, query)), kind: query.kind };
    const { groups: listed, more } = await listAttentionGroups(db, scope, filter);
    const keys = listed.map(({ incident_id: id }) => keyOfIncident(id));
    const items = await readAttentionItems(db, { scope, ...filter }, keys);
    const shown = await withFollowUps(
      call,
      filter,
      items.map((item) => showItem(links, item)),
    );
    const examples = new Map(items.map((item, place) => [item.key, { item, shown: shown[place] }]));
    const groups = listed.flatMap((group) => {
      const { item, shown: example } = examples.get(keyOfIncident(group.incident_id)) ?? {};
      return item && example ? [{ ...showGroup(group, item), example }] : [];
    });
    return { status: 200, body: { groups, more } };
  },
};

const showGroup = (group: Group, example: AttentionItem): Omit<Static<typeof AttentionGroup>, 'example'> => ({
  cause_group: group.cause_group,
  callback: example.callback ?? '',
  title: titleOf(group, example),
  experiments: group.experiments,
  cohorts: group.cohorts,
  new: group.new,
});

function titleOf({ experiments }: Group, { cause }: AttentionItem): string {
  if (cause === null) return 'No reason given';
  return experiments === 1 ? cause : withoutValues(cause);
}
