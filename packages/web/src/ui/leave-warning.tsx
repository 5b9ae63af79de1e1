/** Asks before a page with unsaved text is left. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DialogForm, FormDialog } from './form-dialog.tsx';

interface Props {
  /** What would be lost: `the changes to the file`. */
  what: string;
  isUnsaved: () => boolean;
}

/** Closing the tab and reloading the page cannot be asked with our own dialog. */
function useUnloadWarning(isUnsaved: () => boolean): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

const nothingSent = { isPending: false, error: null };

export function LeaveWarning({ what, isUnsaved }: Props) {
  const { state, proceed, reset } = useBlocker(isUnsaved);
  useUnloadWarning(isUnsaved);
  const stay = () => reset?.();
  return (
    <FormDialog opened={state === 'blocked'} onClose={stay}>
      <DialogForm
        title="Leave this page?"
        action="Leave"
        sending={nothingSent}
        onSubmit={() => proceed?.()}
        onClose={stay}
      >
        <p>You lose {what}.</p>
      </DialogForm>
    </FormDialog>
  );
}
