/** The changes of an entry: the field names on one line, and the values before and after when it is open. */
import { Button } from '@mantine/core';
import { LongText } from '../../ui/long-text.tsx';
import { Name } from '../../ui/name.tsx';
import { changedValues, type ChangedValue } from './changed-values.ts';
import { useExpandedEntries } from './expanded-entries.ts';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

export function Change({ entry }: { entry: Entry }) {
  const { ids, toggle } = useExpandedEntries();
  const values = changedValues(entry);
  const open = ids.has(entry.id);
  const action = open ? 'Hide values' : 'Show values';
  return (
    <>
      {entry.reason === '' ? null : <LongText text={entry.reason} />}
      {entry.erased ? <p className={styles['erased']}>The personal values of this entry were erased.</p> : null}
      {values.length === 0 ? null : (
        <div className={styles['summary']}>
          <Name text={values.map(({ name }) => name).join(', ')} />
          <Button
            variant="subtle"
            aria-expanded={open}
            aria-label={`${action} of entry ${entry.id}`}
            onClick={() => toggle(entry.id)}
          >
            {action}
          </Button>
        </div>
      )}
      {open ? <Sides values={values} label={`Values before and after entry ${entry.id}`} /> : null}
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
    {text === null ? <span className={styles['none']}>Not set</span> : <LongText text={text} />}
  </>
);
