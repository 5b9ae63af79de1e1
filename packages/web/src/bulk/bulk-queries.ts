/** Bulk operations of the server. No event announces their progress, so it is polled while there is any. */
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { noEvents, operationQuery, type BodyOf } from '../api/operation-query.ts';
import { isWorking, type BulkOperation } from './bulk-words.ts';
import type { StatusVerb } from './status-buttons.tsx';

const followMilliseconds = 1000;

export const bulkOperationQuery = (id: number) => operationQuery('getBulkOperation', { params: { id } }, noEvents);

/** The library does not poll in a hidden tab. */
export const useBulkOperation = (id: number | undefined) =>
  useQuery({
    ...bulkOperationQuery(id ?? 0),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? followMilliseconds : false),
  });

/** Shows the response of a request, and refetches the lists. */
export function showOperation(queryClient: QueryClient, operation: BulkOperation): void {
  queryClient.setQueryData(bulkOperationQuery(operation.id).queryKey, operation);
  void queryClient.invalidateQueries({ queryKey: ['listBulkOperations'] });
}

const requests = {
  pause: client.pauseBulkOperation,
  resume: client.resumeBulkOperation,
  stop: client.stopBulkOperation,
};

export function useStatusChange(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (verb: StatusVerb) => requests[verb]({ params: { id } }),
    onSuccess: (operation) => showOperation(queryClient, operation),
    // It may have ended meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey: bulkOperationQuery(id).queryKey }),
  });
}

export type BulkItem = BodyOf<'listBulkItems'>['items'][number];

/** The first experiments that were refused for a reason. */
export const useRefusedItems = (operation: Pick<BulkOperation, 'id'>, refusal: number, limit: number) =>
  useQuery({
    ...operationQuery('listBulkItems', { params: { id: operation.id }, query: { refusal, limit } }, noEvents),
    staleTime: 0,
  });
