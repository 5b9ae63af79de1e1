/** Items that need attention (docs/decisions/0023). */
import type { AttentionItem, attentionOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as attention from '../../store/screens/attention.ts';
import { readAttentionItems, type AttentionItem as Item } from '../../store/screens/attention-items.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { describeCause } from '../runs/describe-cause.ts';
import { showContext } from './experiment-rows.ts';

const defaultLimit = 100;
const defaultWaitingHours = 24;

export const attentionHandlers: Handlers<typeof attentionOperations> = {
  async listAttention(call) {
    const {
      database: { db },
      account,
      query,
      links,
      fields,
    } = call;
    const { kind, cohort_id: cohortId, waiting_hours: waitingHours = defaultWaitingHours, ...page } = query;
    const filter = { kind, cohortId, waitingHours };
    await requireNamedObjects(call, { cohort_id: { kind: 'cohort', id: cohortId } });
    const { ids, next } = await attention.listAttentionKeys(db, account.scope, filter, screenPage(page, defaultLimit));
    const body = await present(fields, {
      items: async () =>
        (await readAttentionItems(db, { scope: account.scope, cohortId }, ids)).map((item) => showItem(links, item)),
      counts: () => attention.countAttention(db, account.scope, filter),
    });
    return { status: 200, body, next };
  },
};

function showItem(links: Links, item: Item): Static<typeof AttentionItem> {
  const { queue, experiments, detail } = describeCause({ ...item, execution_id: item.passed_over, waiting: item });
  return {
    id: item.key,
    kind: item.kind,
    since: item.since,
    experiment: links.ref('experiments', { id: item.experiment_id, label: item.experiment_label }),
    ...showContext(links, item),
    scandate: item.scandate,
    queue,
    experiments,
    what: whatHappened({ ...item, detail }),
    execution_id: item.execution_id,
    incident_id: item.incident_id,
    attempt: item.attempt,
    next_attempt_at: item.next_attempt_at,
  };
}

/**
 * One sentence for a coordinator: the error of the callback, or else the detail of the incident. For a wait, the description of
 * the callback.
 */
function whatHappened({ kind, callback, last_error: error, description, detail }: Item): string {
  if (kind === 'blocked' || callback === null) return detail;
  if (kind === 'waiting') return `${callback}: ${firstLine(description ?? '') || 'no report yet'}`;
  const message = firstLine(error ?? '');
  return message === '' ? detail || `${callback}: no reason given` : `${callback}: ${message}`;
}

const maxLength = 300;

/** An error can include a stack trace. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
