import { Button } from '@mantine/core';
import { useState } from 'react';
import { StateMark } from '../../status/state-chip.tsx';
import { Name } from '../../ui/name.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { partText, transitionStatus } from './transition-status.ts';
import type { Overview, Transition } from './use-experiment.ts';
import styles from './next-states.module.css';

/** The transitions out of the current state: whether each is available and, if not, why. */
export function NextStates({ experiment }: { experiment: Overview }) {
  const [chosen, setChosen] = useState<Transition>();
  const { transitions, open_executions: open } = experiment;
  return (
    <Section title="Next states">
      {transitions.length === 0 ? <MutedText>None. This is a final state.</MutedText> : null}
      <ul className={styles['transitions']}>
        {transitions.map((transition) => (
          <NextState key={transition.id} transition={transition} onMove={() => setChosen(transition)} />
        ))}
      </ul>
      {transitions.length > 0 && open.length > 0 ? <AwaitedRuns open={open} /> : null}
      <MoveDialog experiment={experiment} chosen={chosen} onClose={() => setChosen(undefined)} />
    </Section>
  );
}

const NextState = ({ transition, onMove }: { transition: Transition; onMove: () => void }) => (
  <li className={styles['transition']}>
    <div className={styles['head']}>
      <span className={styles['name']}>
        <StateMark state={transition.destination_state} />
        <Name text={transition.destination_title} />
      </span>
      {transition.allowed ? (
        <Button variant="subtle" onClick={onMove} aria-label={`Move to ${transition.destination_title}`}>
          Move…
        </Button>
      ) : (
        <span className={styles['status']}>{transitionStatus(transition)}</span>
      )}
    </div>
    {transition.condition === '' ? null : (
      <p className={styles['condition']}>
        If <code dir="ltr">{transition.condition}</code>
      </p>
    )}
    <p className={styles['reason']} dir="auto">
      {transition.allowed ? 'Available now' : transition.reason}
    </p>
    {transition.condition_parts.length > 1 ? <Parts parts={transition.condition_parts} /> : null}
  </li>
);

const Parts = ({ parts }: { parts: Transition['condition_parts'] }) => (
  <details className={styles['parts']}>
    <summary>Values in the condition</summary>
    <ul>
      {parts.map((part, index) => (
        <li key={index}>
          <code dir="ltr">{part.text}</code> is <bdi>{partText(part)}</bdi>
        </li>
      ))}
    </ul>
  </details>
);

const AwaitedRuns = ({ open }: { open: Overview['open_executions'] }) => (
  <p className={styles['awaited']}>
    The next state is chosen when{' '}
    {open.map(({ id, callback, since }, index) => (
      <span key={id}>
        {index === 0 ? '' : index === open.length - 1 ? ' and ' : ', '}
        <Name text={callback} /> (active <Timestamp at={since} as="for" />)
      </span>
    ))}{' '}
    {open.length === 1 ? 'has' : 'have'} finished.
  </p>
);
