import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { problemLine } from '../../api/problems.ts';
import dialogStyles from '../../ui/form-dialog.module.css';
import styles from './people.module.css';

interface Props {
  name: string;
  token: string;
  onDone: () => void;
}

/** Shows the token while the dialog is open. If the browser denies access to the clipboard, the user can select it. */
export function CreatedToken({ name, token, onDone }: Props) {
  const [message, setMessage] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(token).then(
      () => setMessage('Copied.'),
      (error: unknown) => setMessage(problemLine(error)),
    );
  return (
    <div className={dialogStyles['form']}>
      <Modal.Title>
        API token <bdi>{name}</bdi>
      </Modal.Title>
      <p>Copy the token now. It is shown only once. Keep it secret, like a password.</p>
      <div className={styles['secret']}>
        <TextInput
          aria-label="API token"
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
      <p role="status">{message}</p>
      <p>
        Programs send it as <code>Authorization: Bearer {token.slice(0, 3)}…</code>
      </p>
      <div className={dialogStyles['buttons']}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
