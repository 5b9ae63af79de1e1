/** The text of a file: typed, pasted, or read from a file that the user chooses or drops. */
import { Button } from '@mantine/core';
import { useRef, useState, type DragEvent, type RefObject } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './definition-import.module.css';

interface Props {
  /** The name of the file: `Workflow file`. */
  label: string;
  text: string;
  onText: (text: string) => void;
  onFile: (text: string) => void;
  /** The numbers of lines with faults. */
  faulty: ReadonlySet<number>;
  area: RefObject<HTMLTextAreaElement | null>;
  onSubmit: () => void;
}

const mostBytes = 256 * 1024;

/** The server would reject a larger file, and the page could not show it. */
function useFile(onFile: (text: string) => void) {
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > mostBytes) {
      setProblem(`${file.name} is too large. A file can have at most 256 KiB.`);
      return;
    }
    try {
      onFile(await file.text());
      setProblem(undefined);
    } catch {
      setProblem(`Cannot read ${file.name}.`);
    }
  };
  return { problem, read };
}

export function TextEditor({ label, text, onText, onFile, faulty, area, onSubmit }: Props) {
  const { problem, read } = useFile(onFile);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <div
      className={styles['editor']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <div className={styles['editorHead']}>
        <FileButton onFile={read} />
        <span>or drop it here, or paste its text</span>
      </div>
      {problem === undefined ? null : (
        <p role="alert" className={styles['fileProblem']}>
          <Icon name="failed" /> {problem}
        </p>
      )}
      <Lines label={label} text={text} onText={onText} faulty={faulty} area={area} onSubmit={onSubmit} />
    </div>
  );
}

function FileButton({ onFile }: { onFile: (file: File | undefined) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>Choose file</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".yaml,.yml,.json,text/yaml,application/yaml,application/json"
        onChange={({ currentTarget }) => {
          void onFile(currentTarget.files?.[0]);
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

const fewestLines = 24;

function Lines({ label, text, onText, faulty, area, onSubmit }: Omit<Props, 'onFile'>) {
  const numbers = useRef<HTMLDivElement>(null);
  const count = text.split('\n').length;
  return (
    <div className={styles['lines']}>
      <div ref={numbers} className={styles['numbers']} aria-hidden="true">
        {Array.from({ length: Math.max(count, 1) }, (_, index) => (
          <span key={index} data-faulty={faulty.has(index + 1) || undefined}>
            {index + 1}
          </span>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label={label}
        className={styles['text']}
        rows={Math.min(Math.max(count, fewestLines), 40)}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onScroll={({ currentTarget }) => numbers.current?.scrollTo({ top: currentTarget.scrollTop })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit();
        }}
      />
    </div>
  );
}
