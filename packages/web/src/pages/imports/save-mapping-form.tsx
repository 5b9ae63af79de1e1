import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';
import type { Import } from './import-words.ts';
import { mappingOf } from './mapping.ts';

interface Props {
  of: Import;
  /** The name under which the mapping is saved already. */
  saved: string | undefined;
  onClose: () => void;
}

function useSaving({ of: { cohort, columns }, onClose }: Props) {
  const queryClient = useQueryClient();
  const end = async (text: string) => {
    await queryClient.invalidateQueries({ queryKey: ['listImportMappings'] });
    announceDone(text);
    onClose();
  };
  const save = useMutation({
    mutationFn: (name: string) =>
      client.saveImportMapping({ params: { id: cohort.id, name }, body: { columns: mappingOf(columns) } }),
    onSuccess: ({ name }) => end(`Saved the mapping ${name}.`),
  });
  const remove = useMutation({
    mutationFn: (name: string) => client.deleteImportMapping({ params: { id: cohort.id, name } }),
    onSuccess: ({ name }) => end(`Removed the mapping ${name}.`),
  });
  return { save, remove };
}

export function SaveMappingForm(props: Props) {
  const { of, saved, onClose } = props;
  const [name, setName] = useState(saved ?? of.mapping_name ?? '');
  const [isConfirming, setIsConfirming] = useState(false);
  const { save, remove } = useSaving(props);
  return (
    <DialogForm
      title="Save this mapping"
      action="Save"
      sending={remove.error ? remove : save}
      missing={name.trim() === '' ? 'Enter a name.' : undefined}
      onSubmit={() => {
        remove.reset();
        save.mutate(name.trim());
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description={`Later files with the same columns use it, also those of other users who import into ${of.cohort.label}. A mapping with this name is replaced.`}
        data-autofocus
        dir="auto"
        maxLength={255}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {saved === undefined ? null : (
        <Button
          variant="subtle"
          loading={remove.isPending}
          onClick={() => (isConfirming ? remove.mutate(saved) : setIsConfirming(true))}
        >
          {isConfirming ? 'Remove for all users' : `Remove the mapping ${saved}`}
        </Button>
      )}
    </DialogForm>
  );
}
