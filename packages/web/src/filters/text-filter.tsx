import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import styles from './filters.module.css';
import { followUrl, type TypedText } from './typed-text.ts';
import { useFilters } from './use-filters.ts';

const pauseMilliseconds = 250;

interface Props {
  /** The query parameter of the URL. */
  name: string;
  label: string;
}

/** A text filter. It updates the URL when the user stops typing. */
export function TextFilter({ name, label }: Props) {
  const { textOf, set } = useFilters();
  const inUrl = textOf(name) ?? '';
  const [before, setTyped] = useState<TypedText>({ text: inUrl, inUrl });
  const typed = followUrl(before, inUrl);
  if (typed !== before) setTyped(typed);
  const { text, sent } = typed;
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === inUrl || trimmed === sent) return undefined;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, sent: trimmed }));
      set({ [name]: trimmed });
    }, pauseMilliseconds);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      aria-label={label}
      placeholder={`${label}…`}
      type="search"
      dir="auto"
      maxLength={255}
      value={text}
      onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, text: value }))}
      className={styles['filter'] ?? ''}
    />
  );
}
