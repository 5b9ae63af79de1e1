import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { addresses } from '@milepost/api';
import { useState } from 'react';
import { nothing, operationQuery } from '../../api/operation-query.ts';
import { ChoiceFilter, useNeeded, type Choice } from '../../filters/choice-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { useMay } from '../../session/session-context.ts';
import { kinds } from './kinds.ts';
import type { Entry } from './use-audit.ts';
import filterStyles from '../../filters/filters.module.css';
import styles from './audit.module.css';

interface Props {
  /** What is shown names some people and operations that a list would not. */
  entries: readonly Entry[];
}

export function AuditFilters({ entries }: Props) {
  const { isAny, clear } = useFilters();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <PersonFilter entries={entries} />
      <ChoiceFilter name="kind" label="Kind of object" all="Any object" choices={kindChoices} />
      <OperationFilter entries={entries} />
      <ExperimentFilter entries={entries} />
      <DayFilter name="from" label="From" />
      <DayFilter name="to" label="To" />
      {isAny ? (
        <Button variant="subtle" onClick={clear}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}

const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }));

const usersQuery = operationQuery('listUsers', {}, ({ object_kind }) => object_kind === 'user');

const eachOnce = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((choice) => [choice.value, choice])).values(),
];

/** The chosen one is among them, whatever it is called. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined, nameOf: (value: string) => string) =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label: nameOf(chosen) }];

function PersonFilter({ entries }: Props) {
  const { needed, onOpen } = useNeeded('person');
  const may = useMay('user_read_all');
  const { data } = useQuery({ ...usersQuery, enabled: needed && may });
  const seen = entries.flatMap(({ actor: { kind, id, name } }) =>
    kind === 'user' && id !== null ? [{ value: String(id), label: name === '' ? `User ${id}` : name }] : [],
  );
  const known = (data?.users ?? []).map(({ id, username }) => ({ value: String(id), label: username }));
  const choices = withChosen(eachOnce([...seen, ...known]), useFilters().textOf('person'), (id) => `User ${id}`);
  return <ChoiceFilter name="person" label="Person" all="Anybody" choices={choices} onOpen={onOpen} />;
}

const changing = Object.entries(addresses).flatMap(([name, { method }]) => (method === 'GET' ? [] : [name]));

/** Rules of the engine have names, too, which stand in the entries only. */
function OperationFilter({ entries }: Props) {
  const names = [...new Set([...changing, ...entries.map(({ operation }) => operation)])].toSorted();
  const choices = names.map((name) => ({ value: name, label: name }));
  const chosen = useFilters().textOf('operation');
  return (
    <ChoiceFilter
      name="operation"
      label="Operation"
      all="Any operation"
      choices={withChosen(choices, chosen, (name) => name)}
    />
  );
}

const pauseMilliseconds = 150;

/** Found by the beginning of its label. */
function ExperimentFilter({ entries }: Props) {
  const { textOf, set } = useFilters();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, pauseMilliseconds);
  const { data } = useQuery({
    ...operationQuery('search', { query: { q, limit: 8 } }, nothing),
    staleTime: 60_000,
    enabled: q !== '',
  });
  const found = (data?.experiments ?? []).map(({ id, label }) => ({ value: String(id), label }));
  const seen = entries.flatMap(({ chain, object }) =>
    chain.kind === 'experiment' && object.label !== null ? [{ value: String(chain.id), label: object.label }] : [],
  );
  const chosen = textOf('experiment');
  const known = eachOnce([...found, ...seen]).filter(({ value }) => (q === '' ? value === chosen : true));
  return (
    <Select
      aria-label="Experiment"
      placeholder="Any experiment"
      data={withChosen(known, chosen, (id) => `Experiment ${id}`)}
      value={chosen ?? null}
      onChange={(id) => set({ experiment: id ?? undefined })}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={q === '' ? 'Type the beginning of its label' : 'No experiment begins so'}
      clearable
      clearButtonProps={{ 'aria-label': 'Experiment: any experiment' }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      className={filterStyles['filter'] ?? ''}
    />
  );
}

function DayFilter({ name, label }: { name: string; label: string }) {
  const { textOf, set } = useFilters();
  return (
    <label className={styles['day']}>
      {label}
      <TextInput
        type="date"
        value={textOf(name) ?? ''}
        onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      />
    </label>
  );
}
