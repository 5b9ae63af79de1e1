/** Chooses a file with a click or by dropping it. The file input covers the area, so the browser does both. */
import { maxImportLines, maxImportMiB } from '@milepost/api';
import { useEffect, useId, useState, type ChangeEvent } from 'react';
import { count } from '../../ui/numbers.ts';
import styles from './import-form.module.css';

interface Props {
  file: File | undefined;
  /** What is wrong with the file. */
  problem: string | undefined;
  /** What happens with the file. */
  status: string | undefined;
  disabled: boolean;
  onChoose: (file: File) => void;
}

/** A file that is dropped beside the input would replace the page. */
function useDropsElsewhereIgnored(): void {
  useEffect(() => {
    const ignore = (event: DragEvent) => {
      const isInput = event.target instanceof HTMLInputElement && !event.target.disabled;
      if (!isInput) event.preventDefault();
    };
    const stop = new AbortController();
    addEventListener('dragover', ignore, { signal: stop.signal });
    addEventListener('drop', ignore, { signal: stop.signal });
    return () => stop.abort();
  }, []);
}

export function FileInput({ file, problem, status, disabled, onChoose }: Props) {
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  useDropsElsewhereIgnored();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = currentTarget.files?.[0];
    setIsOver(false);
    if (chosen) onChoose(chosen);
    // The same file can be chosen again after a change.
    currentTarget.value = '';
  };
  return (
    <div className={styles['drop']} data-over={isOver || undefined} data-problem={problem !== undefined || undefined}>
      <p className={styles['dropTitle']} dir="auto">
        {file ? file.name : 'Choose a CSV file, or drop it here'}
      </p>
      <p id={id} className={styles['quiet']} role="status">
        {problem ?? status ?? limits}
      </p>
      <input
        type="file"
        aria-label="File"
        aria-describedby={id}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        disabled={disabled}
        onChange={choose}
        onDragEnter={() => setIsOver(true)}
        onDragLeave={() => setIsOver(false)}
        onDrop={() => setIsOver(false)}
      />
    </div>
  );
}

const limits = `With a header in the first line. Up to ${maxImportMiB} MiB and ${count(maxImportLines)} lines.`;
