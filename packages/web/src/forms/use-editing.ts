/** Reads an object when its form opens, and saves what the user changed. */
import type { OperationName } from '@milepost/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { announceDone } from '../ui/announcements.tsx';
import { afterConflict, type Texts } from './changes.ts';
import { Conflict, saveChanges, type Editing, type Version } from './save-changes.ts';

export interface EditProps<T extends Texts, Saved> extends Editing<T, Saved> {
  /** What is edited, for the cache: `['subject', 41]`. */
  of: readonly [kind: string, id: number];
  /** The queries that show the object. */
  shownBy: readonly OperationName[];
  /** The message after it was saved. */
  done: (saved: Saved) => string;
  onClose: () => void;
}

export function useSaving<T extends Texts, Saved>(props: EditProps<T, Saved>, opened: Version<T>) {
  const queryClient = useQueryClient();
  const [first, setFirst] = useState(opened);
  const save = useMutation({
    mutationFn: (edited: T) => saveChanges(props, first, edited),
    onSuccess: async (saved) => {
      await Promise.all(props.shownBy.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
      announceDone(props.done(saved));
      props.onClose();
    },
    onError: (error) =>
      error instanceof Conflict &&
      setFirst(({ texts }) => ({ ...error.current, texts: afterConflict(texts, error.names, error.current.texts) })),
  });
  return { first: first.texts, save, conflict: save.error instanceof Conflict ? save.error : undefined };
}

/** Reads the newest version, because the page may show an older one. */
export const useOpened = <T extends Texts, Saved>({ of, read }: EditProps<T, Saved>) =>
  useQuery({ queryKey: ['edited', ...of], queryFn: read, gcTime: 0, staleTime: 0 });
