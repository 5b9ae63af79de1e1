import { Button } from '@mantine/core';
import { useState } from 'react';
import styles from './long-text.module.css';

const shortLength = 280;

/** A text with line breaks. A long one is truncated until the user expands it. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > shortLength || text.split('\n').length > 3;
  return (
    <>
      <span dir="auto" className={styles['text']} data-cut={(isLong && !whole) || undefined}>
        {text}
      </span>
      {isLong ? (
        <Button
          variant="subtle"
          className={styles['button'] ?? ''}
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : 'Show all'}
        </Button>
      ) : null}
    </>
  );
}
