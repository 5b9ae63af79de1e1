import { Name } from '../../shown/name.tsx';
import { PlainText } from '../../shown/plain-text.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { readTrials, trialWord, type Trial } from './trials.ts';
import type { Action } from './use-action.ts';
import styles from './action.module.css';

/** How the way on was chosen when it ended; or what else was written then. */
export function Ending({ action: { end_time, return_value: text } }: { action: Action }) {
  const trials = readTrials(text);
  return (
    <Section title={trials ? 'Which ways were tried' : 'How it ended'}>
      {trials ? <Trials trials={trials} /> : <Words text={text} ended={end_time !== null} />}
    </Section>
  );
}

const Trials = ({ trials }: { trials: readonly Trial[] }) =>
  trials.length === 0 ? (
    <Nothing>None: no way leads on from this state.</Nothing>
  ) : (
    <ul className={styles['trials']}>
      {trials.map((trial, place) => (
        <li key={place}>
          <div className={styles['head']}>
            <span className={styles['name']}>
              <Name text={trial.destination} />
            </span>
            <span className={styles['word']} data-taken={trial.test_result || undefined}>
              {trialWord(trial)}
            </span>
          </div>
          {trial.condition === '' ? null : (
            <p className={styles['detail']}>
              If <code dir="ltr">{trial.condition}</code>
            </p>
          )}
          <p className={styles['detail']} dir="auto">
            {trial.reason}
          </p>
        </li>
      ))}
    </ul>
  );

function Words({ text, ended }: { text: string; ended: boolean }) {
  if (text !== '') return <PlainText label="What it returned" text={text} />;
  return (
    <Nothing>{ended ? 'Without a word.' : 'It has not ended: the ways on are tried when its callbacks have.'}</Nothing>
  );
}
