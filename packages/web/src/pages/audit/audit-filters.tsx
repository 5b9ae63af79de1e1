/** The filters of the audit log, all in the URL. */
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { changeKinds } from '@milepost/api';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { ChoiceFilter, useNeeded, type Choice } from '../../filters/choice-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { usePermission } from '../../session/session-context.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { kindNames } from './kind-names.ts';
import type { Entry } from './use-audit.ts';
import filterStyles from '../../filters/filters.module.css';
import styles from './audit.module.css';

interface Props {
  /** The shown entries, which can name users that are in no list. */
  entries: readonly Entry[];
}

/** The other filters stay. */
export function KindTabs() {
  const { textOf } = useFilters();
  const { pathname, search } = useLocation();
  const pathOf = (kind: string | undefined) => {
    const params = new URLSearchParams(search);
    if (kind === undefined) params.delete('kind');
    else params.set('kind', kind);
    return `${pathname}?${params.toString()}`;
  };
  const current = textOf('kind');
  const tabs = [
    { name: 'All', to: pathOf(undefined), current: current === undefined },
    ...changeKinds.map((kind) => ({ name: kindNames[kind][1], to: pathOf(kind), current: current === kind })),
  ];
  return <Tabs label="Kinds of changes" tabs={tabs} />;
}

export function AuditFilters({ entries }: Props) {
  const { isAny, clear, textOf, set } = useFilters();
  const operation = textOf('operation');
  const isOfPerson = textOf('person') !== undefined;
  return (
    <search className={styles['filters']} aria-label="Filters">
      <SwitchFilter
        label="People only"
        name="by"
        on={undefined}
        off="all"
        unavailable={isOfPerson ? 'The filter for a person shows only that person.' : undefined}
      />
      <ObjectFilter entries={entries} />
      <PersonFilter entries={entries} />
      <ChoiceFilter name="period" label="Period" all="Any time" choices={periodChoices} clears={['from', 'to']} />
      {textOf('period') === 'days' || textOf('from') !== undefined || textOf('to') !== undefined ? (
        <>
          <DayFilter name="from" label="From" />
          <DayFilter name="to" label="To" />
        </>
      ) : null}
      {operation === undefined ? null : (
        <Button onClick={() => set({ operation: undefined })} aria-label={`Remove filter: operation ${operation}`}>
          {operation} ×
        </Button>
      )}
      {isAny ? (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
      <span className={styles['grow']} />
      <SwitchFilter label="Show changes in detail" name="parts" on="shown" off={undefined} />
      <SwitchFilter label="Show sign-ins" name="sign_ins" on="shown" off={undefined} />
    </search>
  );
}

interface SwitchProps {
  label: string;
  name: string;
  /** The value of the parameter if the switch is on. Undefined is its absence. */
  on: string | undefined;
  off: string | undefined;
  /** Why the switch cannot be used now. It is off then. */
  unavailable?: string | undefined;
}

function SwitchFilter({ label, name, on, off, unavailable: why }: SwitchProps) {
  const { textOf, set } = useFilters();
  const isOn = on === undefined ? textOf(name) !== off : textOf(name) === on;
  return (
    <label className={styles['switch']} {...(why === undefined ? {} : tooltip(why))}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn && why === undefined}
        aria-disabled={why !== undefined}
        onChange={() => why === undefined && set({ [name]: isOn ? off : on })}
      />
      {label}
    </label>
  );
}

const periodChoices: readonly Choice[] = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'days', label: 'Other days' },
];

const usersQuery = operationQuery('listUsers', {}, ({ object_kind }) => object_kind === 'user');

const withoutDuplicates = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((choice) => [choice.value, choice])).values(),
];

/** Adds the selected value if it is not among the choices. */
const withSelected = (choices: readonly Choice[], selected: string | undefined, nameOf: (value: string) => string) =>
  selected === undefined || choices.some(({ value }) => value === selected)
    ? [...choices]
    : [...choices, { value: selected, label: nameOf(selected) }];

function PersonFilter({ entries }: Props) {
  const { needed, onOpen } = useNeeded('person');
  const may = usePermission('user_read_all');
  const { data } = useQuery({ ...usersQuery, enabled: needed && may });
  const fromEntries = entries.flatMap(({ actor: { kind, id, name } }) =>
    kind === 'user' && id !== null ? [{ value: String(id), label: name === '' ? `User ${id}` : name }] : [],
  );
  const known = (data?.users ?? []).map(({ id, username }) => ({ value: String(id), label: username }));
  const choices = withSelected(
    withoutDuplicates([...known, ...fromEntries]),
    useFilters().textOf('person'),
    (id) => `User ${id}`,
  );
  return <ChoiceFilter name="person" label="Person" all="Any person" choices={choices} onOpen={onOpen} />;
}

const debounceMilliseconds = 150;

const choice = (kind: 'experiment' | 'subject') => (object: { id: number; label: string }) => ({
  value: `${kind} ${object.id}`,
  label: object.label,
});

/** A choice is `experiment 112` or `subject 41`. */
function ObjectFilter({ entries }: Props) {
  const { textOf, set } = useFilters();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, debounceMilliseconds);
  const { data } = useQuery({
    ...operationQuery('search', { query: { q, limit: 8 } }, noEvents),
    staleTime: 60_000,
    enabled: q !== '',
  });
  const found = [
    ...(data?.subjects ?? []).map(choice('subject')),
    ...(data?.experiments ?? []).map(choice('experiment')),
  ];
  const fromEntries = entries.flatMap(({ chain, object: { label } }) =>
    (chain.kind === 'experiment' || chain.kind === 'subject') && chain.id !== null && label !== null
      ? [choice(chain.kind)({ id: chain.id, label })]
      : [],
  );
  const selected = (['experiment', 'subject'] as const).flatMap((kind) =>
    textOf(kind) === undefined ? [] : [`${kind} ${textOf(kind)}`],
  )[0];
  const known = withoutDuplicates([...found, ...fromEntries]).filter(({ value }) => q !== '' || value === selected);
  const choose = (value: string | null) => {
    const [kind, id] = value?.split(' ') ?? [];
    set({ experiment: kind === 'experiment' ? id : undefined, subject: kind === 'subject' ? id : undefined });
  };
  return (
    <Select
      aria-label="Subject or experiment"
      placeholder="Subject or experiment"
      data={withSelected(known, selected, (value) => value.charAt(0).toUpperCase() + value.slice(1))}
      value={selected ?? null}
      onChange={choose}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={q === '' ? 'Type the start of a label' : 'No matching subjects or experiments'}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear subject or experiment filter' }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      className={filterStyles['wideFilter'] ?? ''}
    />
  );
}

function DayFilter({ name, label }: { name: string; label: string }) {
  const { textOf, set } = useFilters();
  return (
    <label className={styles['dayFilter']}>
      {label}
      <TextInput
        type="date"
        value={textOf(name) ?? ''}
        onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      />
    </label>
  );
}
