import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from '../ui/form-dialog.module.css';

interface Props {
  title: string;
  /** The page of the step. Without it, the user cannot take the step. */
  next: { name: string; to: string } | undefined;
  onClose: () => void;
  /** What is missing. */
  children: ReactNode;
}

/** Shown instead of a form that cannot be filled in until the user has created something else. */
export const FirstStep = ({ title, next, onClose, children }: Props) => (
  <div className={styles['form']}>
    <Modal.Title>{title}</Modal.Title>
    <p>{children}</p>
    <div className={styles['buttons']}>
      <Button onClick={onClose}>Cancel</Button>
      {next ? (
        <Button component={Link} variant="filled" to={next.to}>
          {next.name}
        </Button>
      ) : null}
    </div>
  </div>
);
