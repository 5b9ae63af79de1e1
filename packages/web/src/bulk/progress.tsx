/** How far a bulk operation is, with buttons to pause, resume and stop it for its author, and to stop it for administrators. */
import { bulkPermissions } from '@milepost/api';
import { usePermission, useSession } from '../session/session-context.ts';
import { Icon } from '../ui/icon.tsx';
import { count } from '../ui/numbers.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { textWithCode } from '../ui/text-with-code.tsx';
import { useStatusChange } from './bulk-queries.ts';
import { hasEnded, wordsOf, type BulkOperation } from './bulk-words.ts';
import { paceText } from './pace-text.ts';
import { ResultBar } from './result-bar.tsx';
import { StatusButtons } from './status-buttons.tsx';
import styles from './bulk.module.css';

export function Progress({ operation }: { operation: BulkOperation }) {
  const { kind, status, done, ready, refused, experiments } = operation;
  return (
    <div className={styles['block']}>
      <ResultBar good={status === 'checking' ? ready : done} refused={refused} total={Math.max(1, experiments)} />
      <p className={styles['outcome']} data-result="good">
        <Icon name="success" /> {count(done)} {wordsOf(kind).done}
      </p>
      {refused === 0 ? null : (
        <p className={styles['outcome']} data-result="refused">
          <Icon name="warning" /> {count(refused)} refused
        </p>
      )}
      {ready === 0 ? null : (
        <p className={styles['outcome']}>
          <Icon name={hasEnded(operation) ? 'none' : 'queued'} /> {count(ready)}{' '}
          {hasEnded(operation) ? 'not changed' : 'left'}
        </p>
      )}
      <p className={styles['quiet']}>{textWithCode(statusText(operation))}</p>
      <Controls operation={operation} />
    </div>
  );
}

/** The pace and the time left, or why it does not run. */
function statusText({ status, experiments, ...of }: BulkOperation) {
  if (status === 'checking' && of.waiting_for === null)
    return experiments === 0 ? 'Finding the experiments…' : `Checked ${count(experiments)} so far…`;
  if (status === 'paused') return 'Paused.';
  if (status === 'finished') return 'Finished.';
  if (status === 'stopped') return `Stopped. ${of.stopped_because ?? ''}`.trim();
  return paceText(of);
}

function Controls({ operation }: { operation: BulkOperation }) {
  const { user } = useSession();
  const change = useStatusChange(operation.id);
  const { id, kind, status, author } = operation;
  const isAuthor = author.id === user.id;
  const mayStop = usePermission(bulkPermissions[kind]);
  if (hasEnded(operation) || !(isAuthor || mayStop)) return null;
  return (
    <>
      {change.error ? <ProblemNote error={change.error} /> : null}
      <div className={styles['buttons']} key={id}>
        <StatusButtons
          status={status}
          onlyStop={!isAuthor}
          pending={change.isPending ? change.variables : undefined}
          onChange={(verb) => change.mutate(verb)}
        />
        {isAuthor && status === 'running' ? <span className={styles['quiet']}>You can leave this page.</span> : null}
      </div>
    </>
  );
}
