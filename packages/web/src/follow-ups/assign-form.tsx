import { Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { useSession } from '../session/session-context.ts';
import { announceDone } from '../ui/announcements.tsx';
import { DialogForm } from '../ui/form-dialog.tsx';
import { assigneesQuery, mostUsers } from './assignees.ts';
import type { Followed } from './followed.ts';

function useChoices({ cohort, assignee }: Followed, search: string) {
  const { user } = useSession();
  const all = useQuery(assigneesQuery(cohort.id, ''));
  const isLong = all.data?.users.length === mostUsers;
  const found = useQuery({ ...assigneesQuery(cohort.id, search), enabled: isLong && search !== '' });
  const users = [...(assignee ? [assignee] : []), ...(all.data?.users ?? []), ...(found.data?.users ?? [])];
  const names = new Map(users.map(({ id, name }) => [id, id === user.id ? `${name} (you)` : name]));
  return [...names].map(([id, label]) => ({ value: String(id), label }));
}

/** Chooses the user who takes care of an experiment. */
export function AssignForm({ followed, onClose }: { followed: Followed; onClose: () => void }) {
  const { experiment, assignee } = followed;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(assignee ? String(assignee.id) : null);
  const choices = useChoices(followed, search);
  const assign = useMutation({
    mutationFn: () =>
      client.assignExperiment({
        params: { id: experiment.id },
        body: { user_id: chosen === null ? null : Number(chosen) },
      }),
    onSuccess: ({ assignee: of }) => {
      announceDone(
        of ? `Assigned ${experiment.label} to ${of.name}.` : `Removed the assignment of ${experiment.label}.`,
      );
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Assign ${experiment.label}`}
      action={chosen === null && assignee ? 'Remove assignment' : 'Assign'}
      sending={assign}
      missing={chosen === null && assignee === null ? 'Choose a user.' : undefined}
      onSubmit={() => assign.mutate()}
      onClose={onClose}
    >
      <Select
        label="User"
        placeholder="Nobody"
        data={choices}
        value={chosen}
        onChange={setChosen}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Choose nobody' }}
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage="No user who can read this cohort has this name."
        data-autofocus
      />
    </DialogForm>
  );
}
