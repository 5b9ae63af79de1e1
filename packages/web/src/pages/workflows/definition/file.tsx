import { useMemo } from 'react';
import styles from './definition.module.css';

const lineNumbers = (text: string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((_, index) => index + 1)
    .join('\n');

/** Lines do not wrap, because indentation is part of the format. The text is focusable, so that the keyboard can scroll it. */
export function File({ text }: { text: string }) {
  const numbers = useMemo(() => lineNumbers(text), [text]);
  return (
    <div className={styles['file']}>
      <pre aria-hidden="true" className={styles['numbers']}>
        {numbers}
      </pre>
      <div role="group" aria-label="Definition" tabIndex={0} className={styles['text']}>
        <pre dir="auto">{text}</pre>
      </div>
    </div>
  );
}
