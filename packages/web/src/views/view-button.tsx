import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Search } from '../pages/experiments/use-search.ts';
import { useSession } from '../session/session-context.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { View } from './use-views.ts';
import { ViewForm } from './view-form.tsx';

/** Saves a view, or changes the own view that is shown. A view of another user is saved as a new one. */
export function ViewButton({ search, view }: { search: Search; view: View | undefined }) {
  const [opened, setOpened] = useState(false);
  const { user } = useSession();
  const own = view?.owner.id === user.id ? view : undefined;
  const close = () => setOpened(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>{own ? 'Edit view' : 'Save view'}</Button>
      <FormDialog opened={opened} onClose={close}>
        <ViewForm search={search} view={own} onClose={close} />
      </FormDialog>
    </>
  );
}
