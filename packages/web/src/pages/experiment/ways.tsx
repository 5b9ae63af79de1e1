import { Button } from '@mantine/core';
import { useState } from 'react';
import { Moment } from '../../shown/moment.tsx';
import { Name } from '../../shown/name.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { StateSquare } from '../../shown/state-chip.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { partWords, wayWord } from './way-words.ts';
import type { Overview, Way } from './use-experiment.ts';
import styles from './ways.module.css';

/** Each way on from its state: whether it is open now and, if not, why not. */
export function Ways({ experiment }: { experiment: Overview }) {
  const [chosen, setChosen] = useState<Way>();
  const { transitions, open_executions: open } = experiment;
  return (
    <Section title="Where it can go">
      {transitions.length === 0 ? <Nothing>Nowhere: this is where its workflow ends.</Nothing> : null}
      <ul className={styles['ways']}>
        {transitions.map((way) => (
          <WayLine key={way.id} way={way} onMove={() => setChosen(way)} />
        ))}
      </ul>
      {transitions.length > 0 && open.length > 0 ? <Awaited open={open} /> : null}
      <MoveDialog experiment={experiment} chosen={chosen} onClose={() => setChosen(undefined)} />
    </Section>
  );
}

const WayLine = ({ way, onMove }: { way: Way; onMove: () => void }) => (
  <li className={styles['way']}>
    <div className={styles['head']}>
      <span className={styles['name']}>
        <StateSquare id={way.destination_state.id} />
        <Name text={way.destination_state.label} />
      </span>
      {way.allowed ? (
        <Button variant="subtle" onClick={onMove} aria-label={`Move to ${way.destination_state.label}`}>
          Move…
        </Button>
      ) : (
        <span className={styles['word']}>{wayWord(way)}</span>
      )}
    </div>
    {way.condition === '' ? null : (
      <p className={styles['condition']}>
        If <code dir="ltr">{way.condition}</code>
      </p>
    )}
    <p className={styles['reason']} dir="auto">
      {way.allowed ? 'Possible now.' : way.reason}
    </p>
    {way.condition_parts.length > 1 ? <Parts parts={way.condition_parts} /> : null}
  </li>
);

const Parts = ({ parts }: { parts: Way['condition_parts'] }) => (
  <details className={styles['parts']}>
    <summary>What the condition sees</summary>
    <ul>
      {parts.map((part, place) => (
        <li key={place}>
          <code dir="ltr">{part.text}</code> is <bdi>{partWords(part)}</bdi>
        </li>
      ))}
    </ul>
  </details>
);

/** The workflow chooses when these have ended. */
const Awaited = ({ open }: { open: Overview['open_executions'] }) => (
  <p className={styles['awaited']}>
    The workflow chooses when{' '}
    {open.map(({ id, callback, since }, place) => (
      <span key={id}>
        {place === 0 ? '' : place === open.length - 1 ? ' and ' : ', '}
        <Name text={callback} /> (open for <Moment at={since} as="age" />)
      </span>
    ))}{' '}
    {open.length === 1 ? 'has' : 'have'} ended.
  </p>
);
