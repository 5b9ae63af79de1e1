/** Imports of the server. No event announces their progress, so it is polled while there is any. */
import { useIsMutating, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';
import { noEvents, operationQuery, type CallOf } from '../../api/operation-query.ts';
import type { StatusVerb } from '../../bulk/status-buttons.tsx';
import { isWorking, type Import } from './import-words.ts';
import { isSameMapping, mappingOf, withMapping } from './mapping.ts';

const followMilliseconds = 1000;

const changeKey = (id: number) => ['changeImport', id];

export const importQuery = (id: number) => operationQuery('getImport', { params: { id } }, noEvents);

/** Shows the response of a request, and refetches the list. */
export function showImport(queryClient: QueryClient, shown: Import): void {
  queryClient.setQueryData(importQuery(shown.id).queryKey, shown);
  void queryClient.invalidateQueries({ queryKey: ['listImports'] });
}

const refetchLines = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => name === 'listImportFaults' || name === 'listImportLines',
  });

/** The library does not poll in a hidden tab. */
export function useImport(id: number) {
  const queryClient = useQueryClient();
  // A response to an earlier request would undo the shown change.
  const isChanging = useIsMutating({ mutationKey: changeKey(id) }) > 0;
  const query = useQuery({
    ...importQuery(id),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) && !isChanging ? followMilliseconds : false),
  });
  const works = query.data !== undefined && isWorking(query.data);
  // The lines of the previous check stay visible until the next one has ended.
  useEffect(() => (works ? () => void refetchLines(queryClient) : undefined), [queryClient, works]);
  return query;
}

type Update = NonNullable<CallOf<'updateImport'>>['body'];
type Change = { update: Update; shown?: Partial<Import> } | 'apply' | StatusVerb;

const requests = {
  apply: client.applyImport,
  pause: client.pauseImport,
  resume: client.resumeImport,
  stop: client.stopImport,
};

const send = (id: number, change: Change): Promise<Import> =>
  typeof change === 'string'
    ? requests[change]({ params: { id } })
    : client.updateImport({ params: { id }, body: change.update });

/** Changes of an import, one after the other. `shown` is shown until the response arrives. */
export function useImportChange(id: number) {
  const queryClient = useQueryClient();
  const { queryKey } = importQuery(id);
  return useMutation({
    mutationKey: changeKey(id),
    scope: { id: `import ${id}` },
    mutationFn: (change: Change) => send(id, change),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey });
      if (typeof change === 'string') return;
      queryClient.setQueryData<Import>(queryKey, (before) => before && { ...before, ...change.shown });
    },
    onSuccess: (changed) => {
      const isLast = queryClient.isMutating({ mutationKey: changeKey(id) }) <= 1;
      if (isLast) showImport(queryClient, changed);
    },
    // It may have ended meanwhile, and a mapping that was refused is not shown any longer.
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export type ImportChange = ReturnType<typeof useImportChange>;

/** Stops the import of the file before it was fixed. The new one gets its mapping, as far as it has the columns. */
export async function replaceImport(id: number, created: Import): Promise<Import> {
  const replaced = await client.getImport({ params: { id } }).catch(() => undefined);
  await client.stopImport({ params: { id } }).catch(() => undefined);
  const columns = replaced && mappingOf(withMapping(created.columns, mappingOf(replaced.columns)));
  if (!columns || isSameMapping(columns, mappingOf(created.columns))) return created;
  // Columns of the other file can be missing. The guess for this file then stays.
  return client.updateImport({ params: { id: created.id }, body: { columns } }).catch(() => created);
}
