import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useFilters } from './use-filters.ts';
import styles from './filters.module.css';

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

/** The text of a filter, which also changes with the URL. */
export interface TypedText {
  text: string;
  /** The last text in the URL. */
  inUrl: string;
  /** The text written to the URL by the filter, until the URL has it. */
  sent?: string;
}

/** Back and other URL changes replace the text. The filter's own change does not, because the user may have typed on. */
export const followUrl = (typed: TypedText, inUrl: string): TypedText =>
  typed.inUrl === inUrl ? typed : { inUrl, text: inUrl === typed.sent ? typed.text : inUrl };
