/** Up to when the history is signed, and how to verify it without trusting this page. */
import type { BodyOf } from '../../api/operation-query.ts';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './audit.module.css';

const command = 'milepost verify history.ndjson --public-key checkpoint-key.pub.pem';

export const Verification = ({ checkpoints }: { checkpoints: BodyOf<'listCheckpoints'> | undefined }) => (
  <Section title="Verification">
    <p className={styles['about']}>
      Each entry is linked to the previous one by a hash, and workers sign a checkpoint every minute. Export the history
      and verify the file on any computer, without this server:
    </p>
    <pre className={styles['command']} tabIndex={0} role="group" aria-label="Command to verify the history">
      {command}
    </pre>
    <p className={styles['about']}>
      The export contains personal values and keys. Protect it like the database, and destroy it when you destroy
      backups.
    </p>
    {checkpoints ? <Status {...checkpoints} /> : null}
  </Section>
);

function Status({ checkpoints: [last], unsigned_since: since }: BodyOf<'listCheckpoints'>) {
  if (!last) {
    return (
      <p className={styles['warning']}>
        The history is not signed, because no worker has a key. A database administrator could rewrite it. Set{' '}
        <code>MILEPOST_CHECKPOINT_KEY_FILE</code> for the workers.
      </p>
    );
  }
  return (
    <p className={styles['about']}>
      Checkpoint {count(last.number)} was signed <Timestamp at={last.at} as="past" /> with the key{' '}
      <code>{last.key_id.slice(0, 16)}</code>.{' '}
      {since === null ? (
        'All entries are signed.'
      ) : (
        <>
          The oldest unsigned entry is from <Timestamp at={since} as="past" />.
        </>
      )}
    </p>
  );
}
