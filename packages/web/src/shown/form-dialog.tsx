import { Button, Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import styles from './form-dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** What stands there comes only once: a key or a click beside it does not close it. */
  mayNotBeLost?: boolean;
  children: ReactNode;
}

/** Named by its heading, which stands in the form: a header of its own would be a second banner of the page. */
export const FormDialog = ({ opened, onClose, mayNotBeLost = false, children }: DialogProps) => (
  <Modal.Root
    opened={opened}
    onClose={onClose}
    size={480}
    transitionProps={{ duration: 0 }}
    closeOnEscape={!mayNotBeLost}
    closeOnClickOutside={!mayNotBeLost}
  >
    <Modal.Overlay backgroundOpacity={0.3} />
    <Modal.Content>
      <Modal.Body p={24}>{opened ? children : null}</Modal.Body>
    </Modal.Content>
  </Modal.Root>
);

interface FormProps {
  title: string;
  /** What the button says that does it. */
  action: string;
  sending: { isPending: boolean; error: unknown };
  mayNot?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function DialogForm({ title, action, sending, mayNot = false, onSubmit, onClose, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Modal.Title>{title}</Modal.Title>
      {children}
      {sending.error ? <ProblemNote error={sending.error} /> : null}
      <div className={styles['buttons']}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={mayNot} loading={sending.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
