import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { changeNames } from '@milepost/api';
import { useState } from 'react';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { ChoiceFilter, useNeeded, type Choice } from '../../filters/choice-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { usePermission } from '../../session/session-context.ts';
import { kinds } from './kinds.ts';
import type { Entry } from './use-audit.ts';
import filterStyles from '../../filters/filters.module.css';
import styles from './audit.module.css';

interface Props {
  /** The shown entries, which can name users that are in no list. */
  entries: readonly Entry[];
}

export function AuditFilters({ entries }: Props) {
  const { isAny, clear } = useFilters();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <UserFilter entries={entries} />
      <ChoiceFilter name="kind" label="Object type" all="Any object type" choices={kindChoices} />
      <OperationFilter />
      <ExperimentFilter entries={entries} />
      <DayFilter name="from" label="From" />
      <DayFilter name="to" label="To" />
      {isAny ? (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }));

const usersQuery = operationQuery('listUsers', {}, ({ object_kind }) => object_kind === 'user');

const withoutDuplicates = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((choice) => [choice.value, choice])).values(),
];

/** Adds the selected value if it is not among the choices. */
const withSelected = (choices: readonly Choice[], selected: string | undefined, nameOf: (value: string) => string) =>
  selected === undefined || choices.some(({ value }) => value === selected)
    ? [...choices]
    : [...choices, { value: selected, label: nameOf(selected) }];

function UserFilter({ entries }: Props) {
  const { needed, onOpen } = useNeeded('person');
  const may = usePermission('user_read_all');
  const { data } = useQuery({ ...usersQuery, enabled: needed && may });
  const fromEntries = entries.flatMap(({ actor: { kind, id, name } }) =>
    kind === 'user' && id !== null ? [{ value: String(id), label: name === '' ? `User ${id}` : name }] : [],
  );
  const known = (data?.users ?? []).map(({ id, username }) => ({ value: String(id), label: username }));
  const choices = withSelected(
    withoutDuplicates([...fromEntries, ...known]),
    useFilters().textOf('person'),
    (id) => `User ${id}`,
  );
  return <ChoiceFilter name="person" label="User" all="Any user" choices={choices} onOpen={onOpen} />;
}

const operationChoices = changeNames.map((name) => ({ value: name, label: name }));

function OperationFilter() {
  const selected = useFilters().textOf('operation');
  return (
    <ChoiceFilter
      name="operation"
      label="Operation"
      all="Any operation"
      choices={withSelected(operationChoices, selected, (name) => name)}
    />
  );
}

const debounceMilliseconds = 150;

function ExperimentFilter({ entries }: Props) {
  const { textOf, set } = useFilters();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, debounceMilliseconds);
  const { data } = useQuery({
    ...operationQuery('search', { query: { q, limit: 8 } }, noEvents),
    staleTime: 60_000,
    enabled: q !== '',
  });
  const found = (data?.experiments ?? []).map(({ id, label }) => ({ value: String(id), label }));
  const fromEntries = entries.flatMap(({ chain, object }) =>
    chain.kind === 'experiment' && object.label !== null ? [{ value: String(chain.id), label: object.label }] : [],
  );
  const selected = textOf('experiment');
  const known = withoutDuplicates([...found, ...fromEntries]).filter(({ value }) =>
    q === '' ? value === selected : true,
  );
  return (
    <Select
      aria-label="Experiment"
      placeholder="Any experiment"
      data={withSelected(known, selected, (id) => `Experiment ${id}`)}
      value={selected ?? null}
      onChange={(id) => set({ experiment: id ?? undefined })}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={q === '' ? 'Type the start of a label' : 'No matching experiments'}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear experiment filter' }}
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
