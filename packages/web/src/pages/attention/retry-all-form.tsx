/** Retries the failed runs of a group of experiments as a bulk operation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { client } from '../../api/client.ts';
import { showOperation } from '../../bulk/bulk-queries.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { useAttentionFilters } from './attention-filters.tsx';
import { kindIn, type AttentionItem } from './attention-kinds.ts';
import { sizeOf, type AttentionRow } from './attention-rows.ts';
import { listQuery, type AttentionFilter } from './use-attention.ts';

const pageSize = 1000;

/** All experiments of the group. The page shows only their number. */
async function findIds(filter: AttentionFilter): Promise<number[]> {
  const ids = new Set<number>();
  for (let after: number | undefined; ;) {
    const query = { ...listQuery(filter), limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { items } = await client.listAttention({ query });
    for (const { experiment } of items) ids.add(experiment.id);
    const last: AttentionItem | undefined = items.at(-1);
    if (items.length < pageSize || !last) return [...ids];
    after = last.id;
  }
}

function useRetryAll(filter: AttentionFilter, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (reason: string) => {
      const ids = await findIds(filter);
      const operation = await client.createBulkOperation({ body: { kind: 'retry', experiment_ids: ids, reason } });
      return { operation, experiments: ids.length };
    },
    onSuccess: ({ operation, experiments }) => {
      showOperation(queryClient, operation);
      announceDone(`Retrying ${countOf(experiments, 'experiment')}.`);
      onDone();
    },
  });
}

/** The number of a large group is a minimum. */
const actionOf = (experiments: number) => (experiments >= pageSize ? 'Retry all' : `Retry ${count(experiments)}`);

export function RetryAllForm({ followed: { group }, onClose }: { followed: AttentionRow; onClose: () => void }) {
  const filters = useAttentionFilters();
  const kind = kindIn(useSearchParams()[0].get('kind'));
  const [reason, setReason] = useState(`Retry after: ${group?.title ?? ''}`.slice(0, 1000));
  const retry = useRetryAll({ ...filters, kind, causeGroup: group?.cause_group }, onClose);
  if (!group) return null;
  return (
    <DialogForm
      title={`Retry ${sizeOf(group)}`}
      action={actionOf(group.experiments)}
      sending={retry}
      disabled={reason.trim() === ''}
      onSubmit={() => retry.mutate(reason.trim())}
      onClose={onClose}
    >
      <p>
        The failed runs of these experiments start again: <bdi>{group.callback}</bdi> · <bdi>{group.title}</bdi>
      </p>
      <ReasonField
        value={reason}
        onChange={setReason}
        placeholder="Shown in the timelines and the audit log"
        required
      />
    </DialogForm>
  );
}
