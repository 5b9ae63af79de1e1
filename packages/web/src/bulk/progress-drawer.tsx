/** The progress of a bulk operation beside the table from which it was started. */
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { countOf } from '../ui/numbers.ts';
import { QueryResult } from '../ui/query-result.tsx';
import { useBulkOperation } from './bulk-queries.ts';
import { hasEnded, wordsOf, type BulkOperation } from './bulk-words.ts';
import { Progress } from './progress.tsx';
import { RecentOperations } from './recent-operations.tsx';
import { Refusals } from './refusals.tsx';
import { SidePanel } from './side-panel.tsx';
import styles from './bulk.module.css';

const titleOf = (operation: BulkOperation): string => {
  const { kind, done, ready } = operation;
  const words = wordsOf(kind);
  return hasEnded(operation) ? words.name : words.doing(countOf(done + ready, 'experiment'));
};

export function ProgressDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const operation = useBulkOperation(id);
  return (
    <SidePanel
      title={operation.data ? titleOf(operation.data) : 'Bulk operation'}
      onClose={onClose}
      foot={<RecentOperations />}
    >
      <QueryResult query={operation} what="the bulk operation">
        {(data) => (
          <>
            <Progress operation={data} />
            <Refusals operation={data} />
            <p className={styles['more']}>
              <Link data-first to={paths.bulkOperation(id)}>
                Show details{data.refused > 0 && hasEnded(data) ? ' and retry the refused' : ''}
              </Link>
            </p>
          </>
        )}
      </QueryResult>
    </SidePanel>
  );
}
