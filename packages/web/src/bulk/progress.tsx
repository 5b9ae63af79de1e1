/** How far a bulk operation is, with buttons to pause, resume and stop it for its author. */
import { Button } from '@mantine/core';
import { useSession } from '../session/session-context.ts';
import { Icon } from '../ui/icon.tsx';
import { count } from '../ui/numbers.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { durationText } from '../ui/times.ts';
import { useStatusChange } from './bulk-queries.ts';
import { hasEnded, wordsOf, type BulkOperation } from './bulk-words.ts';
import { ResultBar } from './result-bar.tsx';
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
      <p className={styles['quiet']}>{statusText(operation)}</p>
      <Controls operation={operation} />
    </div>
  );
}

/** The pace and the time left, or why it does not run. */
function statusText({ status, experiments, per_second: rate, seconds_left: left, ...of }: BulkOperation) {
  if (status === 'checking')
    return experiments === 0 ? 'Finding the experiments…' : `Checked ${count(experiments)} so far…`;
  if (status === 'paused') return 'Paused.';
  if (status === 'finished') return 'Finished.';
  if (status === 'stopped') return `Stopped. ${of.stopped_because ?? ''}`.trim();
  const pace = rate === null ? '' : `${count(Math.round(rate * 10) / 10)} a second`;
  const rest = left === null ? '' : `about ${durationText(left)} left`;
  return [pace, rest].filter((text) => text !== '').join(', ') || 'Starting…';
}

function Controls({ operation }: { operation: BulkOperation }) {
  const { user } = useSession();
  const change = useStatusChange(operation.id);
  const { id, status, author } = operation;
  if (hasEnded(operation) || author.id !== user.id) return null;
  const loading = (verb: typeof change.variables) => change.isPending && change.variables === verb;
  return (
    <>
      {change.error ? <ProblemNote error={change.error} /> : null}
      <div className={styles['buttons']} key={id}>
        {status === 'running' ? (
          <Button loading={loading('pause')} onClick={() => change.mutate('pause')}>
            Pause
          </Button>
        ) : null}
        {status === 'paused' ? (
          <Button loading={loading('resume')} onClick={() => change.mutate('resume')}>
            Resume
          </Button>
        ) : null}
        <Button loading={loading('stop')} onClick={() => change.mutate('stop')}>
          Stop
        </Button>
        {status === 'running' ? <span className={styles['quiet']}>You can leave this page.</span> : null}
      </div>
    </>
  );
}
