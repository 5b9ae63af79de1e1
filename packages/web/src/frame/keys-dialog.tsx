import { Modal } from '@mantine/core';
import { FormDialog } from '../ui/form-dialog.tsx';
import styles from './frame.module.css';

const keys: readonly [keys: readonly string[], what: string][] = [
  [['/'], 'Filter or search'],
  [['Ctrl', 'K'], 'Search, or go to a page'],
  [['J', 'K'], 'Next and previous row or decision'],
  [['Enter'], 'Open the row'],
  [['X'], 'Select the row'],
  [['← ↑ → ↓'], 'Next experiment in a matrix'],
  [['A…Z'], 'Choose a next state by its marked letter'],
  [['Esc'], 'Close a dialog or the search'],
  [['?'], 'Show these keys'],
];

/** The keys that work on every page. */
export const KeysDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <FormDialog opened={opened} onClose={onClose}>
    <Modal.Title>Keyboard shortcuts</Modal.Title>
    <KeysList />
  </FormDialog>
);

export const KeysList = () => (
  <dl className={styles['keys']}>
    {keys.map(([pressed, what]) => (
      <div key={what}>
        <dt>
          {pressed.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
);
