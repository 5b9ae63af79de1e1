import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import styles from './filters.module.css';
import { followAddress, type TypedText } from './typed-text.ts';
import { useFilters } from './use-filters.ts';

const pauseMilliseconds = 250;

interface Props {
  /** In the address. */
  name: string;
  label: string;
}

/** A text to find something by. The address follows when one stops typing. */
export function TextFilter({ name, label }: Props) {
  const { textOf, set } = useFilters();
  const given = textOf(name) ?? '';
  const [before, setTyped] = useState<TypedText>({ text: given, given });
  const typed = followAddress(before, given);
  if (typed !== before) setTyped(typed);
  const { text, sent } = typed;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === given || wanted === sent) return undefined;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, sent: wanted }));
      set({ [name]: wanted });
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
