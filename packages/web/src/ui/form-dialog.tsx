import { Button, Modal } from '@mantine/core';
import { useId, useRef, type FormEvent, type ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import styles from './form-dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** For content that is shown only once: Escape and clicks outside do not close the dialog. */
  keepOpen?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** The heading in the form names the dialog. A modal header would be a second banner landmark. */
export const FormDialog = ({ opened, onClose, keepOpen = false, wide = false, children }: DialogProps) => (
  <Modal.Root
    opened={opened}
    onClose={onClose}
    size={wide ? 880 : 480}
    transitionProps={{ duration: 0 }}
    // A class name of the content would also be given to the area around it.
    classNames={{ content: styles['content'] ?? '' }}
    closeOnEscape={!keepOpen}
    closeOnClickOutside={!keepOpen}
  >
    <Modal.Overlay backgroundOpacity={0.3} />
    <Modal.Content>
      <Modal.Body p={24}>{opened ? children : null}</Modal.Body>
    </Modal.Content>
  </Modal.Root>
);

interface FormProps {
  title: string;
  /** The label of the submit button. */
  action: string;
  sending: { isPending: boolean; error: unknown };
  /** Why the form cannot be sent yet: `Enter a name.` The button then only leads to this text. */
  missing?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
  /** A button at the other end of the row of buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

export function DialogForm({ title, action, sending, missing, onSubmit, onClose, ...rest }: FormProps) {
  const missingId = useId();
  const why = useRef<HTMLParagraphElement>(null);
  // Before this, the browser leads to a required field that is empty.
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === undefined) onSubmit();
    else why.current?.focus();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Modal.Title>{title}</Modal.Title>
      {rest.children}
      {sending.error ? <ProblemNote error={sending.error} /> : null}
      <div className={styles['buttons']}>
        {rest.aside ? <span className={styles['aside']}>{rest.aside}</span> : null}
        {missing === undefined ? null : (
          <p id={missingId} ref={why} tabIndex={-1} className={styles['missing']}>
            {missing}
          </p>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="filled"
          loading={sending.isPending}
          {...(missing === undefined ? {} : { 'aria-disabled': true, 'aria-describedby': missingId })}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
