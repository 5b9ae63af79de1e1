/** Saves the query, order and columns of the page as a view, or changes or deletes a view. */
import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../api/client.ts';
import { usePermittedCohorts } from '../filters/permitted-cohorts.ts';
import type { Search } from '../pages/experiments/use-search.ts';
import { paths } from '../paths.ts';
import { announceDone } from '../ui/announcements.tsx';
import { DialogForm } from '../ui/form-dialog.tsx';
import { viewPath, type View } from './use-views.ts';

interface Props {
  search: Search;
  /** The view to change. Without one, a new view is saved. */
  view: View | undefined;
  onClose: () => void;
}

/** The cohorts with which the user may share a view. */
const useSharedWith = () => usePermittedCohorts('sample_update').map(({ id, label }) => ({ value: String(id), label }));

function useSaving({ search: { q, sort, columns }, view }: Props, onSaved: (path: string) => void) {
  const queryClient = useQueryClient();
  const refresh = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [name] }) => name === 'listViews' || name === 'getViewCounts',
    });
  const save = useMutation({
    mutationFn: ({ name, cohort }: { name: string; cohort: string | null }) => {
      const body = { name, query: q, sort, columns: [...columns] };
      const cohortId = cohort === null ? null : Number(cohort);
      // The owner may have lost access to the cohort, so it is only sent if the user changed it.
      const isSame = cohortId === (view?.cohort?.id ?? null);
      return view
        ? client.updateView({ params: { id: view.id }, body: { ...body, ...(isSame ? {} : { cohort_id: cohortId }) } })
        : client.createView({ body: { ...body, ...(cohortId === null ? {} : { cohort_id: cohortId }) } });
    },
    onSuccess: async (saved) => {
      await refresh();
      announceDone(`Saved the view ${saved.name}.`);
      onSaved(viewPath(saved));
    },
  });
  const remove = useMutation({
    mutationFn: (id: number) => client.deleteView({ params: { id } }),
    onSuccess: async ({ name }) => {
      await refresh();
      announceDone(`Deleted the view ${name}.`);
      onSaved(paths.experiments);
    },
  });
  return { save, remove };
}

export function ViewForm(props: Props) {
  const { view, onClose } = props;
  const navigate = useNavigate();
  const [name, setName] = useState(view?.name ?? '');
  const [cohort, setCohort] = useState<string | null>(view?.cohort ? String(view.cohort.id) : null);
  const [isConfirming, setIsConfirming] = useState(false);
  const cohorts = useSharedWith();
  const { save, remove } = useSaving(props, (path) => {
    onClose();
    void navigate(path, { replace: true });
  });
  return (
    <DialogForm
      title={view ? `Edit view ${view.name}` : 'Save view'}
      action="Save"
      sending={remove.error ? remove : save}
      missing={name.trim() === '' ? 'Enter a name.' : undefined}
      onSubmit={() => {
        remove.reset();
        save.mutate({ name: name.trim(), cohort });
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        dir="auto"
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label="Shared with"
        description="Users who can read the cohort see the view. It finds only what they can read."
        placeholder="Private"
        data={cohorts}
        value={cohort}
        onChange={setCohort}
        clearable
        clearButtonProps={{ 'aria-label': 'Make it private' }}
      />
      {view ? (
        <Button
          variant="subtle"
          loading={remove.isPending}
          onClick={() => (isConfirming ? remove.mutate(view.id) : setIsConfirming(true))}
        >
          {isConfirming ? (view.shared ? 'Delete for all users' : 'Confirm deletion') : 'Delete view'}
        </Button>
      ) : null}
    </DialogForm>
  );
}
