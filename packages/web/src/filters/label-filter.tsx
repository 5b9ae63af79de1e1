import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import styles from './filters.module.css';
import { useFilters } from './use-filters.ts';

const pauseMilliseconds = 250;

/** The beginning of a label. The address follows when one stops typing. */
export function LabelFilter() {
  const { textOf, set } = useFilters();
  const given = textOf('label') ?? '';
  const [text, setText] = useState(given);
  const [known, setKnown] = useState(given);
  // Another address, for example by Back: its text replaces what was typed.
  if (known !== given) {
    setKnown(given);
    setText(given);
  }
  useEffect(() => {
    if (text.trim() === given) return undefined;
    const timer = setTimeout(() => set({ label: text.trim() }), pauseMilliseconds);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      aria-label="Label begins with"
      placeholder="Label begins with…"
      type="search"
      dir="auto"
      maxLength={255}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      className={styles['filter'] ?? ''}
    />
  );
}
