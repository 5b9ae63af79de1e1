/** Retries the failed runs of a group of experiments as a bulk operation. */
import { maxBulkExperiments } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { client } from '../../api/client.ts';
import { showOperation } from '../../bulk/bulk-queries.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { count } from '../../ui/numbers.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { useAttentionFilters } from './attention-filters.tsx';
import { kindIn, type AttentionItem } from './attention-kinds.ts';
import { sizeOf, type AttentionRow } from './attention-rows.ts';
import { retryText } from './retry-all.ts';
import { listQuery, type AttentionFilter } from './use-attention.ts';

const pageSize = 1000;

/** The experiments of the group, as many as a bulk operation can have. The page shows only their number. */
async function findIds(filter: AttentionFilter): Promise<number[]> {
  const ids = new Set<number>();
  for (let after: number | undefined; ;) {
    const query = { ...listQuery(filter), limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { items } = await client.listAttention({ query });
    for (const { experiment } of items) ids.add(experiment.id);
    const last: AttentionItem | undefined = items.at(-1);
    if (items.length < pageSize || !last || ids.size >= maxBulkExperiments)
      return [...ids].slice(0, maxBulkExperiments);
    after = last.id;
  }
}

function useRetryAll(filter: AttentionFilter, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (reason: string) => {
      const ids = await findIds(filter);
      const body = { kind: 'retry' as const, experiment_ids: ids, reason };
      return { operation: ids.length > 0 && (await client.createBulkOperation({ body })), experiments: ids.length };
    },
    onSuccess: ({ operation, experiments }) => {
      if (operation) showOperation(queryClient, operation);
      announceDone(retryText(experiments));
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
      missing={reason.trim() === '' ? 'Enter a reason.' : undefined}
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
