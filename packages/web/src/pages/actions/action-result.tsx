import type { TimelineAction } from '../../status/execution-text.ts';
import { useWorkflowsOf } from '../../status/use-state-look.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { NamedStateChip } from '../workflows/named-state-chip.tsx';
import { checkOutcome, readTransitionChecks, type TransitionCheck } from './transition-checks.ts';
import type { Action } from './use-action.ts';
import styles from './action.module.css';

interface Props {
  action: Action;
  timelineAction: TimelineAction | null;
}

/** The transitions that were evaluated when the action finished, or its other return value. */
export function ActionResult({ action, timelineAction }: Props) {
  const { end_time, return_value: text } = action;
  const checks = readTransitionChecks(text);
  return (
    <Section title={checks ? 'Transitions' : 'Result'}>
      {checks ? (
        <Checks checks={checks} state={timelineAction?.to} />
      ) : (
        <ReturnValue text={text} isFinished={end_time !== null} />
      )}
    </Section>
  );
}

function Checks({ checks, state }: { checks: readonly TransitionCheck[]; state: TimelineAction['to'] | undefined }) {
  const [workflow] = useWorkflowsOf(state ? [state] : []) ?? [];
  if (checks.length === 0) return <MutedText>None. This is a final state.</MutedText>;
  return (
    <ul className={styles['checks']}>
      {checks.map((check, index) => (
        <li key={index}>
          <div className={styles['head']}>
            <span className={styles['name']}>
              <NamedStateChip workflow={workflow === undefined ? null : { id: workflow }} label={check.destination} />
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
}

function ReturnValue({ text, isFinished }: { text: string; isFinished: boolean }) {
  if (text !== '') return <PlainText label="Return value" text={text} />;
  return (
    <MutedText>
      {isFinished ? 'No output' : 'Not finished. The transitions are evaluated when all callbacks have finished.'}
    </MutedText>
  );
}
