/** When the history was last verified, on one line, and how to verify it without trusting this page. */
import { useId, useState } from 'react';
import { basePath } from '../../api/client.ts';
import type { BodyOf } from '../../api/operation-query.ts';
import { Icon } from '../../ui/icon.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { useVerify } from './use-audit.ts';
import styles from './audit.module.css';

const command = 'milepost verify history.ndjson --public-key checkpoint-key.pub.pem';

type Checkpoints = BodyOf<'listCheckpoints'>;

export function Verification({ checkpoints }: { checkpoints: Checkpoints | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const verify = useVerify();
  if (!checkpoints) return 'Every change with its author and reason, newest first.';
  const isRunning = checkpoints.verification !== null && checkpoints.verification.finished_at === null;
  return (
    <span className={styles['verification']}>
      <span role="status">
        <Result of={checkpoints} />
      </span>{' '}
      {isRunning ? null : (
        <>
          <button
            type="button"
            className={styles['inlineButton']}
            disabled={verify.isPending}
            onClick={() => verify.mutate()}
          >
            Verify now
          </button>
          {' · '}
        </>
      )}
      <button
        type="button"
        className={styles['inlineButton']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        How this works
      </button>
      {isOpen ? <Explanation id={id} checkpoints={checkpoints} /> : null}
    </span>
  );
}

/** While a verification runs or waits, the last result stays beside it. */
function Result({ of: { verification, last_result: last } }: { of: Checkpoints }) {
  if (verification === null) return 'The history has not been verified yet.';
  return (
    <>
      {verification.status === 'finished' ? null : <>{progressText(verification)} </>}
      {last === null ? null : <LastResult of={last} />}
    </>
  );
}

type Verified = NonNullable<Checkpoints['verification']>;

function progressText({ status, entries, failure }: Verified): string {
  if (status === 'failed') return `The last verification failed: ${failure ?? ''}`;
  return status === 'requested'
    ? 'Waiting for a worker.'
    : `Verifying the history: ${countOf(entries, 'entry', 'entries')} checked.`;
}

function LastResult({ of: { finished_at: at, entries, fault } }: { of: Verified }) {
  if (at === null) return null;
  if (fault !== null) {
    return (
      <span className={styles['fault']}>
        <Icon name="warning" size={15} /> The verification <Timestamp at={at} as="past" /> found a fault: {fault}
      </span>
    );
  }
  return (
    <>
      <span className={styles['shield']}>
        <Icon name="success" size={15} />
      </span>{' '}
      History verified <Timestamp at={at} as="past" />: {countOf(entries, 'entry', 'entries')}, 0 faults.
    </>
  );
}

const Explanation = ({ id, checkpoints }: { id: string; checkpoints: Checkpoints }) => (
  <span id={id} className={styles['explanation']}>
    <span>
      Each entry is linked to the previous one by a hash, and workers sign a checkpoint every minute.{' '}
      <Status {...checkpoints} />
    </span>
    <span>
      A worker verifies the history with its own database and key. For independent proof, export the whole history and
      verify the file on another computer:
    </span>
    <code className={styles['command']} tabIndex={0} role="group" aria-label="Command to verify the history">
      {command}
    </code>
    <span>
      <a href={`${basePath}/audit/export`} download="history.ndjson">
        Export the whole history
      </a>
      . It contains personal values and keys. Protect it like the database, and destroy it when you destroy backups.
    </span>
  </span>
);

function Status({ checkpoints: [last], unsigned_since: since }: Checkpoints) {
  if (!last) {
    return (
      <span className={styles['warning']}>
        The history is not signed, because no worker has a key. A database administrator could rewrite it. Set{' '}
        <code>MILEPOST_CHECKPOINT_KEY_FILE</code> for the workers.
      </span>
    );
  }
  return (
    <>
      Checkpoint {count(last.number)} was signed <Timestamp at={last.at} as="past" /> with the key{' '}
      <code>{last.key_id.slice(0, 16)}</code>.{' '}
      {since === null ? (
        'All entries are signed.'
      ) : (
        <>
          The oldest unsigned entry is from <Timestamp at={since} as="past" />.
        </>
      )}
    </>
  );
}
