import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../api/operation-query.ts';
import { toggle } from '../../people/toggle.ts';
import { Answer } from '../../shown/answer.tsx';
import { Name } from '../../shown/name.tsx';
import people from '../../people/people.module.css';

type Selection = ReadonlySet<number> | undefined;

interface Props {
  /** Undefined for all cohorts, including future ones. */
  selected: Selection;
  onChange: (selected: Selection) => void;
}

const none: ReadonlySet<number> = new Set();

export const CohortChoice = ({ selected, onChange }: Props) => (
  <>
    <fieldset className={people['choices']}>
      <legend>Applies to</legend>
      <label className={people['choice']}>
        <input type="radio" name="scope" checked={selected === undefined} onChange={() => onChange(undefined)} />
        All cohorts, including future ones
      </label>
      <label className={people['choice']}>
        <input type="radio" name="scope" checked={selected !== undefined} onChange={() => onChange(none)} />
        Only these cohorts
      </label>
    </fieldset>
    {selected ? <Cohorts selected={selected} onChange={onChange} /> : null}
  </>
);

const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

/** Longer lists have a search field. */
const maxWithoutSearch = 8;

function Cohorts({ selected, onChange }: Props & { selected: ReadonlySet<number> }) {
  const cohorts = useQuery(cohortsQuery);
  const [typed, setTyped] = useState('');
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(typed.trim().toLowerCase());
  return (
    <Answer of={cohorts} what="cohorts">
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
          <div role="group" aria-label="Cohorts" className={people['scrolled']}>
            {all.length === 0 ? 'No cohorts yet.' : null}
            {all.filter(matches).map(({ id, label }) => (
              <label key={id} className={people['choice']}>
                <input type="checkbox" checked={selected.has(id)} onChange={() => onChange(toggle(selected, id))} />
                <Name text={label} />
              </label>
            ))}
          </div>
        </>
      )}
    </Answer>
  );
}
