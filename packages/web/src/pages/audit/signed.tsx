/** How far the history is signed, and how to verify it without trusting this page. */
import { count } from '../../shown/numbers.ts';
import { Moment } from '../../shown/moment.tsx';
import { Section } from '../../shown/section.tsx';
import type { BodyOf } from '../../api/operation-query.ts';
import styles from './audit.module.css';

const command = 'milepost verify history.ndjson --public-key checkpoint-key.pub.pem';

export const Signed = ({ signed }: { signed: BodyOf<'listCheckpoints'> | undefined }) => (
  <Section title="How to verify it">
    <p className={styles['about']}>
      Each entry is bound to the one before it by a hash, and workers sign once a minute how far the history has come.
      Export it, and verify the file anywhere, without this server:
    </p>
    <pre className={styles['command']} tabIndex={0} role="group" aria-label="How to verify">
      {command}
    </pre>
    <p className={styles['about']}>
      The export holds personal values and the keys to verify them: keep it as you keep the database, and destroy it as
      you destroy backups.
    </p>
    {signed ? <State {...signed} /> : null}
  </Section>
);

function State({ checkpoints: [last], unsigned_since: since }: BodyOf<'listCheckpoints'>) {
  if (!last) {
    return (
      <p className={styles['warning']}>
        Nothing is signed: no worker has a key. Whoever has every right in the database could write the history anew.
        Name a key in <code>MILEPOST_CHECKPOINT_KEY_FILE</code>.
      </p>
    );
  }
  return (
    <p className={styles['about']}>
      Checkpoint {count(last.number)} was signed <Moment at={last.at} as="past" /> by the key{' '}
      <code>{last.key_id.slice(0, 16)}</code>.{' '}
      {since === null ? (
        'Everything is signed.'
      ) : (
        <>
          What was written <Moment at={since} as="past" /> and later is not signed yet.
        </>
      )}
    </p>
  );
}
