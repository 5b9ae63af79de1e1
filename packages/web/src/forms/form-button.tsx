import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FormDialog } from '../ui/form-dialog.tsx';

interface Props {
  /** The label of the button. */
  name: string;
  /** Default: an ordinary button. */
  variant?: 'filled' | 'subtle' | 'default';
  /** The accessible name, if the label does not say which object it changes. */
  label?: string;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form. */
export function FormButton({ name, variant = 'default', label, children }: Props) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button variant={variant} aria-label={label} onClick={() => setOpened(true)}>
        {name}
      </Button>
      <FormDialog opened={opened} onClose={close}>
        {children(close)}
      </FormDialog>
    </>
  );
}
