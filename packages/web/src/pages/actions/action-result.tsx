import { Name } from '../../ui/name.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { checkOutcome, readTransitionChecks, type TransitionCheck } from './transition-checks.ts';
import type { Action } from './use-action.ts';
import styles from './action.module.css';

/** The transitions that were evaluated when the action finished, or its other return value. */
export function ActionResult({ action: { end_time, return_value: text } }: { action: Action }) {
  const checks = readTransitionChecks(text);
  return (
    <Section title={checks ? 'Transitions' : 'Result'}>
      {checks ? <Checks checks={checks} /> : <ReturnValue text={text} isFinished={end_time !== null} />}
    </Section>
  );
}

const Checks = ({ checks }: { checks: readonly TransitionCheck[] }) =>
  checks.length === 0 ? (
    <MutedText>None. This is a final state.</MutedText>
  ) : (
    <ul className={styles['checks']}>
      {checks.map((check, index) => (
        <li key={index}>
          <div className={styles['head']}>
            <span className={styles['name']}>
              <Name text={check.destination} />
            </span>
            <span className={styles['outcome']} data-taken={check.test_result || undefined}>
              {checkOutcome(check)}
            </span>
          </div>
          {check.condition === '' ? null : (
            <p className={styles['detail']}>
              If <code dir="ltr">{check.condition}</code>
            </p>
          )}
          <p className={styles['detail']} dir="auto">
            {check.reason}
          </p>
        </li>
      ))}
    </ul>
  );

function ReturnValue({ text, isFinished }: { text: string; isFinished: boolean }) {
  if (text !== '') return <PlainText label="Return value" text={text} />;
  return (
    <MutedText>
      {isFinished ? 'No output' : 'Not finished. The transitions are evaluated when all callbacks have finished.'}
    </MutedText>
  );
}
