/** The result of a dry run: how many experiments will succeed, and which will be refused. */
import { Button } from '@mantine/core';
import type { BulkKind } from '@milepost/api';
import { Icon } from '../ui/icon.tsx';
import { count } from '../ui/numbers.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { textWithCode } from '../ui/text-with-code.tsx';
import { wordsOf, type BulkOperation } from './bulk-words.ts';
import { Refusals } from './refusals.tsx';
import { ResultBar } from './result-bar.tsx';
import styles from './bulk.module.css';

interface Props {
  kind: BulkKind;
  operation: BulkOperation | undefined;
  error: unknown;
  onAgain: () => void;
}

export const DryRun = ({ kind, operation, error, onAgain }: Props) => (
  <section className={styles['block']} aria-label="Dry run">
    <div className={styles['label']}>
      <h3>Dry run</h3>
      {operation && operation.status !== 'checking' ? (
        <Button variant="subtle" className={styles['link'] ?? ''} onClick={onAgain}>
          Check again
        </Button>
      ) : null}
    </div>
    {error ? <ProblemNote error={error} onRetry={onAgain} /> : <Numbers kind={kind} operation={operation} />}
  </section>
);

/** The server ends a check that finds too many experiments, or whose author lost the permission. */
const Stopped = ({ because }: { because: string | null }) => (
  <p className={styles['outcome']} data-result="refused">
    <Icon name="warning" /> {textWithCode(because ?? 'The dry run was stopped.')}
  </p>
);

function Numbers({ kind, operation }: { kind: BulkKind; operation: BulkOperation | undefined }) {
  const { ready = 0, refused = 0, experiments = 0, status = 'checking' } = operation ?? {};
  const isChecking = status === 'checking';
  if (status === 'stopped') return <Stopped because={operation?.stopped_because ?? null} />;
  return (
    <>
      <ResultBar good={ready} refused={refused} total={isChecking ? Math.max(1, experiments) : experiments} />
      <div role="status">
        {isChecking ? (
          <p className={styles['quiet']}>
            {experiments === 0 ? 'Finding the experiments…' : `Checked ${count(experiments)} so far…`}
          </p>
        ) : experiments === 0 ? (
          <p>No experiments match.</p>
        ) : (
          <Outcomes kind={kind} ready={ready} refused={refused} />
        )}
      </div>
      {operation && !isChecking ? <Refusals operation={operation} /> : null}
      {operation?.checked_at ? (
        <p className={styles['quiet']}>
          Checked <Timestamp at={operation.checked_at} />.
          {kind === 'note' || kind === 'assign' ? '' : ' Experiments that change after the check are refused.'}
        </p>
      ) : null}
    </>
  );
}

const Outcomes = ({ kind, ready, refused }: { kind: BulkKind; ready: number; refused: number }) => (
  <>
    <p className={styles['outcome']} data-result="good">
      <Icon name="success" /> {count(ready)} {wordsOf(kind).will}
    </p>
    {refused === 0 ? null : (
      <p className={styles['outcome']} data-result="refused">
        <Icon name="warning" /> {count(refused)} will be refused
      </p>
    )}
  </>
);
