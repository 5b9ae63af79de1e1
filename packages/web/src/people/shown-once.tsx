import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { problemLine } from '../api/problem-words.ts';
import dialogStyles from '../shown/form-dialog.module.css';
import styles from './people.module.css';

interface Props {
  name: string;
  token: string;
  onDone: () => void;
}

/** The token, for as long as the dialog is open. Where the browser does not let it be copied, it can be selected. */
export function ShownOnce({ name, token, onDone }: Props) {
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(token).then(
      () => setSaid('Copied.'),
      (error: unknown) => setSaid(problemLine(error)),
    );
  return (
    <div className={dialogStyles['form']}>
      <Modal.Title>
        The token <bdi>{name}</bdi>
      </Modal.Title>
      <p>
        Copy it now: it is shown this once and never again. Keep it as you keep a password; whoever has it can do what
        it may do.
      </p>
      <div className={styles['secret']}>
        <TextInput
          aria-label="The token"
          value={token}
          readOnly
          dir="ltr"
          spellCheck={false}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button variant="filled" data-autofocus onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p role="status">{said}</p>
      <p>
        Programs send it as <code>Authorization: Bearer {token.slice(0, 3)}…</code>
      </p>
      <div className={dialogStyles['buttons']}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
