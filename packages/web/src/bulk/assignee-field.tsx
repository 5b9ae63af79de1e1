/** Chooses the user who takes care of experiments, which can be in several cohorts. */
import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { assigneesQuery, mostUsers } from '../follow-ups/assignees.ts';
import { useSession } from '../session/session-context.ts';
import type { Chosen } from './chosen.ts';
import type { Change } from './use-dry-run.ts';

const nobody = 'nobody';
/** More would be too many requests. */
const mostCohorts = 5;

/** Users who can read one of the cohorts. The server refuses the experiments of the other cohorts. */
function useUsers({ cohorts }: Chosen, search: string) {
  const { user } = useSession();
  const ids = cohorts.slice(0, mostCohorts).map(({ id }) => id);
  const all = useQueries({ queries: ids.map((id) => assigneesQuery(id, '')) });
  const isLong = all.some(({ data }) => data?.users.length === mostUsers);
  const found = useQueries({
    queries: ids.map((id) => ({ ...assigneesQuery(id, search), enabled: isLong && search !== '' })),
  });
  const users = [...all, ...found].flatMap(({ data }) => data?.users ?? []);
  const names = new Map(users.map(({ id, name }) => [id, id === user.id ? `${name} (you)` : name]));
  return [...names].map(([id, label]) => ({ value: String(id), label }));
}

interface Props {
  chosen: Chosen;
  onChange: (change: Change) => void;
}

export function AssigneeField({ chosen, onChange }: Props) {
  const [search, setSearch] = useState('');
  const [value, setValue] = useState<string | null>(null);
  const users = useUsers(chosen, search);
  const choose = (next: string | null) => {
    if (next === null) return;
    setValue(next);
    onChange({ user_id: next === nobody ? null : Number(next) });
  };
  return (
    <Select
      label="Assign to"
      placeholder="Choose a user"
      data={[{ value: nobody, label: 'Nobody' }, ...users]}
      value={value}
      onChange={choose}
      allowDeselect={false}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage="No user who can read these experiments has this name."
    />
  );
}
