/** What an entry changed: the names of it on one line, and opened, before and after side by side. */
import { Button } from '@mantine/core';
import { LongText } from '../../shown/long-text.tsx';
import { Name } from '../../shown/name.tsx';
import { changedValues, type ChangedValue } from './changed-values.ts';
import { useOpened } from './opened.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

export function Change({ entry }: { entry: Entry }) {
  const { ids, toggle } = useOpened();
  const values = changedValues(entry);
  const open = ids.has(entry.id);
  const word = open ? 'Close' : 'Open';
  return (
    <>
      {entry.reason === '' ? null : <LongText text={entry.reason} />}
      {entry.erased ? <p className={styles['erased']}>Personal values of this entry were erased.</p> : null}
      {values.length === 0 ? null : (
        <div className={styles['summary']}>
          <Name text={values.map(({ name }) => name).join(', ')} />
          <Button
            variant="subtle"
            aria-expanded={open}
            aria-label={`${word} entry ${entry.id}`}
            onClick={() => toggle(entry.id)}
          >
            {word}
          </Button>
        </div>
      )}
      {open ? <Sides values={values} label={`Before and after of entry ${entry.id}`} /> : null}
    </>
  );
}

const Sides = ({ values, label }: { values: readonly ChangedValue[]; label: string }) => (
  <div role="group" aria-label={label}>
    <dl className={styles['sides']}>
      {values.map(({ name, before, after }) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <Side of="Before" text={before} />
          </dd>
          <dd>
            <Side of="After" text={after} />
          </dd>
        </div>
      ))}
    </dl>
  </div>
);

const Side = ({ of, text }: { of: string; text: string | null }) => (
  <>
    <span className={styles['side']}>{of}</span>
    {text === null ? <span className={styles['none']}>not there</span> : <LongText text={text} />}
  </>
);
