import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { isWorking, type Import } from './import-words.ts';

const previewSize = 5;
const followMilliseconds = 1000;

/** The first lines of an import. They are refetched until they were checked, and when the check or the import has ended. */
export const usePreviewLines = (of: Pick<Import, 'id' | 'status'>) =>
  useQuery({
    ...operationQuery('listImportLines', { params: { id: of.id }, query: { limit: previewSize } }, noEvents),
    refetchInterval: ({ state: { data } }) =>
      isWorking(of) && data?.lines.some(({ result }) => result === null) ? followMilliseconds : false,
  });
