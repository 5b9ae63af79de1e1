import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../api/operation-query.ts';
import { toggled } from '../../people/toggled.ts';
import { Answer } from '../../shown/answer.tsx';
import { Name } from '../../shown/name.tsx';
import people from '../../people/people.module.css';

type Chosen = ReadonlySet<number> | undefined;

interface Props {
  /** Undefined: all, also those that come later. */
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

const none: ReadonlySet<number> = new Set();

export const CohortChoice = ({ chosen, onChange }: Props) => (
  <>
    <fieldset className={people['choices']}>
      <legend>It holds for</legend>
      <label className={people['choice']}>
        <input type="radio" name="where" checked={chosen === undefined} onChange={() => onChange(undefined)} />
        All cohorts, also those that come later
      </label>
      <label className={people['choice']}>
        <input type="radio" name="where" checked={chosen !== undefined} onChange={() => onChange(none)} />
        Only these cohorts
      </label>
    </fieldset>
    {chosen ? <Cohorts chosen={chosen} onChange={onChange} /> : null}
  </>
);

const cohortsQuery = operationQuery('listCohorts', {}, ({ object_kind }) => object_kind === 'cohort');

/** So many can be looked through without typing. */
const few = 8;

function Cohorts({ chosen, onChange }: Props & { chosen: ReadonlySet<number> }) {
  const cohorts = useQuery(cohortsQuery);
  const [typed, setTyped] = useState('');
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(typed.trim().toLowerCase());
  return (
    <Answer of={cohorts} what="cohorts">
      {({ cohorts: all }) => (
        <>
          {all.length > few ? (
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
            {all.length === 0 ? 'There is no cohort yet.' : null}
            {all.filter(matches).map(({ id, label }) => (
              <label key={id} className={people['choice']}>
                <input type="checkbox" checked={chosen.has(id)} onChange={() => onChange(toggled(chosen, id))} />
                <Name text={label} />
              </label>
            ))}
          </div>
        </>
      )}
    </Answer>
  );
}
