/** The steps of an import as a line. */
import { Icon } from '../../ui/icon.tsx';
import type { Import } from './import-words.ts';
import styles from './imports.module.css';

const steps = ['File', 'Columns', 'Check', 'Import'] as const;
type Step = (typeof steps)[number];

/** The current step, and how many are done. */
function progressOf({ status, started_at: started, columns }: Pick<Import, 'status' | 'started_at' | 'columns'>): {
  current: Step | undefined;
  done: number;
} {
  if (status === 'uploading') return { current: 'File', done: 0 };
  if (status === 'finished') return { current: undefined, done: steps.length };
  if (started !== null) return { current: 'Import', done: 3 };
  const hasSubject = columns.some(({ target }) => target === 'subject');
  return hasSubject ? { current: 'Check', done: 2 } : { current: 'Columns', done: 1 };
}

export function Steps({ of }: { of?: Import | undefined }) {
  const { current, done } = of ? progressOf(of) : { current: 'File', done: 0 };
  return (
    <ol className={styles['steps']} aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} data-done={index < done || undefined}>
          <span>
            {index < done ? <Icon name="success" /> : null}
            {step}
            {index < done ? <span className={styles['unseen']}> (done)</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
