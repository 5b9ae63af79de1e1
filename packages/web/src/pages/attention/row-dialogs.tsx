/** The dialogs that rows of the list open: to decide, to assign and to snooze. One of them can be open. */
import { createContext, use, useState, type ReactNode } from 'react';
import { AssignForm } from '../../follow-ups/assign-form.tsx';
import { SnoozeForm } from '../../follow-ups/snooze-form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { AttentionItem } from './attention-kinds.ts';
import { DecideForm } from './decide-form.tsx';

interface Opened {
  dialog: 'decide' | 'assign' | 'snooze';
  item: AttentionItem;
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

function RowDialog({ dialog, item, onClose }: Opened & { onClose: () => void }) {
  if (dialog === 'assign') return <AssignForm followed={item} onClose={onClose} />;
  if (dialog === 'snooze') return <SnoozeForm followed={item} onClose={onClose} />;
  return <DecideForm item={item} onClose={onClose} />;
}
