import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import styles from './filters.module.css';
import { followAddress, type TypedText } from './typed-text.ts';
import { useFilters } from './use-filters.ts';

const pauseMilliseconds = 250;

/** The beginning of a label. The address follows when one stops typing. */
export function LabelFilter() {
  const { textOf, set } = useFilters();
  const given = textOf('label') ?? '';
  const [before, setTyped] = useState<TypedText>({ text: given, given });
  const typed = followAddress(before, given);
  if (typed !== before) setTyped(typed);
  const { text, sent } = typed;
  useEffect(() => {
    const label = text.trim();
    if (label === given || label === sent) return undefined;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, sent: label }));
      set({ label });
    }, pauseMilliseconds);
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
      onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, text: value }))}
      className={styles['filter'] ?? ''}
    />
  );
}
