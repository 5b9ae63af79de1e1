/** The bulk operations and imports that the user has applied, with their progress. No event announces it, so it is polled while one runs. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { noEvents, operationQuery, type BodyOf } from '../api/operation-query.ts';
import * as imports from '../pages/imports/import-words.ts';
import { paths } from '../paths.ts';
import { usePermissionSomewhere } from '../session/session-context.ts';
import { useTitlesByLabel, type TitleOf } from '../status/use-state-look.tsx';
import { endText, hasEnded, isWorking, progressText, type BulkOperation } from './bulk-words.ts';
import { useBulkKinds } from './use-bulk-kinds.ts';

export interface OwnWork {
  key: string;
  path: string;
  progress: string;
  done: number;
  left: number;
  /** Its result. Undefined while it runs or is paused. */
  end: string | undefined;
}

const followMilliseconds = 3000;
const limit = 20;

/** Without the refusals, which can be many. */
const operationFields = 'bulk_operations{id,kind,status,stopped_because,state,variables,user_id,done,ready,refused}';
const operationsQuery = operationQuery(
  'listBulkOperations',
  { query: { own: true, applied: true, limit }, fields: operationFields },
  noEvents,
);

/** Without the columns. */
const importFields = 'imports{id,file_name,status,stopped_because,started_at,checked,done,ready,unchanged,faulty}';
const importsQuery = operationQuery('listImports', { query: { limit }, fields: importFields }, noEvents);

const ofOperation = (one: BulkOperation, titleOf: TitleOf): OwnWork => ({
  key: `operation ${one.id}`,
  path: paths.bulkOperation(one.id),
  progress: progressText(one),
  done: one.done,
  left: one.ready,
  end: hasEnded(one) ? endText(one, titleOf) : undefined,
});

const ofImport = (one: imports.Import): OwnWork => ({
  key: `import ${one.id}`,
  path: paths.importPage(one.id),
  progress: imports.progressText(one),
  done: one.done,
  left: one.ready,
  end: imports.hasEnded(one) ? imports.endText(one) : undefined,
});

const follow = (works: boolean | undefined) => (works ? followMilliseconds : false);
const applied = (data: BodyOf<'listImports'> | undefined) =>
  data?.imports.filter(({ started_at: started }) => started !== null) ?? [];

/** A start on this page refetches it. */
export function useOwnWork(): OwnWork[] {
  const titleOf = useTitlesByLabel();
  const operations = useQuery({
    ...operationsQuery,
    enabled: useBulkKinds().length > 0,
    refetchInterval: ({ state: { data } }) => follow(data?.bulk_operations.some(isWorking)),
  }).data;
  const own = useQuery({
    ...importsQuery,
    enabled: usePermissionSomewhere('sample_add'),
    refetchInterval: ({ state: { data } }) => follow(applied(data).some(imports.isWorking)),
  }).data;
  return useMemo(
    () => [
      ...(operations?.bulk_operations.map((one) => ofOperation(one, titleOf)) ?? []),
      ...applied(own).map(ofImport),
    ],
    [operations, own, titleOf],
  );
}
