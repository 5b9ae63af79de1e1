/** The cohorts of a role, as a choice in dialogs. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../api/operation-query.ts';
import { Name } from '../../ui/name.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import styles from './people.module.css';

/** Returns the set with the item added, or removed if the set contains it. */
export const toggle = <T,>(set: ReadonlySet<T>, item: T): ReadonlySet<T> =>
  new Set(set.has(item) ? [...set].filter((other) => other !== item) : [...set, item]);

type Selection = ReadonlySet<number> | undefined;

interface CohortProps {
  /** Undefined for all cohorts, including future ones. */
  selected: Selection;
  onChange: (selected: Selection) => void;
}

const none: ReadonlySet<number> = new Set();

/** The cohorts can be chosen at once, without choosing first that the role applies to some. */
export const CohortChoice = ({ selected, onChange }: CohortProps) => (
  <>
    <fieldset className={styles['choices']}>
      <legend>Applies to</legend>
      <label className={styles['choice']}>
        <input type="radio" name="scope" checked={selected === undefined} onChange={() => onChange(undefined)} />
        All cohorts, including future ones
      </label>
      <label className={styles['choice']}>
        <input type="radio" name="scope" checked={selected !== undefined} onChange={() => onChange(none)} />
        Only these cohorts
      </label>
    </fieldset>
    <Cohorts selected={selected ?? none} onChange={onChange} />
  </>
);

const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

/** Longer lists have a search field. */
const maxWithoutSearch = 8;

function Cohorts({ selected, onChange }: CohortProps & { selected: ReadonlySet<number> }) {
  const cohorts = useQuery(cohortsQuery);
  const [typed, setTyped] = useState('');
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(typed.trim().toLowerCase());
  return (
    <QueryResult query={cohorts} what="cohorts">
      {({ cohorts: all }) => (
        <>
          {all.length > maxWithoutSearch ? (
            <TextInput
              type="search"
              aria-label="Find a cohort"
              placeholder="Find a cohort…"
              dir="auto"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          ) : null}
          <div role="group" aria-label="Cohorts" className={styles['scrolled']}>
            {all.length === 0 ? 'No cohorts yet.' : null}
            {all.filter(matches).map(({ id, label }) => (
              <label key={id} className={styles['choice']}>
                <input type="checkbox" checked={selected.has(id)} onChange={() => onChange(toggle(selected, id))} />
                <Name text={label} />
              </label>
            ))}
          </div>
        </>
      )}
    </QueryResult>
  );
}
