/** What needs somebody: ours, beyond the specification (docs/decisions/0023). */
import type { AttentionItem, attentionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Handlers } from '../http/call.ts';
import { present } from '../http/field-mask.ts';
import type { Links } from '../links.ts';
import * as attention from '../store/attention.ts';
import { readAttentionItems, type AttentionItem as Item } from '../store/attention-items.ts';
import { screenPage } from '../store/screen-page.ts';
import { showSurroundings } from './experiment-rows.ts';

const usualLimit = 100;
const usualWaitingHours = 24;

export const attentionHandlers: Handlers<typeof attentionOperations> = {
  async listAttention({ database: { db }, account, query, links, fields }) {
    const { kind, cohort_id: cohortId, waiting_hours: waitingHours = usualWaitingHours, ...page } = query;
    const filter = { kind, cohortId, waitingHours };
    const { ids, next } = await attention.listAttentionKeys(db, account.scope, filter, screenPage(page, usualLimit));
    const body = await present(fields, {
      items: async () => (await readAttentionItems(db, ids)).map((item) => showItem(links, item)),
      counts: () => attention.countAttention(db, account.scope, filter),
    });
    return { status: 200, body, next };
  },
};

const showItem = (links: Links, item: Item): Static<typeof AttentionItem> => ({
  id: item.key,
  kind: item.kind,
  since: item.since,
  experiment: links.ref('experiments', { id: item.experiment_id, label: item.experiment_label }),
  ...showSurroundings(links, item),
  scandate: item.scandate,
  what: whatHappened(item),
  execution_id: item.execution_id,
  incident_id: item.incident_id,
  attempt: item.attempt,
  next_attempt_at: item.next_attempt_at,
});

/**
 * One sentence for whoever knows the participants and not the servers: what the callback said of itself; else what was written
 * down when the incident was opened; of a wait, what it is for.
 */
function whatHappened({ kind, callback, last_error: error, description, detail }: Item): string {
  if (kind === 'blocked' || callback === null) return detail;
  if (kind === 'waiting') return `${callback}: ${firstLine(description ?? '') || 'nobody has reported yet'}`;
  const said = firstLine(error ?? '');
  return said === '' ? detail || `${callback}: no reason was given` : `${callback}: ${said}`;
}

const longestSentence = 300;

/** Errors may bring a whole trace along. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  return line.length > longestSentence ? `${line.slice(0, longestSentence)}…` : line;
}
