/** The own bulk operations that run, in the navigation, so that their progress is visible on every page. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { noEvents, operationQuery } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import { announceDone } from '../ui/announcements.tsx';
import { count } from '../ui/numbers.ts';
import { changeText, hasEnded, progressText, resultText, type BulkOperation } from './bulk-words.ts';
import { ResultBar } from './result-bar.tsx';
import { useBulkKinds } from './use-bulk-kinds.ts';
import styles from './running-operations.module.css';

const followMilliseconds = 3000;

const isRunning = (operation: BulkOperation) => !hasEnded(operation);

/** Without the refusals, which can be many. */
const fields = 'bulk_operations{id,kind,status,stopped_because,state,variables,user_id,done,ready,refused}';
const ownQuery = operationQuery(
  'listBulkOperations',
  { query: { own: true, applied: true, limit: 20 }, fields },
  noEvents,
);

const none: BulkOperation[] = [];

const changesByItself = ({ status }: BulkOperation) => status === 'checking' || status === 'running';

/** Polled only while one runs. A start on this page refetches it. */
function useOwnOperations(): BulkOperation[] {
  const mayStart = useBulkKinds().length > 0;
  const { data } = useQuery({
    ...ownQuery,
    enabled: mayStart,
    refetchInterval: ({ state }) =>
      state.data?.bulk_operations.some((one) => isRunning(one) && changesByItself(one)) ? followMilliseconds : false,
  });
  return data?.bulk_operations ?? none;
}

/** A stopped operation says why, and how many it left. */
function endText(one: BulkOperation): string {
  const result = `${changeText(one)}: ${resultText(one)}`;
  if (one.status === 'finished') return `${result}.`;
  return `${result}, ${count(one.ready)} not changed. Stopped. ${one.stopped_because ?? ''}`.trim();
}

/** Announces the end of an operation that ran before. */
function useEndAnnounced(operations: readonly BulkOperation[]): void {
  const [running, setRunning] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    for (const one of operations) if (hasEnded(one) && running.has(one.id)) announceDone(endText(one));
    const now = operations.filter(isRunning).map(({ id }) => id);
    if (now.length !== running.size || now.some((id) => !running.has(id))) setRunning(new Set(now));
  }, [operations, running]);
}

/** Once in the frame. The lines can be on a page twice. */
export function OperationEnds() {
  useEndAnnounced(useOwnOperations());
  return null;
}

/** In the navigation, and on a narrow screen above the page. */
export function RunningOperations({ narrow = false }: { narrow?: boolean }) {
  const running = useOwnOperations().filter(isRunning);
  if (running.length === 0) return null;
  return (
    <div className={styles['running']} data-narrow={narrow || undefined}>
      {running.map((one) => (
        <Link key={one.id} to={paths.bulkOperation(one.id)}>
          {progressText(one)}
          <ResultBar good={one.done} refused={0} total={Math.max(1, one.done + one.ready)} />
        </Link>
      ))}
    </div>
  );
}
