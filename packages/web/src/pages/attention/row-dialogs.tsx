/** The dialogs that rows of the list open: to decide, to assign, to snooze and to retry a group. One of them can be open. */
import { createContext, lazy, Suspense, use, useState, type ReactNode } from 'react';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loading } from '../../ui/placeholders.tsx';
import type { AttentionRow } from './attention-rows.ts';

/** Loaded when the first one opens, because this is the start page. */
const forms = {
  decide: lazy(async () => ({ default: (await import('./decide-form.tsx')).DecideForm })),
  assign: lazy(async () => ({ default: (await import('../../follow-ups/assign-form.tsx')).AssignForm })),
  retryAll: lazy(async () => ({ default: (await import('./retry-all-form.tsx')).RetryAllForm })),
  snooze: lazy(async () => ({ default: (await import('../../follow-ups/snooze-form.tsx')).SnoozeForm })),
};

interface Opened {
  dialog: keyof typeof forms;
  item: AttentionRow;
  /** The transition that is selected. */
  chosen?: number;
}

const OpenDialog = createContext<(opened: Opened) => void>(() => undefined);

export const useRowDialog = () => use(OpenDialog);

export function RowDialogs({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <OpenDialog value={setOpened}>
      {children}
      <FormDialog opened={opened !== undefined} onClose={close} wide={opened?.dialog === 'decide'}>
        {opened ? <RowDialog {...opened} onClose={close} /> : null}
      </FormDialog>
    </OpenDialog>
  );
}

function RowDialog({ dialog, item, chosen, onClose }: Opened & { onClose: () => void }) {
  const Form = forms[dialog];
  return (
    <Suspense fallback={<Loading what="the form" />}>
      <Form followed={item} chosen={chosen} onClose={onClose} />
    </Suspense>
  );
}
